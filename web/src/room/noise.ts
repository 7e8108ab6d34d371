// Noise that repeats without a seam, for patterns.

/** A number in 0..1 that looks random but is a pure function of the arguments. */
export function hash(x: number, y: number, seed = 0): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed + 1, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296
}

const wrap = (value: number, period: number) => ((value % period) + period) % period
const ease = (t: number) => t * t * (3 - 2 * t)

/** Smooth noise in 0..1 of u and v in 0..1, with a number of cells each way. */
export function noise(u: number, v: number, cellsU: number, cellsV: number, seed = 0): number {
  const x = u * cellsU
  const y = v * cellsV
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const at = (i: number, j: number) => hash(wrap(x0 + i, cellsU), wrap(y0 + j, cellsV), seed)
  const fx = ease(x - x0)
  const fy = ease(y - y0)
  const low = at(0, 0) * (1 - fx) + at(1, 0) * fx
  const high = at(0, 1) * (1 - fx) + at(1, 1) * fx
  return low * (1 - fy) + high * fy
}

/** Noise over several sizes, each half of the one before; in 0..1. */
export function clouds(u: number, v: number, cells: number, octaves: number, seed = 0): number {
  let sum = 0
  let weight = 0
  for (let k = 0; k < octaves; k++) {
    const share = 0.5 ** k
    sum += share * noise(u, v, cells * 2 ** k, cells * 2 ** k, seed + k)
    weight += share
  }
  return sum / weight
}

interface Cell {
  near: number // distance to the nearest seed, in cells
  edge: number // distance to the next nearest, less `near`
  tone: number // a number in 0..1 of its own
}

/** The cell of a net of random seeds that a point lies in. */
export function cellAt(u: number, v: number, cells: number, seed = 0): Cell {
  const x = u * cells
  const y = v * cells
  let near = 9
  let next = 9
  let tone = 0
  for (let j = Math.floor(y) - 1; j <= Math.floor(y) + 1; j++)
    for (let i = Math.floor(x) - 1; i <= Math.floor(x) + 1; i++) {
      const a = wrap(i, cells)
      const b = wrap(j, cells)
      const d = Math.hypot(i + hash(a, b, seed) - x, j + hash(a, b, seed + 1) - y)
      if (d < near) {
        next = near
        near = d
        tone = hash(a, b, seed + 2)
      } else if (d < next) next = d
    }
  return { near, edge: next - near, tone }
}
