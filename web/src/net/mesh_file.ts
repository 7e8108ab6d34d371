import { BufferAttribute, BufferGeometry } from 'three'
import { fetchWithKey } from './session'

/** Fetch the triangles of `/mesh/{key}`: u32 vertices, triangles; f32 positions, normals; u32 indices. */
export async function fetchMesh(key: string): Promise<BufferGeometry> {
  const buffer = await fetchBinary(`mesh/${key}`)
  const [vertices, triangles] = new Uint32Array(buffer, 0, 2) as unknown as [number, number]
  const normalsAt = 8 + 12 * vertices
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', floats(buffer, 8, vertices, 3))
  geometry.setAttribute('normal', floats(buffer, normalsAt, vertices, 3))
  geometry.setIndex(
    new BufferAttribute(new Uint32Array(buffer, normalsAt + 12 * vertices, 3 * triangles), 1),
  )
  return geometry
}

export async function fetchBinary(address: string): Promise<ArrayBuffer> {
  const answer = await fetchWithKey(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`)
  return answer.arrayBuffer()
}

export function floats(buffer: ArrayBuffer, at: number, count: number, each: number) {
  return new BufferAttribute(new Float32Array(buffer, at, count * each), each)
}
