// The pictures of the timeline: axis with marks, and curves.

import type { Curve, Mark } from './contents'
import { digitsFor, formatTime, type Range, ticksOf, xOf } from './scale'

const FONT_PX = 11
const MARK_PX = 10 // height
const LABEL_WIDTH_PX = 40 // that a time of the axis takes

export interface Sheet {
  readonly context: CanvasRenderingContext2D
  readonly width: number // CSS pixels
  readonly height: number
  colour(name: string): string // of a CSS variable
}

/** The canvas at the size it has on the page, emptied; undefined while it is not seen. */
export function beginSheet(canvas: HTMLCanvasElement): Sheet | undefined {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (!context || !width || !height) return undefined
  const ratio = window.devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const style = getComputedStyle(canvas)
  context.font = `${FONT_PX}px ${style.getPropertyValue('--font') || 'sans-serif'}`
  return { context, width, height, colour: (name) => style.getPropertyValue(name).trim() }
}

const MARK_COLOURS = { event: '--text-soft', message: '--accent', problem: '--bad' } as const

export function drawAxis(sheet: Sheet, range: Range, marks: readonly Mark[]): void {
  const { context, width, height, colour } = sheet
  const ticks = ticksOf(range, width)
  const digits = digitsFor(ticks)
  context.fillStyle = colour('--text-soft')
  context.strokeStyle = colour('--line')
  context.beginPath()
  for (const time of ticks) {
    const x = Math.round(xOf(time, range, width)) + 0.5
    context.moveTo(x, 0)
    context.lineTo(x, height - FONT_PX - 4)
    const text = Math.min(Math.max(x - LABEL_WIDTH_PX / 2, 2), width - LABEL_WIDTH_PX)
    context.fillText(formatTime(time, digits), text, height - 3)
  }
  context.stroke()
  for (const mark of marks) {
    if (mark.time < range.start || mark.time > range.end) continue
    const x = Math.round(xOf(mark.time, range, width))
    context.fillStyle = colour(MARK_COLOURS[mark.kind])
    context.fillRect(x - 1, mark.kind === 'event' ? 6 : 2, 2, MARK_PX)
  }
}

export interface DrawnCurve {
  curve: Curve
  offset: number // s by which its own times are earlier
  colour: string // a CSS variable
}

/** Curves between a lowest and highest value. */
export function drawCurves(
  sheet: Sheet,
  range: Range,
  curves: readonly DrawnCurve[],
  [low, high]: readonly [number, number],
): void {
  const { context, width, height, colour } = sheet
  const y = (value: number) => height - 4 - ((value - low) / (high - low)) * (height - 8)
  context.strokeStyle = colour('--line')
  context.beginPath()
  for (const time of ticksOf(range, width)) {
    const x = Math.round(xOf(time, range, width)) + 0.5
    context.moveTo(x, 0)
    context.lineTo(x, height)
  }
  if (low < 0 && high > 0) {
    context.moveTo(0, Math.round(y(0)) + 0.5)
    context.lineTo(width, Math.round(y(0)) + 0.5)
  }
  context.stroke()
  context.lineJoin = 'round'
  for (const { curve, offset, colour: name } of curves) {
    context.strokeStyle = context.fillStyle = colour(name)
    const x = (index: number) => xOf((curve.times[index] ?? 0) + offset, range, width)
    fillBand(context, curve, x, y)
    strokeCurve(context, curve, x, y)
  }
}

/** Between the lowest and the highest value of each part: so no peak is lost. */
function fillBand(
  context: CanvasRenderingContext2D,
  curve: Curve,
  x: (index: number) => number,
  y: (value: number) => number,
): void {
  context.globalAlpha = 0.35
  curve.low.forEach((low, k) => {
    const high = curve.high[k]
    if (low === null || high == null || low === high) return
    const next = Math.max(x(k + 1 < curve.times.length ? k + 1 : k) - x(k), 1)
    context.fillRect(x(k), y(high), next, Math.max(y(low) - y(high), 1))
  })
  context.globalAlpha = 1
}

function strokeCurve(
  context: CanvasRenderingContext2D,
  curve: Curve,
  x: (index: number) => number,
  y: (value: number) => number,
): void {
  context.lineWidth = 1.5
  context.beginPath()
  let isDown = false
  let lastY = 0
  curve.low.forEach((low, k) => {
    const high = curve.high[k]
    if (low === null || high == null) {
      isDown = false
      return
    }
    const here = y((low + high) / 2)
    if (isDown && curve.is_held) context.lineTo(x(k), lastY)
    if (isDown) context.lineTo(x(k), here)
    else context.moveTo(x(k), here)
    isDown = true
    lastY = here
  })
  context.stroke()
  context.lineWidth = 1
}

/** The line at the time that is shown. */
export function drawNow(sheet: Sheet, range: Range, time: number): void {
  const { context, width, height, colour } = sheet
  if (time < range.start || time > range.end) return
  const x = Math.min(Math.max(xOf(time, range, width), 1), width - 1)
  context.fillStyle = colour('--text')
  context.fillRect(x - 0.75, 0, 1.5, height)
}
