// The joints of a robot as sliders. They follow the robot, but not against the hand that drags one:
// what is held shows the target, and a mark on the rail where the joint really is.

import type { App, Close } from '../app'
import type { JointInfo, RobotInfo, RobotState } from '../net/protocol'
import type { Commands } from './commands'
import { choice, clamp, el, holdButton, isSeen, numberField, row, setText, tidy } from './dom'
import { type JointScale, jointScale, tuple } from './units'

const NEAR_END = 0.06 // of the range: the zones at its ends
const WISH_TIMEOUT_MS = 700 // without motion, after which a target is given up
const STEPS = ['0.1', '1', '5', '10']
const MM_PER_DEGREE = 5 // a step of one degree is one of five millimetres

interface JointRow {
  readonly element: HTMLElement
  show(value: number, isAtStop: boolean, isMoving: boolean): void
}

export function jointSliders(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const rows = el('div', { class: 'p-joints', role: 'group', 'aria-label': 'Joints' })
  const step = choice({
    label: 'Step',
    choices: STEPS.map((value) => ({
      value,
      label: `${value}° · ${Number(value) * MM_PER_DEGREE} mm`,
    })),
    value: '1',
    id: 'step-size',
  })
  let shown: RobotInfo | undefined
  let made: JointRow[] = []

  const rebuild = () => {
    const robot = app.room.robots.get(app.room.active)
    if (robot === shown) return
    const isSame =
      JSON.stringify(robot?.joints) === JSON.stringify(shown?.joints) && robot?.name === shown?.name
    shown = robot
    if (isSame) return
    made = (robot?.joints ?? []).map((joint, i) =>
      jointRow(joint, i, { commands, robot: () => shown, step: () => Number(step.value) }),
    )
    rows.replaceChildren(...made.map((each) => each.element))
    update()
  }
  const update = () => {
    const state = app.room.states.get(app.room.active)
    if (state === undefined || !isSeen(rows)) return
    made.forEach((each, i) => {
      const value = state.q[i]
      if (value !== undefined) each.show(value, state.at_stop[i] ?? false, state.is_moving)
    })
  }
  rebuild()
  const closes = [app.room.onChange(rebuild), app.room.onStates(update)]
  return {
    element: el('div', {}, row(step.element), rows),
    close: () => {
      for (const close of closes) close()
    },
  }
}

interface RowTools {
  commands: Commands
  robot: () => RobotInfo | undefined
  step: () => number
}

function jointRow(joint: JointInfo, index: number, tools: RowTools): JointRow {
  const scale = jointScale(joint)
  const wish = makeWish()
  const slider = el('input', {
    type: 'range',
    class: 'p-joint-slider',
    min: scale.lower,
    max: scale.upper,
    step: 'any',
    'aria-label': `Joint ${joint.name}`,
    'data-id': `joint-${joint.name}`,
  })
  const go = (value: number) => {
    const goal = clamp(value, scale.lower, scale.upper)
    wish.ask(goal)
    tools.commands.flow(`joint ${joint.name}`, `joint ${joint.name}; ${scale.typed(goal)}`)
  }
  const typed = numberField({
    label: `${joint.name} in ${scale.unit === '°' ? 'degrees' : 'millimetres'}`,
    digits: scale.digits,
    step: 1,
    isBare: true,
    id: `value-${joint.name}`,
    onCommit: go,
    ...(scale.isEndless ? {} : { min: scale.lower, max: scale.upper }),
  })
  const nudge = (sign: number) => () => {
    const by = sign * tools.step() * (joint.unit === 'm' ? MM_PER_DEGREE / 1000 : 1)
    const n = tools.robot()?.joints.length ?? 0
    wish.drop()
    void tools.commands.run(
      `step ${tuple(
        Array.from({ length: n }, (_, i) => (i === index ? by : 0)),
        6,
      )}`,
    )
  }
  const actual = el('span', { class: 'p-joint-actual' })
  const track = el(
    'div',
    { class: 'p-joint-track' },
    el('span', { class: 'p-joint-rail' }),
    actual,
    slider,
  )
  if (!scale.isEndless) track.classList.add('limited')
  track.style.setProperty('--zone', `${100 * NEAR_END}%`)
  slider.addEventListener('pointerdown', () => wish.hold())
  for (const end of ['pointerup', 'pointercancel'])
    slider.addEventListener(end, () => wish.release())
  slider.addEventListener('input', () => go(slider.valueAsNumber))
  slider.addEventListener('keydown', (event) =>
    keyStep(event, slider, tools.step() * (joint.unit === 'm' ? MM_PER_DEGREE : 1), go),
  )
  const element = el(
    'div',
    { class: 'p-joint', 'data-joint': joint.name },
    el('span', { class: 'p-joint-name', title: joint.name }, joint.name),
    typed.element,
    el('span', { class: 'p-unit' }, scale.unit),
    holdButton('−', nudge(-1), {
      class: 'small',
      label: `${joint.name}: step back`,
      id: `minus-${joint.name}`,
    }),
    track,
    holdButton('+', nudge(1), {
      class: 'small',
      label: `${joint.name}: step forwards`,
      id: `plus-${joint.name}`,
    }),
    limits(scale),
  )
  return { element, show: shower({ element, slider, actual, typed, scale, wish }) }
}

/** Arrow keys go by the chosen step: `step=any` would make them a hundredth of the range. */
function keyStep(
  event: KeyboardEvent,
  slider: HTMLInputElement,
  step: number,
  go: (value: number) => void,
): void {
  const signs: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -10,
    PageUp: 10,
  }
  const sign = signs[event.key]
  if (sign === undefined) return
  event.preventDefault()
  slider.valueAsNumber = clamp(
    slider.valueAsNumber + sign * step,
    Number(slider.min),
    Number(slider.max),
  )
  go(slider.valueAsNumber)
}

function limits(scale: JointScale): HTMLElement {
  const ends = scale.isEndless ? ['no end', 'no end'] : [tidy(scale.lower, 0), tidy(scale.upper, 0)]
  return el(
    'div',
    { class: 'p-joint-limits', 'aria-hidden': 'true' },
    ...ends.map((end) => el('span', {}, end)),
  )
}

function shower(parts: {
  element: HTMLElement
  slider: HTMLInputElement
  actual: HTMLElement
  typed: { set(value: number): void }
  scale: JointScale
  wish: Wish
}): JointRow['show'] {
  const { scale, slider } = parts
  return (value, isAtStop, isMoving) => {
    const now = scale.shown(value)
    const share = (now - scale.lower) / (scale.upper - scale.lower)
    parts.actual.style.left = `${100 * clamp(share, 0, 1)}%`
    const target = parts.wish.target(now, isMoving)
    parts.element.classList.toggle('wishing', target !== undefined)
    if (target === undefined) slider.valueAsNumber = now
    parts.typed.set(target ?? now)
    parts.element.classList.toggle('at-stop', isAtStop && !scale.isEndless)
    slider.setAttribute(
      'aria-valuetext',
      `${tidy(now, 1)} ${scale.unit === '°' ? 'degrees' : 'millimetres'}`,
    )
  }
}

interface Wish {
  ask(target: number): void
  hold(): void
  release(): void
  drop(): void
  /** The target of the joint, while it is worth showing. */
  target(now: number, isMoving: boolean): number | undefined
}

function makeWish(): Wish {
  let target: number | undefined
  let isHeld = false
  let asked = 0
  return {
    ask(value) {
      target = value
      asked = performance.now()
    },
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      asked = performance.now()
    },
    drop() {
      target = undefined
    },
    target(now, isMoving) {
      if (isHeld || target === undefined) return target
      if (isMoving) asked = Math.max(asked, performance.now() - WISH_TIMEOUT_MS / 2)
      if (Math.abs(now - target) < 0.05 || performance.now() - asked > WISH_TIMEOUT_MS)
        target = undefined
      return target
    },
  }
}

/** What moves the robot now, in words. */
function motionWords(state: RobotState | undefined): string {
  if (state === undefined) return ''
  if (state.tracked_by) return `led by ${state.tracked_by}`
  if (!state.is_moving) return 'at rest'
  return state.drive ? `moving: ${state.drive}` : 'moving'
}

export function showMotion(app: App, element: HTMLElement): Close {
  return app.room.onStates(() => {
    const state = app.room.states.get(app.room.active)
    setText(element, motionWords(state))
    element.classList.toggle('active', state?.is_moving ?? false)
  })
}
