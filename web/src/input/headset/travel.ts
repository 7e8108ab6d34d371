// Going about in a headset by the stick of the hand that drives: forwards shows an arc, letting go
// jumps to where it lands, on floor that is in sight; or one goes smoothly, as far as nothing is in
// the way. Left and right turn, by steps or smoothly. The other stick drives wheels, if the room has
// any.

import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  type Matrix4,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  Vector3,
} from 'three'
import type { App, Close } from '../../app'
import { barrier, obstaclesOf } from '../ray'
import type { XrHand } from './hands'
import type { XrRig } from './rig'
import type { Settings } from './settings'
import { makeTurning, makeWalk } from './walking'

const PUSH_THRESHOLD = 0.7
const RELEASE_THRESHOLD = 0.3
const SPEED = 6 // m/s, with which the arc is thrown
const GRAVITY = 9.8 // m/s²
const N_POINTS = 24
const POINT_PERIOD_S = 0.07 // between two points of the arc
const MAX_DISTANCE = 8 // m
const MAX_FLOOR_HEIGHT = 0.06 // m: what is lower is floor, or lies on it
const FREE_COLOUR = 0x3ecf8e
const BLOCKED_COLOUR = 0xd64545

interface Arc {
  points: Vector3[]
  landing: Vector3 | undefined
}

interface Travel {
  /** Follow the stick; say whether one moves through the room by it. */
  update(hand: XrHand, head: Matrix4, dt: number): boolean
  readonly landing: Vector3 | undefined // in three's world, while the arc is shown
  readonly close: Close
}

export function makeTravel(
  app: App,
  rig: XrRig,
  options: { settings: Settings; onJump: () => void },
): Travel {
  const { settings } = options
  const turn = makeTurning(rig, settings)
  const walk = makeWalk(app, rig)
  const { stage } = app
  const places = new Float32BufferAttribute(N_POINTS * 3, 3)
  const arc = new Line(
    new BufferGeometry().setAttribute('position', places),
    new LineBasicMaterial({ color: FREE_COLOUR }),
  )
  arc.frustumCulled = false
  const ring = new Mesh(
    new RingGeometry(0.18, 0.24, 40),
    new MeshBasicMaterial({ color: FREE_COLOUR, transparent: true, opacity: 0.8 }),
  )
  ring.rotation.x = -Math.PI / 2
  const group = new Group()
  group.add(arc, ring)
  group.visible = false
  stage.scene.add(group)
  let isAiming = false
  let landing: Vector3 | undefined

  const aim = (hand: XrHand, head: Matrix4) => {
    const { matrixWorld } = stage.rig
    const eye = new Vector3().setFromMatrixPosition(head).applyMatrix4(matrixWorld)
    const thrown = throwArc(matrixWorld.clone().multiply(hand.ray), eye, obstaclesOf(app))
    thrown.points.forEach(({ x, y, z }, k) => {
      places.setXYZ(k, x, y, z)
    })
    places.needsUpdate = true
    arc.geometry.setDrawRange(0, thrown.points.length)
    arc.material.color.set(thrown.landing ? FREE_COLOUR : BLOCKED_COLOUR)
    landing = thrown.landing
    group.visible = true
    ring.visible = landing !== undefined
    if (landing) ring.position.copy(landing).setY(landing.y + 0.01)
  }
  const jump = (head: Matrix4) => {
    if (landing) {
      rig.standAt(landing, head)
      options.onJump()
    }
    landing = undefined
    group.visible = false
  }
  return {
    get landing() {
      return landing
    },
    update(hand, head, dt) {
      const isTurning = !isAiming && turn(hand.stick.x, head, dt)
      if (settings.moving === 'smooth') return walk(hand, head, dt) || isTurning
      const { y } = hand.stick
      if (!isAiming && y < -PUSH_THRESHOLD) isAiming = true
      if (isAiming && hand.isSeen && y < -RELEASE_THRESHOLD) aim(hand, head)
      else if (isAiming) {
        isAiming = false
        jump(head)
      }
      return isTurning
    },
    close() {
      group.removeFromParent()
      arc.geometry.dispose()
      arc.material.dispose()
      ring.geometry.dispose()
      ring.material.dispose()
    },
  }
}

/**
 * Find the way of something thrown along a ray, and where it comes down on the floor. What is in its
 * way ends it: nobody goes through walls, nor through the one that the hand was put through.
 */
function throwArc(ray: Matrix4, eye: Vector3, parts: Mesh[]): Arc {
  const start = new Vector3().setFromMatrixPosition(ray)
  const speed = new Vector3(0, 0, -1).transformDirection(ray).multiplyScalar(SPEED)
  const points = [start.clone()]
  if (barrier(parts, eye, start)) return { points, landing: undefined }
  const at = start.clone()
  while (points.length < N_POINTS) {
    const before = at.clone()
    at.addScaledVector(speed, POINT_PERIOD_S)
    speed.y -= GRAVITY * POINT_PERIOD_S
    const hit = barrier(parts, before, at)
    const isDown = hit ? hit.isLevel && hit.point.y < MAX_FLOOR_HEIGHT : at.y <= 0 && before.y > 0
    if (hit) at.copy(hit.point)
    else if (isDown) at.lerpVectors(before, at, before.y / (before.y - at.y))
    points.push(at.clone())
    const landing = isDown && at.distanceTo(start) < MAX_DISTANCE ? at.clone() : undefined
    if (hit || isDown) return { points, landing }
  }
  return { points, landing: undefined }
}
