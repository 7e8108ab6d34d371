// The line of time: scrubbed by mouse, finger and keys, with a mark for all that happened.

import type { Close } from '../app'
import { closeAll } from '../listeners'
import { el } from '../panels/dom'
import type { Contents } from './contents'
import { beginSheet, drawAxis, drawNow } from './drawing'
import type { Playback } from './playback'
import { formatTime, lengthOf, markNear, timeAt } from './scale'
import { setUpScrubbing, type TimeView } from './view'

const REACH_PX = 6 // from a mark, within which it is meant

export interface Track {
  readonly element: HTMLElement
  draw(): void
  close: Close
}

export function makeTrack(contents: Contents, view: TimeView, playback: Playback): Track {
  const marks = contents.takes[0]?.marks ?? []
  const canvas = el('canvas', { class: 'replay-axis', 'aria-hidden': 'true' })
  const tip = el('div', { class: 'replay-tip', hidden: true })
  const element = el(
    'div',
    {
      class: 'replay-track',
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time of the recording',
      'aria-valuemin': view.whole.start,
      'aria-valuemax': view.whole.end,
    },
    canvas,
    tip,
  )
  const meant = (event: { clientX: number }) => {
    const box = element.getBoundingClientRect()
    const time = timeAt(event.clientX - box.left, view.range, box.width)
    const reach = (REACH_PX / Math.max(box.width, 1)) * lengthOf(view.range)
    return { time, mark: markNear(marks, time, reach), x: event.clientX - box.left }
  }
  const hover = (event: PointerEvent) => {
    const { time, mark, x } = meant(event)
    tip.hidden = false
    tip.textContent = mark
      ? `${formatTime(mark.time, 2)}  ${mark.text}`
      : formatTime(Math.min(Math.max(time, view.whole.start), view.whole.end), 2)
    const half = tip.offsetWidth / 2
    tip.style.left = `${Math.min(Math.max(x, half), element.clientWidth - half)}px`
  }
  const leave = () => {
    tip.hidden = true
  }
  // A click on a mark goes exactly there.
  const click = (event: MouseEvent) => {
    const { mark } = meant(event)
    if (mark) playback.seek(mark.time)
  }
  element.addEventListener('pointermove', hover)
  element.addEventListener('pointerleave', leave)
  element.addEventListener('click', click)
  return {
    element,
    draw() {
      element.setAttribute('aria-valuenow', playback.time.toFixed(2))
      element.setAttribute('aria-valuetext', formatTime(playback.time, 2))
      const sheet = beginSheet(canvas)
      if (!sheet) return
      drawAxis(sheet, view.range, marks)
      drawNow(sheet, view.range, playback.time)
    },
    close: closeAll([
      setUpScrubbing(element, view, playback.seek),
      () => element.removeEventListener('pointermove', hover),
      () => element.removeEventListener('pointerleave', leave),
      () => element.removeEventListener('click', click),
    ]),
  }
}
