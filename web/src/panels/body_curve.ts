// The compression of the low back over the last half minute, with its limits.

import { el } from './dom'

const SPAN_S = 30
const WIDTH = 592 // pixels of the picture, twice those on the page
const HEIGHT = 208
const LEFT = 8
const BOTTOM_PADDING = 14 // pixels under the curve

type Point = readonly [time: number, force: number | undefined]

interface LoadCurve {
  readonly element: HTMLElement
  add(name: string, time: number, force: number | undefined): void
  /** Draw the curve of a person up to a time; without new values it stays. */
  draw(name: string, now: number, limits: readonly [number, number]): void
}

export function makeLoadCurve(): LoadCurve {
  const canvas = el('canvas', {
    class: 'b-curve',
    width: WIDTH,
    height: HEIGHT,
    role: 'img',
    'aria-label': 'Compression over the last 30 seconds',
    'data-id': 'load-curve',
  })
  const courses = new Map<string, Point[]>()
  return {
    element: canvas,
    add(name, time, force) {
      let course = courses.get(name) ?? []
      if (time < (course.at(-1)?.[0] ?? time)) course = [] // another run of the room
      course.push([time, force])
      const first = course.findIndex((point) => point[0] >= time - SPAN_S)
      if (first > 1) course.splice(0, first - 1) // one before, where the curve comes from
      courses.set(name, course)
    },
    draw(name, now, limits) {
      const course = courses.get(name) ?? []
      const last = course.at(-1)
      const end = Math.max(now, last?.[0] ?? now)
      draw(canvas, last ? [...course, [end, last[1]]] : [], end, limits)
    },
  }
}

function draw(
  canvas: HTMLCanvasElement,
  course: readonly Point[],
  end: number,
  [action, maximum]: readonly [number, number],
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const highest = Math.max(1.15 * maximum, ...course.map(([, force]) => force ?? 0))
  const x = (time: number) => LEFT + (WIDTH - 2 * LEFT) * (1 - (end - time) / SPAN_S)
  const y = (force: number) =>
    HEIGHT - BOTTOM_PADDING - ((HEIGHT - BOTTOM_PADDING - 12) * force) / highest
  context.clearRect(0, 0, WIDTH, HEIGHT)

  context.font = `22px ${colour('--font') || 'sans-serif'}`
  context.lineWidth = 2
  context.setLineDash([10, 8])
  for (const [limit, name] of [
    [action, '--warn'],
    [maximum, '--bad'],
  ] as const) {
    context.strokeStyle = colour(name)
    context.beginPath()
    context.moveTo(LEFT, y(limit))
    context.lineTo(WIDTH - LEFT, y(limit))
    context.stroke()
    context.fillStyle = colour('--text-soft')
    context.fillText(`${limit} N`, LEFT + 4, y(limit) - 7)
  }
  context.setLineDash([])

  const strokes = unbroken(course)
  context.lineJoin = 'round'
  context.lineWidth = 4
  for (const stroke of strokes) {
    context.beginPath()
    for (const [time, force] of stroke) context.lineTo(x(time), y(force))
    context.strokeStyle = colour('--accent')
    context.stroke()
    const first = stroke[0]
    const last = stroke.at(-1)
    if (!first || !last) continue
    context.lineTo(x(last[0]), y(0))
    context.lineTo(x(first[0]), y(0))
    context.closePath()
    context.fillStyle = colour('--accent-soft')
    context.fill()
  }
}

/** The parts of a curve in which it is known. */
function unbroken(course: readonly Point[]): [number, number][][] {
  const strokes: [number, number][][] = [[]]
  for (const [time, force] of course)
    if (force === undefined) strokes.push([])
    else strokes.at(-1)?.push([time, force])
  return strokes.filter((stroke) => stroke.length > 1)
}
