// Which part of the recording is seen, shared by the line of time and the curves below it.

import type { Close } from '../app'
import { closeAll, listen, makeListeners } from '../listeners'
import { following, inside, lengthOf, type Range, timeAt, zoomed } from './scale'

const LEAST_TICKS = 20 // of the shortest range that can be seen
const ZOOM_STEP = 1.25

export interface TimeView {
  readonly range: Range
  readonly whole: Range
  zoom(factor: number, about?: number): void
  move(seconds: number): void
  showAll(): void
  /** Let a time be seen. */
  follow(time: number): void
  onChange(handler: () => void): Close
}

export function makeTimeView(whole: Range, dt: number): TimeView {
  const changes = makeListeners()
  let range = whole
  const become = (next: Range) => {
    if (next.start === range.start && next.end === range.end) return
    range = next
    changes.tell()
  }
  return {
    get range() {
      return range
    },
    whole,
    zoom(factor, about = (range.start + range.end) / 2) {
      become(zoomed(range, { factor, about, whole, least: LEAST_TICKS * dt }))
    },
    move(seconds) {
      become(inside({ start: range.start + seconds, end: range.end + seconds }, whole))
    },
    showAll: () => become(whole),
    follow: (time) => become(following(range, time, whole)),
    onChange: changes.on,
  }
}

/** Scrub with mouse or finger, zoom by the wheel or two fingers, all by double click. */
export function setUpScrubbing(
  element: HTMLElement,
  view: TimeView,
  onScrub: (time: number) => void,
): Close {
  const down = new Map<number, number>() // x of pointers
  const timeOf = (clientX: number) => {
    const box = element.getBoundingClientRect()
    return timeAt(clientX - box.left, view.range, box.width)
  }
  const gap = () => {
    const [a = 0, b = 0] = [...down.values()]
    return Math.max(Math.abs(a - b), 8)
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    element.setPointerCapture(event.pointerId)
    down.set(event.pointerId, event.clientX)
    if (down.size === 1) onScrub(timeOf(event.clientX))
  }
  const drag = (event: PointerEvent) => {
    if (!down.has(event.pointerId)) return
    const before = gap()
    down.set(event.pointerId, event.clientX)
    if (down.size === 1) return onScrub(timeOf(event.clientX))
    const [a = 0, b = 0] = [...down.values()]
    view.zoom(before / gap(), timeOf((a + b) / 2))
  }
  const release = (event: PointerEvent) => {
    down.delete(event.pointerId)
  }
  const turn = (event: WheelEvent) => {
    event.preventDefault()
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    const way = Math.sign(event.shiftKey ? event.deltaY : event.deltaX || event.deltaY)
    if (isSideways) view.move(way * 0.1 * lengthOf(view.range))
    else view.zoom(event.deltaY > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, timeOf(event.clientX))
  }
  return closeAll([
    listen(element, 'pointerdown', press),
    listen(element, 'pointermove', drag),
    listen(element, 'pointerup', release),
    listen(element, 'pointercancel', release),
    listen(element, 'dblclick', () => view.showAll()),
    listen(element, 'wheel', turn, { passive: false }),
  ])
}
