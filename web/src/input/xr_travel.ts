// Going about in a headset by the stick of the right hand: forwards shows an arc, letting go jumps
// to where it lands; left and right turn by steps. The left stick drives wheels, if the room has any.

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
import type { App, Close } from '../app'
import type { XrHand } from './xr_hands'
import type { XrRig } from './xr_rig'

const PUSHED = 0.7
const LET_GO = 0.3
const STEP = Math.PI / 6
const SPEED = 6 // m/s, with which the arc is thrown
const FALL = 9.8
const N_POINTS = 48
const TIME = 0.035 // s between two points of the arc
const FARTHEST = 8 // m
const COLOUR = 0x3ecf8e

export interface Travel {
  update(hand: XrHand, head: Matrix4): void
  readonly landing: Vector3 | undefined // in three's world, while the arc is shown
  readonly close: Close
}

export function makeTravel(app: App, rig: XrRig): Travel {
  const { stage } = app
  const places = new Float32BufferAttribute(N_POINTS * 3, 3)
  const arc = new Line(
    new BufferGeometry().setAttribute('position', places),
    new LineBasicMaterial({ color: COLOUR }),
  )
  arc.frustumCulled = false
  const ring = new Mesh(
    new RingGeometry(0.18, 0.24, 40),
    new MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.8 }),
  )
  ring.rotation.x = -Math.PI / 2
  const group = new Group()
  group.add(arc, ring)
  group.visible = false
  stage.scene.add(group)
  let isAiming = false
  let hasTurned = false
  let landing: Vector3 | undefined

  const aim = (hand: XrHand) => {
    const ray = stage.rig.matrixWorld.clone().multiply(hand.ray)
    landing = throwArc(ray, places, arc)
    group.visible = true
    ring.visible = landing !== undefined
    if (landing) ring.position.copy(landing).setY(landing.y + 0.01)
  }
  const jump = (head: Matrix4) => {
    if (landing) rig.standAt(landing, head)
    landing = undefined
    group.visible = false
  }
  return {
    get landing() {
      return landing
    },
    update(hand, head) {
      const { x, y } = hand.stick
      if (!isAiming && y < -PUSHED) isAiming = true
      if (isAiming && hand.isSeen && y < -LET_GO) aim(hand)
      else if (isAiming) {
        isAiming = false
        jump(head)
      }
      if (!isAiming && !hasTurned && Math.abs(x) > PUSHED) {
        hasTurned = true
        rig.turn(-Math.sign(x) * STEP, head)
      }
      if (Math.abs(x) < LET_GO) hasTurned = false
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

/** Draw the way of something thrown along a ray; return where it meets the floor. */
function throwArc(ray: Matrix4, places: Float32BufferAttribute, arc: Line): Vector3 | undefined {
  const start = new Vector3().setFromMatrixPosition(ray)
  const at = start.clone()
  const speed = new Vector3(0, 0, -SPEED).transformDirection(ray).multiplyScalar(SPEED)
  let landing: Vector3 | undefined
  let count = 0
  for (; count < N_POINTS && !landing; count++) {
    places.setXYZ(count, at.x, at.y, at.z)
    const before = at.clone()
    at.addScaledVector(speed, TIME)
    speed.y -= FALL * TIME
    if (at.y > 0 || before.y <= 0) continue
    at.lerpVectors(before, at, before.y / (before.y - at.y))
    if (at.distanceTo(start) < FARTHEST) landing = at.clone()
  }
  places.needsUpdate = true
  arc.geometry.setDrawRange(0, count)
  return landing
}
