// The bar of the timeline: play, speed, time, what just happened, and what can be saved.

import type { Close } from '../app'
import { el, setText } from '../panels/dom'
import { icon } from '../shell/icons'
import { makeButton } from '../shell/parts'
import type { Contents, Mark } from './contents'
import type { Playback } from './playback'
import { formatTime, markBeside } from './scale'

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10]

export interface BarActions {
  plot(): void
  picture(): void
  video(): void
  table(): void
  zoom(factor: number): void
}

export interface Bar {
  readonly element: HTMLElement
  update(state: { canSaveTable: boolean; isVideo: boolean }): void
  close: Close
}

export function makeBar(contents: Contents, playback: Playback, actions: BarActions): Bar {
  const [take] = contents.takes
  const marks = take?.marks ?? []
  const end = take?.end ?? 0
  const jump = (direction: 1 | -1) => {
    const mark = markBeside(marks, playback.time, direction)
    if (mark) playback.seek(mark.time)
  }
  const play = button('play', 'Play or pause (Space)', () => playback.toggle(), 'play')
  const speed = speedChoice(playback)
  const time = el('output', { class: 'replay-time', 'aria-label': 'Time' })
  const words = el('span', { class: 'replay-words' })
  const video = button('record', 'Save a video of the part shown', actions.video, 'video')
  const table = button('download', 'Save the curves as a table (CSV)', actions.table, 'table')
  const element = el(
    'div',
    { class: 'replay-bar', role: 'toolbar', 'aria-label': 'Recording' },
    button('previous', 'To the event before (PageUp)', () => jump(-1), 'before'),
    play,
    button('step', 'To the next event (PageDown)', () => jump(1), 'next'),
    speed,
    time,
    words,
    offsetField(contents, playback),
    button('minus', 'See more of the time', () => actions.zoom(1.6), 'zoom-out'),
    button('plus', 'See less of the time, larger', () => actions.zoom(1 / 1.6), 'zoom-in'),
    textButton('chart', 'Plot', 'Plot a joint, a distance, a load or a device', actions.plot),
    button('camera', 'Save a picture', actions.picture, 'picture'),
    video,
    table,
  )
  return {
    element,
    update({ canSaveTable, isVideo }) {
      play.replaceChildren(icon(playback.isPaused ? 'play' : 'pause'))
      play.setAttribute('aria-pressed', String(!playback.isPaused))
      setText(time, `${formatTime(playback.time, 2)} / ${formatTime(end, 1)}`)
      setText(words, wordsAt(marks, playback.time))
      if (document.activeElement !== speed) speed.value = String(playback.speed)
      table.disabled = !canSaveTable
      video.classList.toggle('is-recording', isVideo)
      video.title = isVideo ? 'Stop the video, and save it' : 'Save a video of the part shown'
    },
    close() {},
  }
}

/** The last message or event before a time. */
export function wordsAt(marks: readonly Mark[], time: number): string {
  const before = marks.filter((each) => each.time <= time + 1e-6)
  const shown = before.filter((each) => each.kind !== 'event').at(-1) ?? before.at(-1)
  return shown ? `${formatTime(shown.time, 1)} ${shown.text}` : ''
}

function button(name: string, title: string, onClick: () => void, id: string): HTMLButtonElement {
  const made = makeButton(name, title)
  made.dataset.id = `replay-${id}`
  made.addEventListener('click', onClick)
  return made
}

function textButton(name: string, text: string, title: string, onClick: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: 'replay-text', title }, icon(name, 18), text)
  made.dataset.id = 'replay-plot'
  made.addEventListener('click', onClick)
  return made
}

function speedChoice(playback: Playback): HTMLSelectElement {
  const select = el(
    'select',
    { 'aria-label': 'Speed', title: 'Speed', 'data-id': 'replay-speed' },
    ...SPEEDS.map((speed) => el('option', { value: speed }, `${speed}×`)),
  )
  select.value = '1'
  select.addEventListener('change', () => {
    playback.setSpeed(Number(select.value))
    select.blur() // so that Space plays again
  })
  return select
}

/** By how much the second take starts later. */
function offsetField(contents: Contents, playback: Playback): HTMLElement {
  const input = el('input', {
    type: 'number',
    step: 0.1,
    'aria-label': 'Seconds by which the second take starts later',
    'data-id': 'replay-offset',
  })
  input.value = String(contents.offset)
  input.addEventListener('change', () => {
    const offset = Number.parseFloat(input.value)
    if (Number.isFinite(offset)) playback.setOffset(offset)
  })
  const field = el('label', { class: 'replay-offset' }, '2nd +', input, 's')
  field.title = 'Seconds by which the second take starts later'
  field.hidden = contents.takes.length < 2
  return field
}
