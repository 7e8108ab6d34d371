// What a ray, or a hand, meets in the room.

import { Mesh, type Object3D, Raycaster, Vector3 } from 'three'
import type { App, RoomNode } from '../app'
import { CLEAR } from '../layers'
import { guidedOf, isMovable, linkOf } from './movable'

const TOUCH_DISTANCE = 0.05 // m; a hand within takes hold itself
const MIN_UPRIGHT = 0.95 // how much of a normal must be upright

export interface Met {
  node: RoomNode
  point: Vector3 // in three's world
  distance: number // m
}

const raycaster = new Raycaster()
raycaster.layers.enable(CLEAR) // glass can be held, too

/** The first thing on a ray (in three's world) that is seen and may be picked. */
export function meet(app: App, origin: Vector3, direction: Vector3): Met | undefined {
  raycaster.set(origin, direction)
  const parts = app.room.nodes.filter(isThere).flatMap(partsOf)
  const [hit] = raycaster.intersectObjects(parts, false)
  const node = hit && app.room.nodeOf(hit.object)
  return hit && node ? { node, point: hit.point, distance: hit.distance } : undefined
}

/** All obstacles, whether they may be picked or not. */
export function obstaclesOf(app: App): Mesh[] {
  return app.room.nodes
    .filter(({ info, object }) => object.visible && !info.is_region)
    .flatMap(partsOf)
}

interface Barred {
  point: Vector3 // in three's world
  isLevel: boolean // one could stand there
}

/** What comes between two points (in three's world), if anything does. */
export function barrier(parts: Mesh[], from: Vector3, to: Vector3): Barred | undefined {
  const way = to.clone().sub(from)
  raycaster.set(from, way.clone().normalize())
  raycaster.far = way.length()
  const [hit] = raycaster.intersectObjects(parts, false)
  raycaster.far = Number.POSITIVE_INFINITY
  if (!hit) return undefined
  const up = hit.normal?.clone().transformDirection(hit.object.matrixWorld).y ?? 0
  return { point: hit.point, isLevel: up > MIN_UPRIGHT }
}

/** What a hand at a point (in three's world) touches: of what can be held, the smallest. */
export function touch(app: App, point: Vector3): RoomNode | undefined {
  let best: RoomNode | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const node of app.room.nodes) {
    if (!isThere(node)) continue
    const volume = touchedVolume(node, point)
    if (volume >= smallest || !(linkOf(app, node) || guidedOf(app, node) || isMovable(node)))
      continue
    best = node
    smallest = volume
  }
  return best
}

/** The size of the smallest box about a part of a node that is near a point; infinite if none. */
function touchedVolume(node: RoomNode, point: Vector3): number {
  const local = new Vector3()
  const size = new Vector3()
  let smallest = Number.POSITIVE_INFINITY
  for (const part of partsOf(node)) {
    const { geometry } = part
    if (!geometry.boundingBox) geometry.computeBoundingBox()
    const box = geometry.boundingBox
    if (!box) continue
    part.worldToLocal(local.copy(point))
    const scale = part.matrixWorld.getMaxScaleOnAxis()
    if (box.distanceToPoint(local) * scale > TOUCH_DISTANCE) continue
    box.getSize(size).multiplyScalar(scale)
    smallest = Math.min(smallest, size.x * size.y * size.z)
  }
  return smallest
}

function isThere({ info, object }: RoomNode): boolean {
  return object.visible && info.pickable && !info.is_region
}

/** What of a node is seen; what has faded away is not. */
function partsOf(node: RoomNode): Mesh[] {
  return node.object.children.filter(
    (part: Object3D): part is Mesh =>
      part instanceof Mesh && part.visible && !part.userData.isFaded,
  )
}
