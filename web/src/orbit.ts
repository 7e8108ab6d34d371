import { Euler, MathUtils, Quaternion, type Sphere, Spherical, Vector3 } from 'three'
import type { Manner, View } from './cameras'
import { FIELD_OF_VIEW } from './cameras'

const HASTE = 14 // 1/s: how fast the camera follows the hand
const NEAREST = 0.15 // m
const FARTHEST = 60
const STEEPEST = 0.49 * Math.PI

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
  /** Show a ball whole, from here or from another direction. */
  frame(sphere: Sphere | undefined, direction?: Direction): void
  /** Take a view, and turn about the point ahead that is nearest to `near`. */
  look(view: View, near?: Vector3): void
}

/** Turn about a target, as an object in the hand. */
export function makeOrbit(): Orbit {
  const now = firstPose()
  const goal = firstPose()
  const spherical = new Spherical()
  const offset = new Vector3()
  const axis = new Vector3()
  const turned = new Quaternion()
  let hasFramed = false

  const settle = () => {
    goal.pitch = MathUtils.clamp(goal.pitch, -0.2 * Math.PI, STEEPEST)
    goal.distance = MathUtils.clamp(goal.distance, NEAREST, FARTHEST)
  }
  /** Look at the point ahead that is so far away. */
  const take = (view: View, distance: number) => {
    offset.set(0, 0, -1).applyQuaternion(view.quaternion)
    goal.yaw = shortWay(Math.atan2(-offset.x, -offset.z), now.yaw)
    goal.pitch = Math.asin(MathUtils.clamp(-offset.y, -1, 1))
    goal.distance = distance
    goal.target.copy(view.position).addScaledVector(offset, distance)
    settle()
  }
  /** The first look is there at once; to others the camera moves. */
  const arrive = () => {
    if (!hasFramed) copyPose(goal, now)
    hasFramed = true
  }
  const quaternionOf = (pose: Pose) => turned.setFromEuler(eulerOf(pose))
  return {
    target: now.target,
    get isMoving() {
      return (
        now.target.distanceTo(goal.target) > 1e-4 * goal.distance ||
        Math.abs(now.yaw - goal.yaw) + Math.abs(now.pitch - goal.pitch) > 1e-4 ||
        Math.abs(now.distance / goal.distance - 1) > 1e-4
      )
    },
    first: firstPose(),
    start(from) {
      take(from, goal.distance)
      copyPose(goal, now)
    },
    look(view, near) {
      offset.set(0, 0, -1).applyQuaternion(view.quaternion)
      const ahead = near ? axis.copy(near).sub(view.position).dot(offset) : goal.distance
      take(view, MathUtils.clamp(ahead, 1, 12))
      arrive()
    },
    frame(sphere, direction) {
      if (!sphere) return
      goal.target.copy(sphere.center)
      const half = MathUtils.degToRad(FIELD_OF_VIEW) / 2
      goal.distance = (1.1 * Math.max(sphere.radius, 0.1)) / Math.sin(half)
      if (direction) {
        goal.yaw = shortWay(direction.yaw, now.yaw)
        goal.pitch = direction.pitch
      }
      settle()
      arrive()
    },
    turn(dx, dy) {
      goal.yaw -= dx * 3.6
      goal.pitch += dy * 3.6
      settle()
    },
    shift(dx, dy) {
      const span = 2 * goal.distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW) / 2)
      quaternionOf(now)
      goal.target.addScaledVector(axis.set(1, 0, 0).applyQuaternion(turned), -dx * span)
      goal.target.addScaledVector(axis.set(0, 1, 0).applyQuaternion(turned), dy * span)
    },
    zoom(factor, towards) {
      const before = goal.distance
      goal.distance = MathUtils.clamp(before * factor, NEAREST, FARTHEST)
      // What is under the mouse stays there: the target moves towards it by as much.
      const ahead = axis.set(0, 0, -1).applyQuaternion(quaternionOf(now))
      const reach = before / Math.max(0.2, ahead.dot(towards))
      offset.copy(towards).multiplyScalar(reach).addScaledVector(ahead, -before)
      goal.target.addScaledVector(offset, 1 - goal.distance / before)
    },
    update(dt, out: View) {
      const share = 1 - Math.exp(-HASTE * dt)
      now.target.lerp(goal.target, share)
      now.yaw += (goal.yaw - now.yaw) * share
      now.pitch += (goal.pitch - now.pitch) * share
      now.distance *= (goal.distance / now.distance) ** share
      spherical.set(now.distance, Math.PI / 2 - now.pitch, now.yaw)
      out.position.setFromSpherical(spherical).add(now.target)
      out.quaternion.copy(quaternionOf(now))
      out.fieldOfView = FIELD_OF_VIEW
    },
  }
}

/** From the front right (the room's +x is ahead, +y left) and a little above. */
function firstPose(): Pose {
  return { target: new Vector3(), yaw: 0.27 * Math.PI, pitch: 0.14 * Math.PI, distance: 4 }
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

const euler = new Euler()
function eulerOf(pose: { pitch: number; yaw: number }): Euler {
  return euler.set(-pose.pitch, pose.yaw, 0, 'YXZ')
}
