// Turning by the stick, by steps or smoothly, and walking.

import { type Matrix4, Vector3 } from 'three'
import type { App } from '../../app'
import { barrier, obstaclesOf } from '../ray'
import type { XrHand } from './hands'
import type { XrRig } from './rig'
import type { Settings } from './settings'

const STEPS = { steps_30: Math.PI / 6, steps_45: Math.PI / 4 } as const
const PUSH_THRESHOLD = 0.7
const RELEASE_THRESHOLD = 0.3
const DEAD_ZONE = 0.2 // of the stick
const TURN_SPEED = Math.PI / 2 // rad/s, smoothly
const WALK_SPEED = 1.3 // m/s, that of somebody who walks at ease
const BODY_RADIUS = 0.25 // m that walls are kept away from

/** Returns whether one is being turned smoothly. */
export function makeTurning(
  rig: XrRig,
  settings: Settings,
): (x: number, head: Matrix4, dt: number) => boolean {
  let hasTurned = false
  return (x, head, dt) => {
    if (settings.turning === 'smooth') {
      const isTurning = Math.abs(x) > DEAD_ZONE
      if (isTurning) rig.turn(-x * TURN_SPEED * dt, head)
      return isTurning
    }
    if (!hasTurned && Math.abs(x) > PUSH_THRESHOLD) {
      hasTurned = true
      rig.turn(-Math.sign(x) * STEPS[settings.turning], head)
    }
    if (Math.abs(x) < RELEASE_THRESHOLD) hasTurned = false
    return false
  }
}

/** Go where one looks, or backwards, until something is in the way; returns whether one goes. */
export function makeWalk(
  app: App,
  rig: XrRig,
): (hand: XrHand, head: Matrix4, dt: number) => boolean {
  return ({ isSeen, stick }, head, dt) => {
    if (!isSeen || Math.abs(stick.y) < DEAD_ZONE) return false
    const world = app.stage.rig.matrixWorld.clone().multiply(head)
    const step = new Vector3(0, 0, -1).transformDirection(world).setY(0).normalize()
    step.multiplyScalar(-stick.y * WALK_SPEED * dt)
    if (step.lengthSq() === 0) return false
    const chest = new Vector3().setFromMatrixPosition(world)
    chest.y /= 2
    const reach = step
      .clone()
      .setLength(step.length() + BODY_RADIUS)
      .add(chest)
    if (barrier(obstaclesOf(app), chest, reach)) return false
    rig.move(step, head)
    return true
  }
}
