// Times and pixels: which part of a recording is seen, and where in the picture of it.

export interface Range {
  readonly start: number // s
  readonly end: number
}

const STEPS_S = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
]

export const lengthOf = ({ start, end }: Range): number => end - start

/** The x coordinate of a time, in pixels of a picture so wide. */
export function xOf(time: number, range: Range, width: number): number {
  return lengthOf(range) > 0 ? ((time - range.start) / lengthOf(range)) * width : 0
}

export function timeAt(x: number, range: Range, width: number): number {
  return width > 0 ? range.start + (x / width) * lengthOf(range) : range.start
}

/** A range around a time, `factor` times as long; inside the whole, and no shorter than `least`. */
export function zoomed(
  range: Range,
  options: { factor: number; about: number; whole: Range; least: number },
): Range {
  const { factor, about, whole, least } = options
  const length = Math.min(Math.max(lengthOf(range) * factor, least), lengthOf(whole))
  const share = lengthOf(range) > 0 ? (about - range.start) / lengthOf(range) : 0.5
  return inside({ start: about - share * length, end: about + (1 - share) * length }, whole)
}

/** The range moved, without a change of its length, so that it lies in the whole. */
export function inside(range: Range, whole: Range): Range {
  const length = Math.min(lengthOf(range), lengthOf(whole))
  const start = Math.min(Math.max(range.start, whole.start), whole.end - length)
  return { start, end: start + length }
}

/** The range moved as little as needed so that a time is seen in it. */
export function following(range: Range, time: number, whole: Range): Range {
  if (time >= range.start && time <= range.end) return range
  const start = time < range.start ? time : time - 0.1 * lengthOf(range)
  return inside({ start, end: start + lengthOf(range) }, whole)
}

/** Round times for the axis, some `spacing` pixels apart. */
export function ticksOf(range: Range, width: number, spacing = 90): number[] {
  const wanted = (lengthOf(range) * spacing) / Math.max(width, 1)
  const step = STEPS_S.find((each) => each >= wanted) ?? Math.ceil(wanted / 3600) * 3600
  const first = Math.ceil(range.start / step - 1e-9)
  const count = Math.max(0, Math.floor(range.end / step + 1e-9) - first + 1)
  return Array.from({ length: Math.min(count, 1000) }, (_, k) => (first + k) * step)
}

/** Such as 1:02:03, 2:03 or 0:03.25, with so many digits after the point. */
export function formatTime(seconds: number, digits = 0): string {
  const scale = 10 ** digits
  const whole = Math.round(Math.abs(seconds) * scale)
  const rest = whole % (60 * scale)
  const minutes = Math.floor(whole / (60 * scale))
  const tail = (rest / scale).toFixed(digits).padStart(digits ? digits + 3 : 2, '0')
  const hours = Math.floor(minutes / 60)
  const head = hours ? `${hours}:${String(minutes % 60).padStart(2, '0')}` : String(minutes)
  return `${seconds < 0 && whole ? '−' : ''}${head}:${tail}`
}

/** Digits after the point that tell ticks of the axis apart. */
export function digitsFor(ticks: readonly number[]): number {
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0)
  return step >= 0.999 ? 0 : step >= 0.0999 ? 1 : 2
}

/** The mark before or after a time; undefined at the ends. */
export function markBeside<M extends { time: number }>(
  marks: readonly M[],
  time: number,
  direction: 1 | -1,
): M | undefined {
  const gap = 1e-3 // s; the mark that is shown does not count
  if (direction > 0) return marks.find((mark) => mark.time > time + gap)
  return marks.filter((mark) => mark.time < time - gap).at(-1)
}

/** The mark nearest to a time, if it is within a distance, s. */
export function markNear<M extends { time: number }>(
  marks: readonly M[],
  time: number,
  distance: number,
): M | undefined {
  let best: M | undefined
  for (const mark of marks)
    if (Math.abs(mark.time - time) <= distance)
      if (!best || Math.abs(mark.time - time) < Math.abs(best.time - time)) best = mark
  return best
}
