// Textures of patterns. They are plain at first, and get their pixels when these are painted.

import {
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  RepeatWrapping,
} from 'three'
import { makeListeners } from '../listeners'
import type { PaintedPattern } from './pattern_painter'
import { GAIN, PATTERNS, paint } from './pattern_rules'

export { GAIN } from './pattern_rules'

const PLAIN = Math.round(255 / GAIN) // tone 1
const UPRIGHT = [128, 128, 255, 255]

/** What a material needs of a pattern. */
interface PatternMaps {
  tone: DataTexture
  normal: DataTexture
}

const made = new Map<string, PatternMaps>() // shared by all: they never change
const waiting = new Set<string>()
const painted = makeListeners()
let painter: Worker | undefined

/** Called whenever a pattern has been painted. */
export const onPainted = painted.on

/** How many patterns are being painted. */
export const patternsPending = (): number => waiting.size

/** The maps of a pattern; undefined for unknown names. */
export function patternMaps(name: string, anisotropy: number): PatternMaps | undefined {
  const pattern = PATTERNS[name]
  if (!pattern) return undefined
  const known = made.get(name)
  if (known) return known
  const blank = (pixel: number[]) => makeTexture(pixel, pattern.size, anisotropy)
  const maps = { tone: blank([PLAIN, PLAIN, PLAIN, 255]), normal: blank(UPRIGHT) }
  made.set(name, maps)
  waiting.add(name)
  askPainter(name)
  return maps
}

function askPainter(name: string): void {
  if (!painter) {
    painter = new Worker(new URL('./pattern_painter.ts', import.meta.url), { type: 'module' })
    painter.onmessage = ({ data }: MessageEvent<PaintedPattern>) => receive(data)
    painter.onerror = paintHere
  }
  painter.postMessage(name)
}

/** Paint in the page itself where workers are not available. */
function paintHere(): void {
  for (const name of [...waiting]) {
    const pattern = PATTERNS[name]
    if (pattern) receive({ name, ...paint(pattern) })
  }
}

function receive({ name, tone, normal }: PaintedPattern): void {
  const maps = made.get(name)
  const pattern = PATTERNS[name]
  if (!maps || !pattern || !waiting.delete(name)) return
  fill(maps.tone, tone, pattern.pixels)
  fill(maps.normal, normal, pattern.pixels)
  if (waiting.size === 0) {
    painter?.terminate()
    painter = undefined
  }
  painted.tell()
}

function fill(texture: DataTexture, data: Uint8Array<ArrayBuffer>, pixels: [number, number]): void {
  texture.dispose() // what is on the graphics card has another size
  texture.image = { data, width: pixels[0], height: pixels[1] }
  texture.needsUpdate = true
}

function makeTexture(pixel: number[], size: [number, number], anisotropy: number): DataTexture {
  const texture = new DataTexture(new Uint8Array(pixel), 1, 1)
  texture.wrapS = texture.wrapT = RepeatWrapping
  texture.repeat.set(1 / size[0], 1 / size[1]) // texture coordinates are in m
  texture.colorSpace = LinearSRGBColorSpace
  texture.magFilter = LinearFilter
  texture.minFilter = LinearMipmapLinearFilter
  texture.generateMipmaps = true
  texture.anisotropy = anisotropy
  texture.needsUpdate = true
  return texture
}
