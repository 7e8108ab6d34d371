// Geometry of simple solids with softened edges. Texture coordinates are in metres, so that a
// pattern is true to size; on a box, u runs along the longer side of each face.

import { BufferGeometry, Float32BufferAttribute, SphereGeometry, Vector3 } from 'three'
import type { MeshShape, ShapeInfo, TraceShape } from '../net/protocol'

type Triple = [number, number, number]

const BEVEL = 0.006 // m, the most
const MIN_BEVELLED = 0.012 // m: things thinner than this have sharp edges

class Builder {
  readonly positions: number[] = []
  readonly normals: number[] = []
  readonly uvs: number[] = []
  readonly indices: number[] = []

  vertex(position: Triple, normal: Triple, uv: [number, number]): number {
    this.positions.push(...position)
    this.normals.push(...normal)
    this.uvs.push(...uv)
    return this.positions.length / 3 - 1
  }

  /** A triangle that faces away from the origin of its corners' normals. */
  triangle(a: number, b: number, c: number): void {
    const at = (k: number) => new Vector3().fromArray(this.positions, 3 * k)
    const normal = at(b)
      .sub(at(a))
      .cross(at(c).sub(at(a)))
    const outwards = new Vector3()
    for (const k of [a, b, c]) outwards.add(new Vector3().fromArray(this.normals, 3 * k))
    this.indices.push(...(normal.dot(outwards) >= 0 ? [a, b, c] : [a, c, b]))
  }

  finish(): BufferGeometry {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(this.positions, 3))
    geometry.setAttribute('normal', new Float32BufferAttribute(this.normals, 3))
    geometry.setAttribute('uv', new Float32BufferAttribute(this.uvs, 2))
    geometry.setIndex(this.indices)
    return geometry
  }
}

/** A box with bevelled edges whose normals run round, so that they look rounded. */
function makeBox(size: Triple): BufferGeometry {
  const half = size.map((s) => s / 2) as Triple
  const thinnest = Math.min(...size)
  const bevel = thinnest < MIN_BEVELLED || isSlab(size) ? 0 : Math.min(BEVEL, 0.15 * thinnest)
  const builder = new Builder()
  const corner = (signs: Triple, face: number): Triple =>
    half.map((h, k) => (signs[k] ?? 1) * (k === face ? h : h - bevel)) as Triple
  const normal = (signs: Triple, face: number): Triple =>
    [0, 1, 2].map((k) => (k === face ? (signs[k] ?? 1) : 0)) as Triple
  const add = (signs: Triple, face: number, look = face) =>
    builder.vertex(corner(signs, face), normal(signs, face), boxUv(corner(signs, face), size, look))
  for (const face of [0, 1, 2]) for (const s of [-1, 1]) addFace(face, s, add, builder)
  if (bevel > 0) addBevels(add, builder)
  return builder.finish()
}

type AddCorner = (signs: Triple, face: number, look?: number) => number

const SIGNS: [number, number][] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]

function addFace(face: number, side: number, add: AddCorner, builder: Builder): void {
  const [a, b, c, d] = SIGNS.map(([p, q]) => add(spread(face, side, p, q), face)) as [
    number,
    number,
    number,
    number,
  ]
  builder.triangle(a, b, c)
  builder.triangle(a, c, d)
}

function addBevels(add: AddCorner, builder: Builder): void {
  for (const along of [0, 1, 2]) {
    const first = (along + 1) % 3
    const second = (along + 2) % 3
    for (const [p, q] of SIGNS) {
      const ends = [-1, 1].map((end) => spread(along, end, p, q))
      const [low, high] = ends as [Triple, Triple]
      const quad = [
        add(low, first),
        add(high, first),
        add(high, second, first),
        add(low, second, first),
      ] as const
      builder.triangle(quad[0], quad[1], quad[2])
      builder.triangle(quad[0], quad[2], quad[3])
    }
  }
  for (const end of [-1, 1])
    for (const [p, q] of SIGNS) {
      const signs = spread(0, end, p, q)
      builder.triangle(add(signs, 0), add(signs, 1, 0), add(signs, 2, 0))
    }
}

/** Signs of a corner: `value` for one axis, `p` and `q` for the two after it. */
function spread(axis: number, value: number, p: number, q: number): Triple {
  const out: Triple = [0, 0, 0]
  out[axis] = value
  out[(axis + 1) % 3] = p
  out[(axis + 2) % 3] = q
  return out
}

function boxUv(position: Triple, size: Triple, face: number): [number, number] {
  const [a, b] = [0, 1, 2].filter((k) => k !== face) as [number, number]
  const [u, v] = (size[a] ?? 0) >= (size[b] ?? 0) ? [a, b] : [b, a]
  return [(position[u] ?? 0) + (size[u] ?? 0) / 2, (position[v] ?? 0) + (size[v] ?? 0) / 2]
}

/** Whether a box is large and thin, such as a wall: those join others, so edges stay sharp. */
export function isSlab(size: readonly number[]): boolean {
  const [thin, middle, long] = [...size].sort((a, b) => a - b) as [number, number, number]
  return thin <= 0.4 && middle >= 0.6 && long >= 1.8 && thin < 0.25 * middle
}

function makeCylinder(radius: number, length: number): BufferGeometry {
  const half = length / 2
  const bevel = Math.min(BEVEL, 0.15 * radius, 0.15 * length)
  return revolve(radius, [
    { r: 0, z: half, nr: 0, nz: 1 },
    { r: radius - bevel, z: half, nr: 0, nz: 1 },
    { r: radius, z: half - bevel, nr: 1, nz: 0 },
    { r: radius, z: bevel - half, nr: 1, nz: 0 },
    { r: radius - bevel, z: -half, nr: 0, nz: -1 },
    { r: 0, z: -half, nr: 0, nz: -1 },
  ])
}

/** A cylinder with round ends; `length` is between their centres. */
export function makeCapsule(radius: number, length: number): BufferGeometry {
  const steps = 8
  const profile: ProfilePoint[] = []
  for (let k = 0; k <= 2 * steps + 1; k++) {
    const isLow = k > steps
    const angle = (Math.PI / 2) * ((isLow ? k - 1 : k) / steps)
    const [nr, nz] = [Math.sin(angle), Math.cos(angle)]
    profile.push({ r: radius * nr, z: radius * nz + (isLow ? -length : length) / 2, nr, nz })
  }
  return revolve(radius, profile)
}

function makeSphere(radius: number): BufferGeometry {
  const around = segments(radius)
  const geometry = new SphereGeometry(radius, around, Math.ceil(around * 0.6)).rotateX(Math.PI / 2)
  const uv = geometry.getAttribute('uv')
  for (let k = 0; k < uv.count; k++)
    uv.setXY(k, uv.getX(k) * 2 * Math.PI * radius, uv.getY(k) * Math.PI * radius)
  return geometry
}

interface ProfilePoint {
  r: number
  z: number
  nr: number
  nz: number
}

function revolve(radius: number, profile: readonly ProfilePoint[]): BufferGeometry {
  const around = segments(radius)
  const builder = new Builder()
  let travelled = 0
  let before = profile[0]
  for (const point of profile) {
    if (before) travelled += Math.hypot(point.r - before.r, point.z - before.z)
    before = point
    for (let k = 0; k <= around; k++) {
      const angle = (2 * Math.PI * k) / around
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      // Along the axis first, so that grain runs the length of a leg or a pole.
      const uv: [number, number] = [travelled, angle * radius]
      builder.vertex(
        [point.r * c, point.r * s, point.z],
        [point.nr * c, point.nr * s, point.nz],
        uv,
      )
    }
  }
  for (let row = 0; row + 1 < profile.length; row++)
    for (let k = 0; k < around; k++) {
      const a = row * (around + 1) + k
      const b = a + around + 1
      builder.indices.push(a, b, a + 1, b, b + 1, a + 1)
    }
  return builder.finish()
}

function segments(radius: number): number {
  return Math.round(Math.min(56, Math.max(14, 14 + 90 * radius)))
}

/** A strip through points in pairs, one on either edge; seen from both sides. */
export function makeStrip(points: readonly Triple[]): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(points.flat(), 3))
  const indices: number[] = []
  for (let k = 0; k + 3 < points.length; k += 2) indices.push(k, k + 1, k + 2, k + 1, k + 3, k + 2)
  geometry.setIndex(indices)
  geometry.computeVertexNormals()
  return geometry
}

/** Triangles with a texture coordinate in metres, seen along the axis that each faces most. */
export function addBoxUv(geometry: BufferGeometry): BufferGeometry {
  const apart = geometry.index ? geometry.toNonIndexed() : geometry
  const position = apart.getAttribute('position')
  const uv = new Float32Array(2 * position.count)
  const corner = (k: number) => new Vector3().fromBufferAttribute(position, k)
  for (let k = 0; k + 2 < position.count; k += 3) {
    const normal = corner(k + 1)
      .sub(corner(k))
      .cross(corner(k + 2).sub(corner(k)))
    const size = [Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z)]
    const face = size.indexOf(Math.max(...size))
    const [a, b] =
      face === 0
        ? (['y', 'z'] as const)
        : face === 1
          ? (['x', 'z'] as const)
          : (['x', 'y'] as const)
    for (let c = k; c < k + 3; c++) uv.set([corner(c)[a], corner(c)[b]], 2 * c)
  }
  apart.setAttribute('uv', new Float32BufferAttribute(uv, 2))
  return apart
}

/** Shapes that numbers describe wholly. */
export type Solid = Exclude<ShapeInfo, MeshShape | TraceShape | { kind: 'plane' }>

export function makeSolid(shape: Solid): BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return makeBox(shape.size)
    case 'sphere':
      return makeSphere(shape.radius)
    case 'cylinder':
      return makeCylinder(shape.radius, shape.length)
    case 'capsule':
      return makeCapsule(shape.radius, shape.length)
    case 'ellipsoid':
      return makeSphere(1).scale(...(shape.half_lengths.map(notFlat) as [number, number, number]))
  }
}

const notFlat = (length: number) => Math.max(length, 1e-5)
