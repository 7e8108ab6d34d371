import { Euler, MathUtils, Quaternion, type Sphere, Spherical, Vector3 } from 'three'
import { FIELD_OF_VIEW, type Manner, type View } from './view'

const FOLLOW_RATE = 14 // 1/s: how fast the camera follows the hand
const MIN_DISTANCE = 0.15 // m
const MAX_DISTANCE = 60 // m
const MIN_PITCH = -0.2 * Math.PI
const MAX_PITCH = 0.49 * Math.PI

interface Direction {
  yaw: number // about the vertical; 0 looks from +z of three's world
  pitch: number // up from the horizon
}

interface Pose extends Direction {
  target: Vector3
  distance: number
}

export interface Orbit extends Manner {
  readonly target: Vector3
  readonly first: Direction
  /** Nobody has moved the camera since it was turned to something. */
  isAsFramed(): boolean
  /** Show a whole sphere, from the current or another direction. */
  frame(sphere: Sphere | undefined, direction?: Direction): void
  /** Take a view, and turn about the point ahead that is nearest to `near`. */
  look(view: View, near?: Vector3): void
}

/** Orbit about a target, like turning an object in the hand. */
export function makeOrbit(): Orbit {
  const now = firstPose()
  const goal = firstPose()
  const framed = firstPose()
  const offset = new Vector3()
  const axis = new Vector3()
  const turned = new Quaternion()
  let hasFramed = false

  const settle = () => clampPose(goal)
  /** Look at the point ahead at a distance, from farther away where the view is wider. */
  const take = (view: View, distance: number, wide = 1) => {
    offset.set(0, 0, -1).applyQuaternion(view.quaternion)
    goal.yaw = shortWay(Math.atan2(-offset.x, -offset.z), now.yaw)
    goal.pitch = Math.asin(MathUtils.clamp(-offset.y, -1, 1))
    goal.distance = distance * wide
    goal.target.copy(view.position).addScaledVector(offset, distance)
    settle()
  }
  /** The first target is reached at once; to later ones the camera moves. */
  const arrive = () => {
    if (!hasFramed) copyPose(goal, now)
    copyPose(goal, framed)
    hasFramed = true
  }
  const quaternionOf = (pose: Pose) => turned.setFromEuler(eulerOf(pose))
  return {
    target: now.target,
    get isMoving() {
      return !isNear(now, goal)
    },
    isAsFramed: () => isNear(goal, framed),
    first: firstPose(),
    start(from) {
      take(from, goal.distance)
      copyPose(goal, now)
    },
    look(view, near) {
      offset.set(0, 0, -1).applyQuaternion(view.quaternion)
      const ahead = near ? axis.copy(near).sub(view.position).dot(offset) : goal.distance
      take(view, MathUtils.clamp(ahead, 1, 12), wideness(view))
      arrive()
    },
    frame(sphere, direction) {
      if (!sphere) return
      goal.target.copy(sphere.center)
      goal.distance = distanceFor(sphere)
      if (direction) goal.yaw = shortWay(direction.yaw, now.yaw)
      goal.pitch = direction?.pitch ?? goal.pitch
      settle()
      arrive()
    },
    turn(dx, dy) {
      goal.yaw -= dx * 3.6
      goal.pitch += dy * 3.6
      settle()
    },
    shift(dx, dy) {
      const span = heightAt(goal.distance)
      quaternionOf(now)
      goal.target.addScaledVector(axis.set(1, 0, 0).applyQuaternion(turned), -dx * span)
      goal.target.addScaledVector(axis.set(0, 1, 0).applyQuaternion(turned), dy * span)
    },
    zoom(factor, towards) {
      const before = goal.distance
      goal.distance = MathUtils.clamp(before * factor, MIN_DISTANCE, MAX_DISTANCE)
      // The target moves too, so that what is under the mouse stays there.
      const ahead = axis.set(0, 0, -1).applyQuaternion(quaternionOf(now))
      const reach = before / Math.max(0.2, ahead.dot(towards))
      offset.copy(towards).multiplyScalar(reach).addScaledVector(ahead, -before)
      goal.target.addScaledVector(offset, 1 - goal.distance / before)
    },
    update(dt, out: View) {
      approach(now, goal, 1 - Math.exp(-FOLLOW_RATE * dt))
      out.position.copy(eyeOf(now))
      out.quaternion.copy(quaternionOf(now))
      out.fieldOfView = FIELD_OF_VIEW
    },
  }
}

/** From the front right (the room's +x is ahead, +y left) and a little above. */
function firstPose(): Pose {
  return { target: new Vector3(), yaw: 0.27 * Math.PI, pitch: 0.14 * Math.PI, distance: 4 }
}

function clampPose(pose: Pose): void {
  pose.pitch = MathUtils.clamp(pose.pitch, MIN_PITCH, MAX_PITCH)
  pose.distance = MathUtils.clamp(pose.distance, MIN_DISTANCE, MAX_DISTANCE)
}

/** How much the picture shows from top to bottom at a distance, in m. */
function heightAt(distance: number): number {
  return 2 * distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW) / 2)
}

/** How much wider a view is than ours. */
const wideness = ({ fieldOfView }: View) => tangent(fieldOfView) / tangent(FIELD_OF_VIEW)

const tangent = (fieldOfView: number) => Math.tan(MathUtils.degToRad(fieldOfView) / 2)

/** The distance from which a sphere fills most of the picture. */
function distanceFor(sphere: Sphere): number {
  const half = MathUtils.degToRad(FIELD_OF_VIEW) / 2
  return (1.1 * Math.max(sphere.radius, 0.1)) / Math.sin(half)
}

function isNear(a: Pose, b: Pose): boolean {
  return (
    a.target.distanceTo(b.target) <= 1e-4 * b.distance &&
    Math.abs(a.yaw - b.yaw) + Math.abs(a.pitch - b.pitch) <= 1e-4 &&
    Math.abs(a.distance / b.distance - 1) <= 1e-4
  )
}

/** Cover a fraction of what is missing to the goal. */
function approach(now: Pose, goal: Pose, fraction: number): void {
  now.target.lerp(goal.target, fraction)
  now.yaw += (goal.yaw - now.yaw) * fraction
  now.pitch += (goal.pitch - now.pitch) * fraction
  now.distance *= (goal.distance / now.distance) ** fraction
}

/** The same angle, with as many whole turns as the camera has made. */
function shortWay(angle: number, near: number): number {
  return angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI))
}

function copyPose(source: Pose, out: Pose): void {
  out.target.copy(source.target)
  out.yaw = source.yaw
  out.pitch = source.pitch
  out.distance = source.distance
}

const spherical = new Spherical()
const eye = new Vector3()
function eyeOf(pose: Pose): Vector3 {
  spherical.set(pose.distance, Math.PI / 2 - pose.pitch, pose.yaw)
  return eye.setFromSpherical(spherical).add(pose.target)
}

const euler = new Euler()
function eulerOf(pose: { pitch: number; yaw: number }): Euler {
  return euler.set(-pose.pitch, pose.yaw, 0, 'YXZ')
}
