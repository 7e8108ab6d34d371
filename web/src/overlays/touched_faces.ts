// The faces that touch, in red, of the pairs of nodes that collide.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three'
import type { Close, RoomNode, RoomView } from '../app'
import { CLEAR } from '../layers'
import type { OverlayContext } from './overlay'
import { type Triangles, touchingFaces } from './touching_faces'

const TOLERANCE = 0.002 // m
const PERIOD = 0.2 // s between two searches
const MAX_PAIRS = 12 // whose faces are searched
const COLOUR = '#ff2020'

export interface TouchedFaces {
  /** The pairs of nodes that touch now. */
  set(pairs: readonly (readonly [string, string])[]): void
  close: Close
}

export function makeTouchedFaces({ room, stage }: OverlayContext): TouchedFaces {
  const material = new MeshBasicMaterial({
    color: COLOUR,
    side: DoubleSide,
    transparent: true,
    opacity: 0.45,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  })
  const mesh = new Mesh(new BufferGeometry(), material)
  mesh.name = 'touching faces'
  mesh.frustumCulled = false
  mesh.layers.set(CLEAR)
  room.root.add(mesh)
  let pairs: readonly (readonly [string, string])[] = []
  let waited = 0
  const draw = () => {
    const corners = pairs.slice(0, MAX_PAIRS).flatMap(([a, b]) => facesOf(room, a, b))
    mesh.geometry.dispose()
    mesh.geometry = new BufferGeometry()
    mesh.geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3))
    mesh.visible = corners.length > 0
    mesh.userData.count = corners.length / 9
    stage.redraw()
  }
  const stop = stage.onFrame((dt) => {
    waited += dt
    if (waited < PERIOD || (pairs.length === 0 && !mesh.visible)) return
    waited = 0
    draw()
  })
  return {
    set(now) {
      pairs = now
      if (now.length === 0 && mesh.visible) draw()
    },
    close() {
      stop()
      mesh.removeFromParent()
      mesh.geometry.dispose()
      material.dispose()
    },
  }
}

/** The corners of all triangles of two nodes that touch. */
function facesOf(room: RoomView, first: string, second: string): number[] {
  const [a, b] = [surfaceOf(room, first), surfaceOf(room, second)]
  const [inA, inB] = touchingFaces(a, b, TOLERANCE)
  const corners = (t: Triangles, some: number[]) =>
    some.flatMap((i) => Array.from(t.subarray(9 * i, 9 * i + 9)))
  return [...corners(a, inA), ...corners(b, inB)]
}

/** The triangles of a node and all that stands on it, in the world of the room. */
function surfaceOf(room: RoomView, name: string): Triangles {
  const start = room.node(name)
  if (start === undefined) return new Float64Array()
  const rows = new Set([start.info.row])
  for (const { info } of room.nodes) if (rows.has(info.parent)) rows.add(info.row) // parents come first
  const numbers: number[] = []
  for (const node of room.nodes) if (rows.has(node.info.row)) addTriangles(node, numbers)
  return Float64Array.from(numbers)
}

function addTriangles(node: RoomNode, numbers: number[]): void {
  const corner = new Vector3()
  for (const child of node.object.children) {
    if (!(child instanceof Mesh) || child.userData.isOwn) continue
    const geometry = child.geometry as BufferGeometry
    const places = geometry.getAttribute('position')
    const count = geometry.index?.count ?? places.count
    for (let k = 0; k < count; k += 1) {
      corner.fromBufferAttribute(places, geometry.index?.getX(k) ?? k)
      corner.applyMatrix4(child.matrix).applyMatrix4(node.object.matrix)
      numbers.push(corner.x, corner.y, corner.z)
    }
  }
}
