// Curves as they are drawn: their range of values, and their value at a time.

import type { Curve } from './contents'

/** The lowest and highest value of some curves, with a margin; undefined when nothing is known. */
export function valueRange(curves: readonly Curve[]): [number, number] | undefined {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const curve of curves) {
    for (const value of curve.low) if (value !== null && value < low) low = value
    for (const value of curve.high) if (value !== null && value > high) high = value
  }
  if (low > high) return undefined
  const span = high - low
  // A constant is drawn as a line in the middle, not as noise of the last digit.
  const margin = span > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0.08 * span : 0.5
  return [low - margin, high + margin]
}

/** The value at a time: interpolated, or the last one where values are held. */
export function valueAt(curve: Curve, time: number): number | undefined {
  const { times } = curve
  const last = times.length - 1
  if (last < 0 || time < (times[0] ?? 0) || time > (times[last] ?? 0)) return undefined
  const after = upperBound(times, time)
  const before = Math.max(after - 1, 0)
  const left = middle(curve, before)
  if (after > last || curve.is_held || left === undefined) return left
  const right = middle(curve, after)
  if (right === undefined) return left
  const gap = (times[after] ?? 0) - (times[before] ?? 0)
  return gap > 0 ? left + ((right - left) * (time - (times[before] ?? 0))) / gap : right
}

/** Values as people read them: three digits that count. */
export function formatValue(value: number | undefined, unit: string): string {
  if (value === undefined) return '–'
  const [shown, name] = unit === 'rad' ? [(value * 180) / Math.PI, '°'] : [value, unit]
  const size = Math.abs(shown)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  const text = shown.toFixed(digits)
  const plain = Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−')
  return `${plain}${name === '°' ? '' : name && ' '}${name}`
}

function middle(curve: Curve, index: number): number | undefined {
  const low = curve.low[index]
  const high = curve.high[index]
  return low == null || high == null ? undefined : (low + high) / 2
}

/** The first index whose time is later. */
function upperBound(times: readonly number[], time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const mid = (low + high) >> 1
    if ((times[mid] ?? 0) <= time) low = mid + 1
    else high = mid
  }
  return low
}
