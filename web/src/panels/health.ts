// Load and latency of the room's loop, and the buttons that pause it.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { Health } from '../net/protocol'
import { button, choice, el, row, section, setText, tidy } from './dom'

const SPEEDS = ['0.1', '0.25', '0.5', '1', '2']

export function healthFigures(app: App): { element: HTMLElement; close: Close } {
  const figures = new Map<string, HTMLElement>()
  const list = el('dl', { class: 'p-health', 'data-id': 'health' })
  for (const [name, title] of FIGURES) {
    const value = el('dd')
    figures.set(name, value)
    list.append(el('div', { title }, el('dt', {}, name), value))
  }
  const put = (name: string, text: string, isBad = false) => {
    const value = figures.get(name)
    if (value === undefined) return
    setText(value, text)
    value.classList.toggle('bad', isBad)
  }
  const pace = paceControls(app)
  const summary = el('span', { class: 'p-note' })
  const onHealth = (health: Health) => {
    setText(summary, health.is_paused ? 'paused' : `${tidy(health.rate, 0)} Hz`)
    put('Rate', `${tidy(health.rate, 0)} Hz`)
    put('Load', `${tidy(100 * health.load, 0)} %`, health.load > 0.8)
    put('Late ticks', String(health.overruns), health.overruns > 0)
    put('Lost', `${tidy(health.lost, 2)} s`, health.lost > 0.05)
    put('Worst tick', `${tidy(1000 * health.worst, health.worst < 0.1 ? 1 : 0)} ms`)
    put('Pages', String(health.clients))
    put('Time', `${tidy(health.time, 1)} s`)
    put('Pictures', `${tidy(app.stage.stats.rate, 0)} /s`)
    put('Recording', health.recording || 'no')
    pace.show(health)
  }
  const closes = [
    app.connection.on('health', onHealth),
    app.connection.on('pong', (pong) => {
      const latency = performance.now() - 1000 * pong.sent
      put('Latency', `${tidy(latency, latency < 10 ? 1 : 0)} ms`, latency > 100)
    }),
  ]
  const element = section('Loop', { isOpen: true, id: 'loop' }, list, pace.element)
  element.querySelector('summary')?.append(summary)
  return { element, close: closeAll(closes) }
}

const FIGURES: readonly (readonly [string, string])[] = [
  ['Rate', 'Ticks the loop makes a second'],
  ['Load', 'Share of a core that the loop needs'],
  ['Late ticks', 'Ticks that took longer than they should'],
  ['Lost', 'How far the room is behind the clock on the wall'],
  ['Worst tick', 'The longest tick'],
  ['Latency', 'From this page to the room and back'],
  ['Pictures', 'That this page draws'],
  ['Pages', 'That see this room'],
  ['Time', 'In the room'],
  ['Recording', 'The file that is written'],
]

function paceControls(app: App): { element: HTMLElement; show(health: Health): void } {
  const send = (action: string, value = 1) => app.connection.send({ kind: 'pace', action, value })
  let isPaused = false
  const pause = button('Pause', () => send(isPaused ? 'resume' : 'pause'), { id: 'pause' })
  const step = button('One tick', () => send('step', 1), { id: 'one-tick' })
  const speed = choice({
    label: 'Speed',
    choices: SPEEDS.map((value) => ({ value, label: `× ${value}` })),
    value: '1',
    id: 'speed',
    onChange: (value) => send('speed', Number(value)),
  })
  const fields = el('fieldset', { class: 'p-plain' }, row(pause, step, speed.element))
  return {
    element: fields,
    show(health) {
      isPaused = health.is_paused
      fields.disabled = !app.control.isMine
      setText(pause, isPaused ? 'Go on' : 'Pause')
      step.disabled = !isPaused
      const value = String(health.speed)
      if (SPEEDS.includes(value)) speed.set(value)
    },
  }
}
