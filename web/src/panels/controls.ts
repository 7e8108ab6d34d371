// Sliders and buttons that a program added to the room, in a box over the picture.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { ControlInfo } from '../net/protocol'
import type { Commands } from './commands'
import './controls.css'
import { button, el, setText, tidy } from './dom'

const STEPS = 200 // of a slider without a step of its own

interface Shown {
  readonly element: HTMLElement
  show(control: ControlInfo): void
}

export function setUpControls(app: App, commands: Commands): Close {
  const box = el('div', { class: 'page-controls', role: 'group', 'aria-label': 'Controls' })
  box.hidden = true
  app.shell.overlay.append(box)
  let structure = ''
  const shown = new Map<string, Shown>()
  const show = () => {
    const { controls } = app.room
    const now = JSON.stringify(controls.map(({ value: _, ...rest }) => rest))
    if (now !== structure) {
      structure = now
      shown.clear()
      for (const each of controls) shown.set(each.name, make(each, commands))
      box.replaceChildren(...[...shown.values()].map((each) => each.element))
      box.hidden = controls.length === 0
    }
    for (const each of controls) shown.get(each.name)?.show(each)
  }
  show()
  return closeAll([app.room.onChange(show), () => box.remove()])
}

function make(control: ControlInfo, commands: Commands): Shown {
  if (control.control === 'slider') return makeSlider(control, commands)
  const { name } = control
  const pressed = () => void commands.run(`use ${name}`)
  return { element: button(name, pressed, { class: 'page-button' }), show: () => {} }
}

function makeSlider(control: ControlInfo, commands: Commands): Shown {
  const { name, lower, upper, step } = control
  const input = el('input', {
    type: 'range',
    min: lower,
    max: upper,
    step: step || (upper - lower) / STEPS,
    'aria-label': name,
  })
  const figure = el('output', { class: 'p-figure' })
  let isHeld = false
  const write = (value: number) => setText(figure, tidy(value, digitsOf(control)))
  input.addEventListener('input', () => {
    isHeld = true
    const value = Number.parseFloat(input.value)
    write(value)
    commands.flow(`use ${name}`, `use ${name}; ${value}`)
  })
  for (const end of ['change', 'blur']) {
    input.addEventListener(end, () => {
      isHeld = false
    })
  }
  return {
    element: el('label', { class: 'page-slider' }, el('span', {}, name), input, figure),
    show({ value }) {
      if (isHeld) return // what the hand says counts
      input.value = String(value)
      write(value)
    },
  }
}

/** Enough digits to tell two places of a slider apart. */
export function digitsOf({ lower, upper, step }: ControlInfo): number {
  const finest = step || (upper - lower) / STEPS
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(finest))))
}
