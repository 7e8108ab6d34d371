import { expect, test } from 'vitest'
import type { Curve } from '../../src/replay/contents'
import { formatValue, valueAt, valueRange } from '../../src/replay/curves'

const curve = (times: number[], values: (number | null)[], more: Partial<Curve> = {}): Curve => ({
  unit: 'm',
  is_held: false,
  is_sampled: false,
  times,
  low: values,
  high: values,
  ...more,
})

test('values between samples are interpolated, or held', () => {
  const one = curve([0, 1, 2], [0, 10, 20])
  expect(valueAt(one, 0.25)).toBeCloseTo(2.5)
  expect(valueAt(one, 2)).toBe(20)
  expect(valueAt({ ...one, is_held: true }, 0.99)).toBe(0)
})

test('outside, and where nothing is known, there is no value', () => {
  const one = curve([0, 1, 2], [0, null, 20])
  expect(valueAt(one, -0.1)).toBeUndefined()
  expect(valueAt(one, 2.1)).toBeUndefined()
  expect(valueAt(one, 1)).toBeUndefined()
  expect(valueAt(curve([], []), 0)).toBeUndefined()
})

test('the range of values holds all curves, and a constant has one, too', () => {
  expect(valueRange([curve([0, 1], [0, 10]), curve([0], [-10])])).toEqual([-11.6, 11.6])
  expect(valueRange([curve([0, 1], [3, 3])])).toEqual([2.5, 3.5])
  expect(valueRange([curve([0], [null])])).toBeUndefined()
})

test('angles are read in degrees, other values in their unit', () => {
  expect(formatValue(Math.PI / 2, 'rad')).toBe('90.0°')
  expect(formatValue(-0.00004, 'm')).toBe('0.000 m')
  expect(formatValue(-1.234, 'm')).toBe('−1.23 m')
  expect(formatValue(3400.4, 'N')).toBe('3400 N')
  expect(formatValue(1, '')).toBe('1.00')
  expect(formatValue(undefined, 'N')).toBe('–')
})
