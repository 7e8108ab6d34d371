// Which triangles of two surfaces touch: those that no axis separates by more than a tolerance.

/** Triangles in one frame: nine numbers each. */
export type Triangles = Float64Array

type Axis = [number, number, number]

const MAX_TRIANGLES = 4000 // of each surface, near the other; more are left out
const BOX = 6 // numbers of a box: lowest and highest corner

/** The indices of the triangles of both that touch. */
export function touchingFaces(a: Triangles, b: Triangles, tolerance: number): [number[], number[]] {
  const nearA = within(a, boxOf(b, tolerance))
  const nearB = within(b, boxOfSome(a, nearA, tolerance)).sort(
    (i, j) => lowestX(b, i) - lowestX(b, j),
  )
  const boxes = nearB.map((j) => boxOfSome(b, [j], 0))
  const inA: number[] = []
  const inB = new Set<number>()
  for (const i of nearA) {
    const box = boxOfSome(a, [i], tolerance)
    let touches = false
    for (const [k, j] of nearB.entries()) {
      const other = boxes[k] as Float64Array
      if ((other[0] as number) > (box[3] as number)) break // sorted: all others begin behind it
      if (!overlap(box, other) || !areNear(a, i, b, j, tolerance)) continue
      touches = true
      inB.add(j)
    }
    if (touches) inA.push(i)
  }
  return [inA, [...inB].sort((i, j) => i - j)]
}

function lowestX(t: Triangles, i: number): number {
  return Math.min(t[9 * i] as number, t[9 * i + 3] as number, t[9 * i + 6] as number)
}

function boxOf(t: Triangles, margin: number): Float64Array {
  return boxOfSome(
    t,
    Array.from({ length: t.length / 9 }, (_, i) => i),
    margin,
  )
}

function boxOfSome(t: Triangles, some: readonly number[], margin: number): Float64Array {
  const box = new Float64Array(BOX)
  box.fill(Number.POSITIVE_INFINITY, 0, 3)
  box.fill(Number.NEGATIVE_INFINITY, 3)
  for (const i of some) {
    for (let k = 0; k < 9; k += 1) {
      const value = t[9 * i + k] as number
      box[k % 3] = Math.min(box[k % 3] as number, value - margin)
      box[3 + (k % 3)] = Math.max(box[3 + (k % 3)] as number, value + margin)
    }
  }
  return box
}

function within(t: Triangles, box: Float64Array): number[] {
  const found: number[] = []
  for (let i = 0; i < t.length / 9 && found.length < MAX_TRIANGLES; i += 1)
    if (overlap(box, boxOfSome(t, [i], 0))) found.push(i)
  return found
}

function overlap(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k += 1) {
    if ((a[k] as number) > (b[3 + k] as number) || (b[k] as number) > (a[3 + k] as number))
      return false
  }
  return true
}

/** No axis separates two triangles by more than the tolerance. */
function areNear(a: Triangles, i: number, b: Triangles, j: number, tolerance: number): boolean {
  const edgesA = edges(a, i)
  const edgesB = edges(b, j)
  const normalA = cross(edgesA[0], edgesA[1])
  const normalB = cross(edgesB[0], edgesB[1])
  const axes: Axis[] = [normalA, normalB]
  for (const e of edgesA) axes.push(cross(normalA, e), ...edgesB.map((f) => cross(e, f)))
  for (const f of edgesB) axes.push(cross(normalB, f))
  return axes.every((axis) => !separates(axis, a, i, b, j, tolerance))
}

function edges(t: Triangles, i: number): [Axis, Axis, Axis] {
  const edge = (p: number, q: number): Axis => [
    (t[9 * i + q] as number) - (t[9 * i + p] as number),
    (t[9 * i + q + 1] as number) - (t[9 * i + p + 1] as number),
    (t[9 * i + q + 2] as number) - (t[9 * i + p + 2] as number),
  ]
  return [edge(0, 3), edge(3, 6), edge(6, 0)]
}

function cross([a, b, c]: Axis, [x, y, z]: Axis): Axis {
  return [b * z - c * y, c * x - a * z, a * y - b * x]
}

function separates(
  axis: Axis,
  a: Triangles,
  i: number,
  b: Triangles,
  j: number,
  tolerance: number,
): boolean {
  const size = Math.hypot(...axis)
  if (size < 1e-12) return false
  const [lowA, highA] = span(axis, a, i)
  const [lowB, highB] = span(axis, b, j)
  return Math.max(lowB - highA, lowA - highB) > tolerance * size
}

function span([x, y, z]: Axis, t: Triangles, i: number): [number, number] {
  const at = (k: number) =>
    x * (t[9 * i + k] as number) +
    y * (t[9 * i + k + 1] as number) +
    z * (t[9 * i + k + 2] as number)
  const values = [at(0), at(3), at(6)]
  return [Math.min(...values), Math.max(...values)]
}
