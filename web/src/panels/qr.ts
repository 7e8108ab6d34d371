// QR codes of short texts (ISO/IEC 18004): bytes, error correction L, versions 1 to 10, mask 0.
// A fixed mask is allowed and read by every camera; choosing the prettiest would only cost lines.

const CAPACITY = [0, 17, 32, 53, 78, 106, 134, 154, 192, 230, 271] // bytes of each version at level L
const CHECK = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18] // bytes of error correction a block
const BLOCKS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4]
const TOTAL = [0, 26, 44, 70, 100, 134, 172, 196, 242, 292, 346] // bytes in all
const QUIET = 4 // modules of margin
const FORMAT = 0b111011111000100 // level L, mask 0, with its own error correction
const SPACE = 'http://www.w3.org/2000/svg'

type Grid = (boolean | undefined)[][]

/** A picture of the code; undefined when the text is too long. */
export function qrCode(text: string): SVGSVGElement | undefined {
  const grid = qrModules(text)
  if (grid === undefined) return undefined
  const size = grid.length + 2 * QUIET
  const picture = document.createElementNS(SPACE, 'svg')
  picture.setAttribute('viewBox', `0 0 ${size} ${size}`)
  picture.setAttribute('role', 'img')
  picture.setAttribute('shape-rendering', 'crispEdges')
  const dark = document.createElementNS(SPACE, 'path')
  const squares = grid.flatMap((line, y) =>
    line.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')),
  )
  dark.setAttribute('d', squares.join(''))
  picture.append(dark)
  return picture
}

/** The modules of the code, row by row; true is dark. */
export function qrModules(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = CAPACITY.findIndex((most, index) => index > 0 && bytes.length <= most)
  if (version < 0) return undefined
  const grid = frame(version)
  fill(grid, withCheck(data(bytes, version), version))
  return grid.map((line) => line.map((isDark) => isDark === true))
}

/** Mode, length, bytes and padding, as whole bytes. */
function data(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const put = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  put(0b0100, 4)
  put(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) put(byte, 8)
  const room = at(TOTAL, version) - at(BLOCKS, version) * at(CHECK, version)
  put(0, Math.min(4, 8 * room - bits.length))
  while (bits.length % 8) bits.push(0)
  const words: number[] = []
  for (let i = 0; i < bits.length; i += 8)
    words.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2))
  for (let i = 0; words.length < room; i++) words.push(i % 2 ? 0x11 : 0xec)
  return words
}

/** Blocks with their error correction, woven into each other. */
function withCheck(words: readonly number[], version: number): number[] {
  const count = at(BLOCKS, version)
  const short = Math.floor(words.length / count)
  const long = words.length % count // so many blocks at the end have one byte more
  const blocks: number[][] = []
  for (let i = 0, start = 0; i < count; i++) {
    const length = short + (i >= count - long ? 1 : 0)
    blocks.push(words.slice(start, start + length))
    start += length
  }
  const checks = blocks.map((block) => remainder(block, at(CHECK, version)))
  const woven: number[] = []
  for (let i = 0; i <= short; i++)
    for (const block of blocks) if (i < block.length) woven.push(at(block, i))
  for (let i = 0; i < at(CHECK, version); i++) for (const check of checks) woven.push(at(check, i))
  return woven
}

/** Reed-Solomon over GF(256) with x⁸ + x⁴ + x³ + x² + 1. */
function remainder(block: readonly number[], count: number): number[] {
  let generator = [1]
  for (let i = 0, root = 1; i < count; i++, root = times(root, 2)) {
    const next = [...generator, 0]
    generator.forEach((value, k) => {
      next[k + 1] = at(next, k + 1) ^ times(value, root)
    })
    generator = next
  }
  const rest = [...block, ...new Array<number>(count).fill(0)]
  for (let i = 0; i < block.length; i++) {
    const lead = at(rest, i)
    generator.forEach((value, k) => {
      rest[i + k] = at(rest, i + k) ^ times(value, lead)
    })
  }
  return rest.slice(block.length)
}

function times(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

/** All that is not data: finders, timing, alignment, format and version. */
function frame(version: number): Grid {
  const size = 17 + 4 * version
  const grid: Grid = Array.from({ length: size }, () =>
    new Array<boolean | undefined>(size).fill(undefined),
  )
  const put = (x: number, y: number, isDark: boolean) => {
    const line = grid[y]
    if (line && x >= 0 && x < size) line[x] = isDark
  }
  const finder = (cx: number, cy: number) => {
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        put(cx + dx, cy + dy, ring !== 2 && ring !== 4)
      }
  }
  for (let i = 0; i < size; i++) {
    put(6, i, i % 2 === 0)
    put(i, 6, i % 2 === 0)
  }
  const marks = alignment(version, size)
  for (const y of marks)
    for (const x of marks) {
      const isFinder = (x === 6 && (y === 6 || y === size - 7)) || (y === 6 && x === size - 7)
      if (isFinder) continue
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++)
          put(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  finder(3, 3)
  finder(size - 4, 3)
  finder(3, size - 4)
  putFormat(put, size)
  if (version >= 7) putVersion(put, version, size)
  return grid
}

function alignment(version: number, size: number): number[] {
  if (version === 1) return []
  return version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7]
}

type Put = (x: number, y: number, isDark: boolean) => void

function putFormat(put: Put, size: number): void {
  const bit = (i: number) => ((FORMAT >> i) & 1) === 1
  for (let i = 0; i < 6; i++) put(8, i, bit(i))
  put(8, 7, bit(6))
  put(8, 8, bit(7))
  put(7, 8, bit(8))
  for (let i = 9; i < 15; i++) put(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) put(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) put(8, size - 15 + i, bit(i))
  put(8, size - 8, true)
}

function putVersion(put: Put, version: number, size: number): void {
  let rest = version
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1
    const far = size - 11 + (i % 3)
    const near = Math.floor(i / 3)
    put(far, near, isDark)
    put(near, far, isDark)
  }
}

/** Lay the bits in their zigzag, two columns at a time from the right, and mask them. */
function fill(grid: Grid, words: readonly number[]): void {
  const size = grid.length
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5 // the timing column
    for (let step = 0; step < size; step++) {
      const isUp = ((right + 1) & 2) === 0
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        const line = grid[y]
        if (!line || line[x] !== undefined) continue
        const word = words[bit >> 3] ?? 0
        line[x] = (((word >> (7 - (bit & 7))) & 1) === 1) !== ((x + y) % 2 === 0)
        bit++
      }
    }
  }
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0
}
