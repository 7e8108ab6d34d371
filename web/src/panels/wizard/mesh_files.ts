// Mesh files of the person's: sent to the server, which checks them and returns the
// triangles; so what is seen here is what Python will see.

import { fetchWithKey } from '../../net/session'
import { type MeshFile, readTriangles } from './bodies'
import { safeName, type Triple } from './draft'

const MAX_SIZE = 20 // metres; whatever is larger was drawn in millimetres

interface Bounds {
  low: Triple
  high: Triple
}

export async function readMeshFile(
  file: File,
  known: ReadonlyMap<string, MeshFile>,
): Promise<{ name: string; mesh: MeshFile; bounds: Bounds }> {
  const suffix = /\.(stl|obj|glb)$/i.exec(file.name)?.[0].toLowerCase()
  if (!suffix) throw new Error(`“${file.name}” is no STL, OBJ or GLB file.`)
  const stem = safeName(file.name.slice(0, -suffix.length)) || 'part'
  let name = stem + suffix
  for (let number = 2; known.has(name); number++) name = `${stem}${number}${suffix}`
  const bytes = await file.arrayBuffer()
  const answer = await fetchWithKey(`api/wizard/mesh?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: bytes,
  })
  if (!answer.ok) throw new Error(await problemOf(answer))
  const geometry = readTriangles(await answer.arrayBuffer())
  const box = geometry.boundingBox
  const bounds: Bounds = {
    low: (box?.min.toArray() ?? [0, 0, 0]) as Triple,
    high: (box?.max.toArray() ?? [0, 0, 0]) as Triple,
  }
  return { name, mesh: { bytes, geometry }, bounds }
}

/** Metres per unit of the file. */
export function guessScale({ low, high }: Bounds): number {
  const size = Math.max(...high.map((value, i) => value - (low[i] ?? 0)))
  return size > MAX_SIZE ? 0.001 : 1
}

/** What the server says went wrong. */
export async function problemOf(answer: Response): Promise<string> {
  try {
    const said = (await answer.json()) as { error?: unknown }
    if (typeof said.error === 'string') return said.error
  } catch {
    // without a text, the status must do
  }
  return `The server refused it (${answer.status} ${answer.statusText}).`
}

/** Encode bytes for JSON. */
export async function toBase64(bytes: ArrayBuffer): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([bytes]))
  })
  return address.slice(address.indexOf(',') + 1)
}
