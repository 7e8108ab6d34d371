import type { BufferGeometry } from 'three'
import { fetchMesh } from '../net/mesh_file'
import type { MeshShape } from '../net/protocol'
import { addBoxUv } from './solids'

/** Geometry that is shared by all nodes, made or fetched once. */
interface Geometries {
  readonly pending: number // meshes on their way
  get(key: string, make: () => BufferGeometry): BufferGeometry
  /** A mesh of the server, with texture coordinates if it has a pattern. */
  fetch(shape: MeshShape, pattern: string): Promise<BufferGeometry>
  /** Forget all but these. */
  sweep(used: ReadonlySet<BufferGeometry>): void
}

export function makeGeometries(): Geometries {
  const geometries = new Map<string, BufferGeometry>()
  const fetched = new Map<string, Promise<BufferGeometry>>()
  let pending = 0
  return {
    get pending() {
      return pending
    },
    get(key, make) {
      const known = geometries.get(key)
      if (known) return known
      const made = make()
      geometries.set(key, made)
      return made
    },
    fetch(shape, pattern) {
      const key = `mesh ${shape.key} ${pattern}`
      const known = fetched.get(key)
      if (known) return known
      pending += 1
      const coming = fetchMesh(shape.key).then((geometry) =>
        pattern ? addBoxUv(geometry) : geometry,
      )
      fetched.set(key, coming)
      coming
        .then((geometry) => geometries.set(key, geometry))
        .catch(() => fetched.delete(key))
        .finally(() => {
          pending -= 1
        })
      return coming
    },
    sweep(used) {
      for (const [key, geometry] of geometries)
        if (!used.has(geometry)) {
          geometry.dispose()
          geometries.delete(key)
          fetched.delete(key)
        }
    },
  }
}
