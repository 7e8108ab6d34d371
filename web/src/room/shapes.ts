import {
  BufferGeometry,
  type Material,
  Matrix4,
  Mesh,
  type Object3D,
  Quaternion,
  Vector3,
} from 'three'
import { Line2 } from 'three/addons/lines/Line2.js'
import { LineGeometry } from 'three/addons/lines/LineGeometry.js'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { CLEAR } from '../layers'
import type { MeshShape, NodeInfo, ShapeInfo, TraceShape, VisualInfo } from '../net/protocol'
import { makeFloor } from './floor'
import { makeGeometries } from './geometries'
import { patternsPending } from './patterns'
import { isSlab, makeSolid, makeStrip, type Solid } from './solids'
import type { SurfaceLook, Surfaces } from './surfaces'

/** Draws shapes; equal geometry and equal looks are shared by all nodes. */
export interface Shapes {
  /** What is drawn for a node; meshes that must be fetched come in later. */
  draw(info: NodeInfo, look: SurfaceLook): Object3D[]
  /** Forget what no object under these uses any more. */
  sweep(objects: Iterable<Object3D>): void
  /** The number of meshes and patterns that are still loading. */
  readonly pending: number
}

export function makeShapes(surfaces: Surfaces, onLoad: (problem?: string) => void): Shapes {
  const geometries = makeGeometries()

  const drawMesh = (visual: VisualInfo & { shape: MeshShape }, material: Material) => {
    const mesh = finish(new Mesh(new BufferGeometry(), material), visual)
    mesh.scale.fromArray(visual.shape.scale)
    mesh.updateMatrix()
    mesh.visible = false // until it is there
    geometries.fetch(visual.shape, visual.surface.pattern).then(
      (geometry) => {
        mesh.geometry = geometry
        mesh.visible = true
        onLoad()
      },
      (reason: unknown) => onLoad(`A mesh could not be fetched: ${String(reason)}`),
    )
    return mesh
  }
  const drawOne = (visual: VisualInfo, look: SurfaceLook): Object3D => {
    const { shape, surface } = visual
    if (shape.kind === 'trace') return drawTrace(shape, visual, surfaces)
    if (shape.kind === 'plane') return finish(makeFloor(surface, look, surfaces), visual)
    const material = surfaces.material(surface, look)
    if (shape.kind === 'mesh') return drawMesh({ ...visual, shape }, material)
    const key = JSON.stringify(shape)
    return finish(
      new Mesh(
        geometries.get(key, () => makeSolid(shape)),
        material,
      ),
      visual,
    )
  }
  const drawTogether = (visuals: VisualInfo[], look: SurfaceLook): Object3D => {
    const [first] = visuals as [VisualInfo]
    const key = JSON.stringify(visuals.map((v) => [v.shape, v.position, v.quaternion]))
    const mesh = new Mesh(
      geometries.get(key, () => merge(visuals)),
      surfaces.material(first.surface, look),
    )
    mesh.castShadow = mesh.receiveShadow = true
    mesh.matrixAutoUpdate = false
    return mesh
  }

  return {
    get pending() {
      return geometries.pending + patternsPending()
    },
    draw(info, look) {
      const groups = new Map<string, VisualInfo[]>()
      for (const visual of info.visuals) {
        const key = isMergeable(visual) ? JSON.stringify(visual.surface) : `${groups.size} alone`
        groups.set(key, [...(groups.get(key) ?? []), visual])
      }
      return [...groups.values()].map((visuals) =>
        visuals.length === 1 && visuals[0]
          ? drawOne(visuals[0], look)
          : drawTogether(visuals, look),
      )
    },
    sweep(objects) {
      const used = new Set<BufferGeometry>()
      const materials = new Set<Material>()
      for (const object of objects)
        object.traverse((part) => {
          if (!(part instanceof Mesh)) return
          used.add(part.geometry)
          for (const material of [part.material].flat()) materials.add(material)
        })
      geometries.sweep(used)
      surfaces.sweep(materials)
    },
  }
}

/** Dispose of geometry and materials that belong to one node alone. */
export function dropOwn(object: Object3D): void {
  object.traverse((part) => {
    if (!(part instanceof Mesh) || !part.userData.isOwn) return
    part.geometry.dispose()
    for (const material of [part.material].flat()) material.dispose()
  })
}

/** Whether a visual may become part of a larger mesh: small solids may; walls fade on their own. */
function isMergeable({ shape, surface }: VisualInfo): boolean {
  if (shape.kind === 'trace' || shape.kind === 'mesh' || shape.kind === 'plane') return false
  return surface.opacity >= 0.999 && !(shape.kind === 'box' && isSlab(shape.size))
}

function finish<T extends Mesh>(mesh: T, visual: VisualInfo): T {
  const isOpaque = visual.surface.opacity >= 0.5
  mesh.castShadow = isOpaque && visual.shape.kind !== 'plane' && !isWall(visual.shape)
  mesh.receiveShadow = true
  if (visual.surface.opacity < 0.999) mesh.layers.set(CLEAR)
  mesh.position.fromArray(visual.position)
  mesh.quaternion.fromArray(visual.quaternion)
  mesh.matrixAutoUpdate = false
  mesh.updateMatrix()
  return mesh
}

/** Walls and ceilings throw no shadow: the light of the page comes from outside of the room. */
function isWall(shape: ShapeInfo): boolean {
  return shape.kind === 'box' && isSlab(shape.size)
}

function merge(visuals: readonly VisualInfo[]): BufferGeometry {
  const parts = visuals.map((visual) =>
    makeSolid(visual.shape as Solid).applyMatrix4(
      new Matrix4().compose(
        new Vector3().fromArray(visual.position),
        new Quaternion().fromArray(visual.quaternion),
        new Vector3(1, 1, 1),
      ),
    ),
  )
  return mergeGeometries(parts)
}

function drawTrace(trace: TraceShape, visual: VisualInfo, surfaces: Surfaces): Object3D {
  const look = { wireframe: false, isRegion: false, isThin: true }
  if (trace.is_surface) {
    const material = surfaces.material(visual.surface, look).clone()
    const strip = finish(new Mesh(makeStrip(trace.points), material), visual)
    strip.userData.isOwn = true
    return strip
  }
  const geometry = new LineGeometry()
  if (trace.points.length > 1) geometry.setPositions(trace.points.flat())
  const line = new Line2(geometry, new LineMaterial({ worldUnits: true, linewidth: trace.width }))
  line.material.color.copy(surfaces.material(visual.surface, look).color)
  line.visible = trace.points.length > 1
  line.userData.isOwn = true // shared with none: goes with its node
  return finish(line, visual)
}
