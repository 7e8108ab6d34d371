import { describe, expect, test } from 'vitest'
import { PLACE, readFrame } from '../../src/net/frames'

const HEADER_BYTES = 32

function makeFrame(rows: number[], options: { magic?: number; extra?: number } = {}): ArrayBuffer {
  const size = HEADER_BYTES + rows.length * 4 * (1 + PLACE) + (options.extra ?? 0)
  const buffer = new ArrayBuffer(size)
  const view = new DataView(buffer)
  view.setUint32(0, options.magic ?? 0x52425831, true)
  view.setUint32(4, 3, true)
  view.setUint32(8, 1200, true)
  view.setUint32(12, rows.length, true)
  view.setFloat64(16, 2.5, true)
  view.setFloat64(24, 99.25, true)
  rows.forEach((row, k) => {
    view.setUint32(HEADER_BYTES + 4 * k, row, true)
    const start = HEADER_BYTES + 4 * rows.length + 4 * PLACE * k
    for (let i = 0; i < PLACE; i++) view.setFloat32(start + 4 * i, 10 * row + i, true)
  })
  return buffer
}

describe('binary frames', () => {
  test('header, rows and places are read', () => {
    const frame = readFrame(makeFrame([4, 7]))
    expect(frame).toMatchObject({ structure: 3, tick: 1200, time: 2.5, sent: 99.25 })
    expect([...(frame?.rows ?? [])]).toEqual([4, 7])
    expect([...(frame?.places ?? [])].slice(0, PLACE)).toEqual([40, 41, 42, 43, 44, 45, 46, 47])
    expect(frame?.places[PLACE]).toBe(70)
  })

  test('a frame in which nothing moved is empty', () => {
    expect(readFrame(makeFrame([]))?.rows).toHaveLength(0)
  })

  test.each([
    ['too short', new ArrayBuffer(HEADER_BYTES - 1)],
    ['of another kind', makeFrame([1], { magic: 0x12345678 })],
    ['cut off', makeFrame([1, 2]).slice(0, -4)],
    ['too long', makeFrame([1], { extra: 4 })],
  ])('data that is %s is no frame', (_name, buffer) => {
    expect(readFrame(buffer)).toBeUndefined()
  })
})
