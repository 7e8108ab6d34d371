// Dragging a part in the preview: joint by joint up the chain, each turns about its own axis so that
// the grabbed point follows the hand.

import { Matrix4, Vector3 } from 'three'
import { type Draft, type Joint, type Joints, placeParts, wayDown, withinRange } from './draft'

const ROUNDS = 12
const MAX_STEP = 0.3 // rad a joint and round: all take part, not only the nearest

/** Joints that bring a point of a part (in the drawing) as near as they can to a target. */
export function follow(
  draft: Draft,
  joints: Joints,
  grabbed: { part: string; point: Vector3 },
  target: Vector3,
): Map<string, number> {
  const next = new Map(joints)
  const way = wayDown(draft, grabbed.part).filter((part) => part.held.type !== 'fixed')
  for (let round = 0; round < ROUNDS; round++) {
    for (const part of way) {
      const places = placeParts(draft, next)
      const hand = grabbed.point.clone().applyMatrix4(places.get(grabbed.part) ?? new Matrix4())
      if (hand.distanceTo(target) < 1e-4) return next
      const below = places.get(part.held.parent) ?? new Matrix4()
      const change = wanted(part.held, below, hand, target)
      next.set(part.name, withinRange(part.held, (next.get(part.name) ?? 0) + change))
    }
  }
  return next
}

function wanted(held: Joint, below: Matrix4, hand: Vector3, target: Vector3): number {
  const axis = new Vector3(...held.axis).transformDirection(below)
  if (held.type === 'prismatic') return target.clone().sub(hand).dot(axis)
  const centre = new Vector3(...held.point).applyMatrix4(below)
  const from = hand.clone().sub(centre).projectOnPlane(axis)
  const to = target.clone().sub(centre).projectOnPlane(axis)
  if (from.length() < 1e-3 || to.length() < 1e-3) return 0
  const angle = Math.atan2(from.clone().cross(to).dot(axis), from.dot(to))
  return Math.min(Math.max(angle, -MAX_STEP), MAX_STEP)
}
