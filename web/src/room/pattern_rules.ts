// Patterns of materials, painted by rule: how the tone and the height vary over a piece that
// repeats. They multiply the colour of the surface, true to size.

import { cellAt, clouds, hash, noise } from './noise'

/** Largest tone: textures hold tone / GAIN, materials multiply their colour by GAIN. */
export const GAIN = 1.25

type Point = { tone: number; height: number } // height in m

interface Pattern {
  size: [number, number] // m, of the piece that repeats
  pixels: [number, number]
  at(u: number, v: number): Point
}

const smooth = (low: number, high: number, value: number) => {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)))
  return t * t * (3 - 2 * t)
}

/** Grain along u: rings cut lengthwise, and fibres. */
function grain(u: number, v: number, seed: number): number {
  const sway = noise(u, v, 2, 3, seed) + 0.4 * noise(u, v, 5, 7, seed + 1)
  const rings = 0.5 + 0.5 * Math.sin(2 * Math.PI * (3 * v + 2.2 * sway))
  const fibres = noise(u, v, 10, 160, seed + 2)
  const pores = noise(u, v, 24, 220, seed + 3)
  return 1.04 - 0.13 * rings * rings - 0.1 * fibres - 0.12 * smooth(0.72, 0.9, pores)
}

const BOARDS = 8
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  wood: {
    size: [1.1, 0.45],
    pixels: [512, 256],
    at: (u, v) => {
      const tone = grain(u, v, 11)
      return { tone, height: 0.0003 * (tone - 1) }
    },
  },
  planks: {
    size: [2.4, 0.12 * BOARDS],
    pixels: [1024, 512],
    at: (u, v) => {
      const row = Math.floor(v * BOARDS)
      const shift = hash(row, 5)
      const along = (u * 2 + shift) % 1
      const board = Math.floor(u * 2 + shift) % 2
      const across = (v * BOARDS) % 1
      const edge = Math.min(Math.min(across, 1 - across) * 0.12, Math.min(along, 1 - along) * 1.2)
      const gap = 1 - smooth(0.0006, 0.0024, edge)
      const own = 0.86 + 0.2 * hash(row, board, 3)
      const tone = own * grain(u, v, 20 + ((row * 7 + board * 3) % 5))
      return { tone: tone * (1 - 0.5 * gap), height: -0.0015 * gap + 0.0002 * (tone - 1) }
    },
  },
  tiles: {
    size: [0.6, 0.6],
    pixels: [256, 256],
    at: (u, v) => {
      const x = (u * 2) % 1
      const y = (v * 2) % 1
      const edge = Math.min(Math.min(x, 1 - x), Math.min(y, 1 - y)) * 0.3
      const joint = 1 - smooth(0.0012, 0.0036, edge)
      const own = 0.97 + 0.05 * hash(Math.floor(u * 2), Math.floor(v * 2), 8)
      const tone = own - 0.04 * clouds(u, v, 6, 3, 4)
      return { tone: tone * (1 - joint) + 1.2 * joint, height: -0.0014 * joint }
    },
  },
  cloth: {
    size: [0.05, 0.05],
    pixels: [128, 128],
    at: (u, v) => {
      const threads = 20
      const x = (u * threads) % 1
      const y = (v * threads) % 1
      const over = (Math.floor(u * threads) + Math.floor(v * threads)) % 2 === 0
      const round = Math.sin(Math.PI * (over ? x : y))
      const tone = 0.82 + 0.2 * round + 0.12 * (noise(u, v, 16, 16, 2) - 0.5)
      return { tone, height: 0.0006 * round }
    },
  },
  leather: {
    size: [0.14, 0.14],
    pixels: [256, 256],
    at: (u, v) => {
      const crease = 1 - smooth(0, 0.16, cellAt(u, v, 30, 6).edge)
      const tone = 1.02 - 0.16 * crease - 0.1 * (clouds(u, v, 4, 3, 9) - 0.5)
      return { tone, height: -0.00035 * crease }
    },
  },
  carpet: {
    size: [0.24, 0.24],
    pixels: [256, 256],
    at: (u, v) => {
      const pile = cellAt(u, v, 44, 12)
      const tuft = 1 - smooth(0, 0.8, pile.near)
      const tone = 0.7 + 0.3 * tuft + 0.12 * pile.tone + 0.12 * (clouds(u, v, 3, 3, 5) - 0.5)
      return { tone, height: 0.003 * tuft }
    },
  },
  brushed: {
    size: [0.5, 0.25],
    pixels: [256, 256],
    at: (u, v) => {
      const streak = 0.6 * noise(u, v, 3, 120, 7) + 0.4 * noise(u, v, 6, 250, 8)
      return { tone: 0.93 + 0.12 * streak, height: 0.00004 * streak }
    },
  },
  plaster: {
    size: [0.9, 0.9],
    pixels: [256, 256],
    at: (u, v) => {
      const bumps = clouds(u, v, 28, 3, 13)
      return { tone: 0.985 + 0.03 * clouds(u, v, 3, 3, 14), height: 0.0005 * bumps }
    },
  },
  concrete: {
    size: [1.6, 1.6],
    pixels: [512, 512],
    at: (u, v) => {
      const pore = smooth(0.78, 0.92, noise(u, v, 150, 150, 15))
      const tone = 0.94 + 0.1 * clouds(u, v, 4, 6, 16) - 0.14 * pore
      return { tone, height: -0.001 * pore + 0.0004 * clouds(u, v, 40, 2, 17) }
    },
  },
  marble: {
    size: [1.3, 1.3],
    pixels: [512, 512],
    at: (u, v) => {
      const sway = clouds(u, v, 3, 5, 18)
      const vein = 1 - Math.abs(Math.sin(2 * Math.PI * (u + v + 1.6 * sway)))
      const fine = 1 - Math.abs(Math.sin(2 * Math.PI * (2 * u - v + 2.3 * clouds(u, v, 4, 4, 22))))
      const tone = 1.05 - 0.4 * vein ** 7 - 0.14 * fine ** 9 - 0.1 * clouds(u, v, 2, 3, 30)
      return { tone, height: 0 }
    },
  },
  leaves: {
    size: [0.3, 0.3],
    pixels: [256, 256],
    at: (u, v) => {
      const leaf = cellAt(u + 0.02 * noise(u, v, 8, 8, 33), v, 9, 31)
      const rib = 1 - smooth(0, 0.1, leaf.edge)
      const tone = 0.55 + 0.6 * leaf.tone * (1 - leaf.near * 0.4) - 0.3 * rib
      return { tone, height: 0.012 * (1 - leaf.near) }
    },
  },
}

/** Pixels of a pattern, RGBA: its tone, and its normals as a normal map holds them. */
export interface Painted {
  tone: Uint8Array<ArrayBuffer>
  normal: Uint8Array<ArrayBuffer>
}

export function paint(pattern: Pattern): Painted {
  const [width, height] = pattern.pixels
  const tone = new Uint8Array(4 * width * height)
  const heights = new Float32Array(width * height)
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      const at = j * width + i
      const point = pattern.at((i + 0.5) / width, (j + 0.5) / height)
      const value = Math.round((255 * Math.min(GAIN, Math.max(0, point.tone))) / GAIN)
      tone.set([value, value, value, 255], 4 * at)
      heights[at] = point.height
    }
  return { tone, normal: slopes(heights, pattern) }
}

/** Normals of a field of heights, as a normal map holds them. */
function slopes(heights: Float32Array, pattern: Pattern): Uint8Array<ArrayBuffer> {
  const [width, height] = pattern.pixels
  const stepU = (2 * pattern.size[0]) / width
  const stepV = (2 * pattern.size[1]) / height
  const out = new Uint8Array(4 * width * height)
  const get = (i: number, j: number) =>
    heights[((j + height) % height) * width + ((i + width) % width)] ?? 0
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      const x = (get(i - 1, j) - get(i + 1, j)) / stepU
      const y = (get(i, j - 1) - get(i, j + 1)) / stepV
      const length = Math.hypot(x, y, 1)
      const byte = (value: number) => Math.round(127.5 * (1 + value / length))
      out.set([byte(x), byte(y), byte(1), 255], 4 * (j * width + i))
    }
  return out
}
