import { describe, expect, test } from 'vitest'
import { cover, makeWay } from '../../src/shell/boxes'

const box = (x: number, y: number) => ({ x, y, width: 100, height: 20 })

describe('labels', () => {
  test('cover each other when they overlap, or nearly touch above each other', () => {
    expect(cover(box(0, 0), box(50, 10))).toBe(true)
    expect(cover(box(0, 0), box(50, 23))).toBe(true)
    expect(cover(box(0, 0), box(50, 24))).toBe(false)
    expect(cover(box(0, 0), box(100, 0))).toBe(false)
  })

  test('stay where nothing is in the way', () => {
    expect(makeWay(box(0, 0), [box(200, 0)])).toEqual(box(0, 0))
  })

  test('move up past all that are in the way', () => {
    const taken = [box(0, 100), box(20, 80)]
    const moved = makeWay(box(10, 105), taken)
    expect(moved.x).toBe(10)
    expect(moved.y).toBe(80 - 20 - 4)
    expect(taken.some((other) => cover(moved, other))).toBe(false)
  })
})
