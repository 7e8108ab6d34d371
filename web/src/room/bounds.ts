import { Box3, type BufferGeometry, Mesh, Sphere, Vector3 } from 'three'
import type { RoomNode, RoomView } from '../app'

/** The bounding sphere of nodes, in three's world, without endless floors. */
export function sphereOf(nodes: readonly RoomNode[]): Sphere | undefined {
  const box = boundsOf(nodes)
  return box.isEmpty() ? undefined : box.getBoundingSphere(new Sphere())
}

/** The bounding sphere of a node; of its branch if the node itself is not drawn, as for people. */
export function branchSphere(room: RoomView, node: RoomNode): Sphere | undefined {
  const own = sphereOf([node])
  if (own) return own
  const branch = room.nodes.filter((other) => isUnder(room, other, node.info.row))
  const drawn = sphereOf(branch)
  if (drawn) return drawn
  const places = branch.map(({ object }) => object.getWorldPosition(new Vector3()))
  const sphere = new Sphere().setFromPoints(places)
  sphere.radius += MARGIN
  return sphere
}

const MARGIN = 0.25 // m

function isUnder(room: RoomView, node: RoomNode, row: number): boolean {
  for (let at: RoomNode | undefined = node; at; at = room.nodes[at.info.parent])
    if (at.info.row === row) return true
  return false
}

const MAX_SIZE = 25 // m; larger parts are endless floors

/** The box around nodes, in three's world. */
export function boundsOf(nodes: readonly RoomNode[]): Box3 {
  const box = new Box3()
  const part = new Box3()
  const size = new Vector3()
  for (const { object } of nodes) {
    object.updateWorldMatrix(true, true)
    object.traverse((child) => {
      if (!(child instanceof Mesh) || !child.geometry.getAttribute('position')) return
      const geometry = child.geometry as BufferGeometry
      if (!geometry.boundingBox) geometry.computeBoundingBox()
      if (!geometry.boundingBox) return
      part.copy(geometry.boundingBox).applyMatrix4(child.matrixWorld)
      if (part.getSize(size).length() < MAX_SIZE) box.union(part)
    })
  }
  return box
}
