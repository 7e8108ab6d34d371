// The rigid transform that brings measured points to where they should be, by least squares: how a
// headset, a tracker or a real chair is registered with the room. The rotation is Horn's closed form
// with unit quaternions (J. Opt. Soc. Am. A 4, 1987): the eigenvector of the largest eigenvalue of a
// symmetric 4 × 4 matrix. Where the vertical is known already, an angle about it is enough.

import { Quaternion, Vector3 } from 'three'

const MIN_POINTS = 3
const MIN_SPREAD = 1e-4 // m²: points nearer to one line than a square of 1 cm say nothing of the turn
const SWEEPS = 30 // of Jacobi's method; a 4 × 4 matrix takes about five

export interface RigidFit {
  rotation: Quaternion // to = rotation · from + translation
  translation: Vector3
  residuals: number[] // m, of each point
  rms: number // m
}

/** `up`: turn about this axis only. Throws if there are too few points, or all lie on one line. */
export function fitRigid(from: readonly Vector3[], to: readonly Vector3[], up?: Vector3): RigidFit {
  if (from.length !== to.length || from.length < MIN_POINTS)
    throw new Error(`three points or more are needed, got ${Math.min(from.length, to.length)}`)
  const [middleFrom, middleTo] = [meanOf(from), meanOf(to)]
  const p = from.map((point) => point.clone().sub(middleFrom))
  const q = to.map((point) => point.clone().sub(middleTo))
  if (spreadOf(p, up) < MIN_SPREAD || spreadOf(q, up) < MIN_SPREAD)
    throw new Error(
      up ? 'the points lie above each other' : 'the points lie on one line; measure one beside it',
    )
  const rotation = up ? turnAbout(p, q, up) : hornRotation(p, q)
  const translation = middleTo.clone().sub(middleFrom.clone().applyQuaternion(rotation))
  const residuals = from.map((point, k) =>
    point
      .clone()
      .applyQuaternion(rotation)
      .add(translation)
      .distanceTo(to[k] ?? point),
  )
  const rms = Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / residuals.length)
  return { rotation, translation, residuals, rms }
}

function meanOf(points: readonly Vector3[]): Vector3 {
  return points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length)
}

/** The largest area, in m², between two of the points seen from their mean; about `up`, their distance from it. */
function spreadOf(points: readonly Vector3[], up?: Vector3): number {
  if (up) return Math.max(...points.map((p) => p.clone().cross(up).lengthSq()))
  return Math.max(...points.flatMap((p) => points.map((other) => p.clone().cross(other).length())))
}

function turnAbout(p: readonly Vector3[], q: readonly Vector3[], up: Vector3): Quaternion {
  let [sine, cosine] = [0, 0]
  p.forEach((from, k) => {
    const to = q[k] ?? from
    sine += up.dot(from.clone().cross(to))
    cosine += from.dot(to) - from.dot(up) * to.dot(up)
  })
  return new Quaternion().setFromAxisAngle(up, Math.atan2(sine, cosine))
}

function hornRotation(p: readonly Vector3[], q: readonly Vector3[]): Quaternion {
  const s = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => p.reduce((sum, from, k) => sum + at(from, i) * at(q[k] ?? from, j), 0)),
  )
  const [
    [xx = 0, xy = 0, xz = 0] = [],
    [yx = 0, yy = 0, yz = 0] = [],
    [zx = 0, zy = 0, zz = 0] = [],
  ] = s
  const [w, x, y, z] = largestEigenvector([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ])
  return new Quaternion(x, y, z, w).normalize()
}

function at(vector: Vector3, index: number): number {
  return vector.getComponent(index)
}

/** Of a symmetric matrix, by Jacobi's rotations. */
export function largestEigenvector(matrix: readonly (readonly number[])[]): number[] {
  const n = matrix.length
  const a = matrix.map((row) => [...row])
  const v = matrix.map((_, i) => matrix.map((__, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) rotate(a, v, i, j)
  const values = a.map((row, i) => row[i] ?? 0)
  const best = values.indexOf(Math.max(...values))
  return v.map((row) => row[best] ?? 0)
}

/** Make one element of a symmetric matrix zero, and turn the vectors with it. */
function rotate(a: number[][], v: number[][], i: number, j: number): void {
  const [ai, aj] = [a[i] ?? [], a[j] ?? []]
  const off = ai[j] ?? 0
  if (Math.abs(off) < 1e-300) return
  const angle = 0.5 * Math.atan2(2 * off, (aj[j] ?? 0) - (ai[i] ?? 0))
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const mix = (row: number[]) => {
    const [x, y] = [row[i] ?? 0, row[j] ?? 0]
    row[i] = c * x - s * y
    row[j] = s * x + c * y
  }
  for (const row of a) mix(row) // columns
  const [x, y] = [[...ai], [...aj]]
  a[i] = x.map((value, k) => c * value - s * (y[k] ?? 0))
  a[j] = x.map((value, k) => s * value + c * (y[k] ?? 0))
  for (const row of v) mix(row)
}
