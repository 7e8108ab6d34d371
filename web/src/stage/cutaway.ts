import { type Material, type Matrix4, Mesh, type Object3D, Vector3 } from 'three'
import type { RoomView } from '../app'
import { CLEAR, SOLID } from '../layers'
import { isSlab } from '../room/solids'

const FADE_TIME_S = 0.25
const MIN_LENGTH = 1.2 // m, of the walls of a corner: a door that stands open makes none
const MAX_PARALLEL = 0.87 // cosine of the smallest angle between the walls of a corner
const MAX_HANGING_DISTANCE = 0.2 // m: things within this of a wall hang on it

/** Fades walls and ceilings that stand between the camera and what it looks at; only those of
 * a room with an inside: two walls at an angle. A wall that stands alone is a thing to look at. */
export interface Cutaway {
  isEnabled: boolean
  /** Look at what the room holds now; fetched meshes change it, too. */
  find(room: RoomView): void
  /** Whether something is still fading. `isOn` is false in views from inside. */
  update(dt: number, options: { isOn: boolean; eye: Vector3; target: Vector3 }): boolean
}

interface Wall {
  mesh: Mesh
  plain: Material | Material[] // as it was given
  clear: Material | undefined // a copy of its own, once it has to fade
  centre: Vector3
  normal: Vector3
  half: number // thickness
  length: number // m, the longest edge but the height
  opacity: number
  casts: boolean
}

export function makeCutaway(): Cutaway {
  let walls: Wall[] = []
  return {
    isEnabled: true,
    find(room) {
      const before = new Map(walls.map((wall) => [wall.mesh, wall]))
      const opacities = new Map(walls.map((wall) => [wall.mesh, wall.opacity]))
      for (const wall of walls) show(wall, 1)
      room.root.updateWorldMatrix(true, true)
      walls = findWalls(room)
      hang(room, walls)
      for (const wall of walls) {
        const old = before.get(wall.mesh)
        before.delete(wall.mesh)
        if (old?.plain === wall.plain) wall.clear = old.clear
        show(wall, opacities.get(wall.mesh) ?? 1) // what had faded stays so
      }
      for (const gone of before.values()) gone.clear?.dispose()
    },
    update(dt, { isOn, eye, target }) {
      let isFading = false
      for (const wall of walls) {
        const goal = isOn && this.isEnabled && isBetween(wall, eye, target) ? 0 : 1
        if (wall.opacity === goal) continue
        const step = dt / FADE_TIME_S
        const next = goal ? Math.min(1, wall.opacity + step) : Math.max(0, wall.opacity - step)
        show(wall, next)
        isFading = true
      }
      return isFading
    },
  }
}

const offset = new Vector3()

function isBetween(wall: Wall, eye: Vector3, target: Vector3): boolean {
  const side = offset.copy(eye).sub(wall.centre).dot(wall.normal)
  const other = offset.copy(target).sub(wall.centre).dot(wall.normal)
  return Math.abs(side) > wall.half && side * other < 0 && Math.abs(other) > wall.half
}

function show(wall: Wall, opacity: number): void {
  const { mesh } = wall
  wall.opacity = opacity
  if (opacity === 1) {
    mesh.material = wall.plain
    mesh.castShadow = wall.casts
  } else if (!Array.isArray(wall.plain)) {
    wall.clear ??= Object.assign(wall.plain.clone(), { transparent: true, depthWrite: false })
    wall.clear.opacity = wall.plain.opacity * opacity
    mesh.material = wall.clear
    mesh.castShadow = false
  }
  const isClear = opacity < 1 || (!Array.isArray(wall.plain) && wall.plain.transparent)
  if (isClear) mesh.layers.enable(CLEAR)
  else mesh.layers.disable(CLEAR)
  if (isClear) mesh.layers.disable(SOLID)
  else mesh.layers.enable(SOLID)
  mesh.visible = opacity > 0
  mesh.userData.isFaded = opacity < 0.5
}

/** Large thin upright things, and large thin flat ones: from the boxes around meshes. */
function findWalls(room: RoomView): Wall[] {
  const walls: Wall[] = []
  for (const { info, object } of room.nodes) {
    if (info.is_region || info.robot) continue
    for (const mesh of object.children) {
      const wall = mesh instanceof Mesh ? wallOf(mesh) : undefined
      if (wall) walls.push(wall)
    }
  }
  const long = walls.filter((wall) => wall.length >= MIN_LENGTH)
  return hasInside(long.map((wall) => wall.normal)) ? walls : []
}

/** Whether two upright walls with these normals (y up) stand at an angle to each other. */
export function hasInside(normals: readonly Vector3[]): boolean {
  const uprights = normals.filter((normal) => Math.abs(normal.y) < 0.3)
  return uprights.some((one) => uprights.some((other) => Math.abs(one.dot(other)) < MAX_PARALLEL))
}

function wallOf(mesh: Mesh): Wall | undefined {
  const extent = extentOf(mesh)
  if (!extent || !isSlab(extent.size)) return undefined
  const thin = extent.size.indexOf(Math.min(...extent.size))
  const normal = axisOf(mesh.matrixWorld, thin)
  const isUpright = Math.abs(normal.y) < 0.3
  const isFlat = Math.abs(normal.y) > 0.95
  const tall = extent.size.filter((_, k) => k !== thin)
  if (!isUpright && !(isFlat && Math.min(...tall) > 1.6)) return undefined
  if (isUpright && heightOf(mesh.matrixWorld, extent.size) < 1.7) return undefined
  const half = (extent.size[thin] ?? 0) / 2
  return makeWall(mesh, { centre: extent.centre, normal, half, length: lengthOf(mesh, extent) })
}

function makeWall(
  mesh: Mesh,
  { centre, normal, half, length }: Pick<Wall, 'centre' | 'normal' | 'half' | 'length'>,
): Wall {
  const { material: plain, castShadow: casts } = mesh
  return { mesh, plain, clear: undefined, opacity: 1, casts, centre, normal, half, length }
}

/** The longest edge that is not upright. */
function lengthOf(mesh: Mesh, { size }: Extent): number {
  const level = size.filter((_, k) => Math.abs(axisOf(mesh.matrixWorld, k).y) < 0.5)
  return Math.max(0, ...level)
}

/** Pictures, windows and switches go with the wall that they hang on. */
function hang(room: RoomView, walls: Wall[]): void {
  const taken = new Set<Object3D>(walls.map((wall) => wall.mesh))
  const uprights = walls.filter((wall) => Math.abs(wall.normal.y) < 0.3)
  for (const { info, object } of room.nodes) {
    if (info.is_region || info.robot) continue
    for (const mesh of object.children) {
      if (!(mesh instanceof Mesh) || taken.has(mesh)) continue
      const wall = uprights.find((each) => isOn(mesh, each))
      if (wall) walls.push(makeWall(mesh, wall))
    }
  }
}

/** Whether a thing lies wholly in the slice of space around a wall, beside it or at its end. */
function isOn(mesh: Mesh, wall: Wall): boolean {
  const extent = extentOf(mesh)
  if (!extent) return false
  const along = new Vector3(-wall.normal.z, 0, wall.normal.x).normalize()
  const away = Math.abs(offset.copy(extent.centre).sub(wall.centre).dot(wall.normal))
  const aside = Math.abs(offset.dot(along))
  return (
    away + reach(mesh, extent, wall.normal) < wall.half + MAX_HANGING_DISTANCE &&
    aside - reach(mesh, extent, along) < wall.length / 2 + MAX_HANGING_DISTANCE
  )
}

/** How far a mesh extends to either side of its centre along a direction. */
function reach(mesh: Mesh, { size }: Extent, direction: Vector3): number {
  return size.reduce(
    (sum, each, k) => sum + (each / 2) * Math.abs(axisOf(mesh.matrixWorld, k).dot(direction)),
    0,
  )
}

interface Extent {
  centre: Vector3 // in the world
  size: [number, number, number] // along the axes of the mesh
}

function extentOf(mesh: Mesh): Extent | undefined {
  const { geometry } = mesh
  if (!geometry.getAttribute('position')) return undefined
  if (!geometry.boundingBox) geometry.computeBoundingBox()
  const box = geometry.boundingBox
  if (!box) return undefined
  const scale = new Vector3().setFromMatrixScale(mesh.matrixWorld)
  const size = box.getSize(new Vector3()).multiply(scale)
  return {
    centre: box.getCenter(new Vector3()).applyMatrix4(mesh.matrixWorld),
    size: [size.x, size.y, size.z],
  }
}

function axisOf(matrix: Matrix4, index: number): Vector3 {
  return new Vector3().setFromMatrixColumn(matrix, index).normalize()
}

function heightOf(matrix: Matrix4, size: readonly number[]): number {
  return size.reduce((sum, s, k) => sum + s * Math.abs(axisOf(matrix, k).y), 0)
}
