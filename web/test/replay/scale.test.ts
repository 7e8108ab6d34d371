import { describe, expect, test } from 'vitest'
import {
  digitsFor,
  following,
  formatTime,
  inside,
  lengthOf,
  markBeside,
  markNear,
  ticksOf,
  timeAt,
  xOf,
  zoomed,
} from '../../src/replay/scale'

const WHOLE = { start: 0, end: 100 }

describe('times and pixels', () => {
  test('are inverse to each other', () => {
    const range = { start: 10, end: 30 }
    expect(xOf(15, range, 400)).toBeCloseTo(100)
    expect(timeAt(xOf(23.4, range, 317), range, 317)).toBeCloseTo(23.4)
  })
  test('of an empty range stay finite', () => {
    expect(xOf(3, { start: 3, end: 3 }, 100)).toBe(0)
    expect(timeAt(50, { start: 3, end: 3 }, 0)).toBe(3)
  })
})

describe('zooming', () => {
  test('keeps the time under the mouse where it is', () => {
    const range = zoomed(WHOLE, { factor: 0.5, about: 20, whole: WHOLE, least: 0.1 })
    expect(lengthOf(range)).toBeCloseTo(50)
    expect(xOf(20, range, 1)).toBeCloseTo(xOf(20, WHOLE, 1))
  })
  test('never leaves the whole, and ends at the shortest', () => {
    const near = zoomed({ start: 90, end: 100 }, { factor: 5, about: 99, whole: WHOLE, least: 1 })
    expect(near.end).toBeLessThanOrEqual(100)
    expect(near.start).toBeGreaterThanOrEqual(0)
    const least = zoomed(WHOLE, { factor: 1e-9, about: 50, whole: WHOLE, least: 2 })
    expect(lengthOf(least)).toBeCloseTo(2)
  })
  test('a range is moved inside', () => {
    expect(inside({ start: -5, end: 5 }, WHOLE)).toEqual({ start: 0, end: 10 })
    expect(inside({ start: 95, end: 105 }, WHOLE)).toEqual({ start: 90, end: 100 })
  })
  test('the picture follows the time that is played', () => {
    const range = { start: 10, end: 20 }
    expect(following(range, 15, WHOLE)).toBe(range)
    expect(following(range, 21, WHOLE)).toEqual({ start: 20, end: 30 })
    expect(following(range, 3, WHOLE)).toEqual({ start: 3, end: 13 })
  })
})

describe('the axis', () => {
  test('has round times inside the range', () => {
    const ticks = ticksOf({ start: 3.2, end: 17 }, 900)
    expect(ticks).toEqual([4, 6, 8, 10, 12, 14, 16])
    expect(digitsFor(ticks)).toBe(0)
  })
  test('an hour gets few of them', () => {
    const ticks = ticksOf({ start: 0, end: 3600 }, 600)
    expect(ticks.length).toBeLessThan(9)
    expect(ticks.at(-1)).toBe(3600)
  })
  test('times read as on a clock', () => {
    expect(formatTime(3.254, 2)).toBe('0:03.25')
    expect(formatTime(59.999, 2)).toBe('1:00.00')
    expect(formatTime(3723)).toBe('1:02:03')
    expect(formatTime(-1.5, 1)).toBe('−0:01.5')
    expect(formatTime(-0.001, 1)).toBe('0:00.0')
  })
})

describe('marks', () => {
  const marks = [{ time: 1 }, { time: 2 }, { time: 5 }]
  test('the next and the last one are found', () => {
    expect(markBeside(marks, 2, 1)).toBe(marks[2])
    expect(markBeside(marks, 2, -1)).toBe(marks[0])
    expect(markBeside(marks, 5, 1)).toBeUndefined()
  })
  test('the nearest one within reach is found', () => {
    expect(markNear(marks, 1.6, 1)).toBe(marks[1])
    expect(markNear(marks, 3.5, 1)).toBeUndefined()
  })
})
