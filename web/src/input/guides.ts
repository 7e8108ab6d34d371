// Doors and drawers follow the pointer the way they go: what is held stays below the mouse, as far as
// the line or the hinge lets it.

import { type Ray, Vector3 } from 'three'
import type { RoomNode } from '../app'

const MAX_STEP = Math.PI / 3 // rad by which a door turns between two moves of the mouse
const ANGLES = 121 // that are tried
const MIN_ASIDE = 0.05 // sine of the angle between line and ray; a drawer seen end-on keeps its place

/** Where on its way a point of a node is nearest to a ray; all in the world. */
export type Way = (ray: Ray, from: Vector3) => Vector3 | undefined

/** The way that a point of a door or drawer can go; undefined if the node is neither. */
export function wayOf({ object, info }: Pick<RoomNode, 'object' | 'info'>): Way | undefined {
  object.updateWorldMatrix(true, false)
  const direction = (axis: [number, number, number]) =>
    new Vector3(...axis).transformDirection(object.matrixWorld)
  if (info.slides_along) {
    const along = direction(info.slides_along)
    return (ray, from) => nearestOnLine(ray, from, along)
  }
  if (!info.turns_about) return undefined
  const axis = direction(info.turns_about)
  const centre = object.localToWorld(new Vector3(...(info.hinge ?? [0, 0, 0])))
  return (ray, from) => nearestOnCircle(ray, from, { axis, centre })
}

/** The point of a line that is nearest to a ray; undefined if one looks along the line. */
export function nearestOnLine(ray: Ray, from: Vector3, along: Vector3): Vector3 | undefined {
  const cosine = along.dot(ray.direction)
  const aside = 1 - cosine * cosine
  if (aside < MIN_ASIDE * MIN_ASIDE) return undefined
  const off = from.clone().sub(ray.origin)
  const way = (cosine * off.dot(ray.direction) - off.dot(along)) / aside
  return from.clone().addScaledVector(along, way)
}

/** The point of a circle about an axis, not far from where it is, that is nearest to a ray. */
export function nearestOnCircle(
  ray: Ray,
  from: Vector3,
  { axis, centre }: { axis: Vector3; centre: Vector3 },
): Vector3 {
  const arm = from.clone().sub(centre)
  const tried = new Vector3()
  let best = from.clone()
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < ANGLES; k++) {
    const angle = MAX_STEP * ((2 * k) / (ANGLES - 1) - 1)
    tried.copy(arm).applyAxisAngle(axis, angle).add(centre)
    const off = ray.distanceSqToPoint(tried)
    if (off >= least) continue
    least = off
    best = tried.clone()
  }
  return best
}
