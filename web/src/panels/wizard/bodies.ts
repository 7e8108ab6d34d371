// The parts of a draft as they are drawn: one group a part, one mesh a shape.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  type Scene,
} from 'three'
import { makeSolid } from '../../room/solids'
import { type Draft, type Joints, type Part, placeParts, type Solid } from './draft'

/** A mesh file as the server read it. */
export interface MeshFile {
  readonly bytes: ArrayBuffer // of the file itself
  readonly geometry: BufferGeometry
}

export type MeshFiles = ReadonlyMap<string, MeshFile>

const CHOSEN = new Color(0xff8a1f)

export interface Bodies {
  readonly group: Group
  show(draft: Draft, joints: Joints, chosen: string): void
  /** The part that an object is drawn for, and its shape. */
  owner(object: Object3D): { part: string; solid: Solid } | undefined
  close(): void
}

export function makeBodies(scene: Scene | Group, files: () => MeshFiles): Bodies {
  const group = new Group()
  scene.add(group)
  const drawn = new Map<Part, Group>() // parts are values: what is the same needs no drawing
  const owners = new WeakMap<Object3D, { part: string; solid: Solid }>()

  const draw = (part: Part): Group => {
    const holder = new Group()
    holder.matrixAutoUpdate = false
    for (const solid of part.solids) {
      const material = new MeshStandardMaterial({
        color: new Color().setRGB(...solid.colour, 'srgb'),
        roughness: 0.55,
        metalness: 0.05,
        flatShading: solid.shape.kind === 'file',
      })
      const mesh = new Mesh(geometryOf(solid, files()), material)
      mesh.position.set(...solid.position)
      mesh.quaternion.set(...solid.quaternion)
      if (solid.shape.kind === 'file') mesh.scale.setScalar(solid.shape.scale)
      mesh.castShadow = mesh.receiveShadow = true
      owners.set(mesh, { part: part.name, solid })
      holder.add(mesh)
    }
    return holder
  }
  const drop = (holder: Group) => {
    holder.removeFromParent()
    for (const child of holder.children as Mesh<BufferGeometry, MeshStandardMaterial>[])
      child.material.dispose()
  }
  return {
    group,
    show(draft, joints, chosen) {
      const places = placeParts(draft, joints)
      for (const [part, holder] of drawn) {
        if (draft.parts.includes(part)) continue
        drop(holder)
        drawn.delete(part)
      }
      for (const part of draft.parts) {
        let holder = drawn.get(part)
        if (holder === undefined) {
          holder = draw(part)
          drawn.set(part, holder)
          group.add(holder)
        }
        holder.matrix.copy(places.get(part.name) ?? holder.matrix)
        for (const child of holder.children as Mesh<BufferGeometry, MeshStandardMaterial>[]) {
          child.material.emissive.copy(CHOSEN)
          child.material.emissiveIntensity = part.name === chosen ? 0.22 : 0
        }
      }
      group.updateMatrixWorld(true)
    },
    owner: (object) => owners.get(object),
    close() {
      for (const holder of drawn.values()) drop(holder)
      group.removeFromParent()
    },
  }
}

function geometryOf(solid: Solid, files: MeshFiles): BufferGeometry {
  const { shape } = solid
  if (shape.kind === 'file') return files.get(shape.file)?.geometry ?? new BufferGeometry()
  return makeSolid(shape)
}

/** The answer of `/api/wizard/mesh`: u32 vertices, u32 triangles, f32 positions, u32 corners. */
export function readTriangles(buffer: ArrayBuffer): BufferGeometry {
  const [vertices = 0, triangles = 0] = new Uint32Array(buffer, 0, 2)
  const geometry = new BufferGeometry()
  geometry.setAttribute(
    'position',
    new BufferAttribute(new Float32Array(buffer, 8, 3 * vertices), 3),
  )
  geometry.setIndex(
    new BufferAttribute(new Uint32Array(buffer, 8 + 12 * vertices, 3 * triangles), 1),
  )
  geometry.computeVertexNormals()
  geometry.computeBoundingBox()
  return geometry
}
