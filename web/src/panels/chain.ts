// How a robot is moved: which joints inverse kinematics may use, how, and what it keeps clear of.

import type { App, Close } from '../app'
import type { Commands } from './commands'
import { button, choice, el, isSeen, numberField, rail, row, tidy } from './dom'
import { plain } from './units'

const METHODS = [
  { value: 'dls', label: 'Damped least squares' },
  { value: 'strict', label: 'Strict priorities' },
  { value: 'nested', label: 'Nested control points' },
  { value: 'qp', label: 'Quadratic program' },
]
const MIN_EXPONENT = -4 // powers of ten of the damping factor
const MAX_EXPONENT = 1

export function chainSettings(
  app: App,
  commands: Commands,
): { element: HTMLElement; close: Close } {
  const first = choice({
    label: 'First joint',
    choices: [],
    id: 'first-joint',
    onChange: (value) => void commands.run(`set_first_joint ${value}`),
  })
  const last = choice({
    label: 'End-effector',
    choices: [],
    id: 'end-effector',
    onChange: (value) => void commands.run(`set_end_effector ${value}`),
  })
  const method = choice({
    label: 'Solver',
    choices: METHODS,
    id: 'method',
    onChange: (value) => void commands.run(`set_method ${value}`),
  })
  const damping = rail({
    label: 'Damping k',
    min: MIN_EXPONENT,
    max: MAX_EXPONENT,
    step: 0.05,
    value: -2,
    id: 'damping',
    write: (power) => plain(factor(power), 4),
    onInput: (power) => commands.flow('damping', `set_damping ${plain(factor(power), 5)}`),
  })
  const duration = numberField({
    label: 'A move takes',
    unit: 's',
    value: 1,
    min: 0.01,
    max: 600,
    step: 0.1,
    digits: 2,
    id: 'duration',
    onCommit: (seconds) =>
      void commands.run(`set_step ${Math.max(1, Math.round(seconds * rate(app)))}`),
  })
  const show = () => {
    const robot = app.room.robots.get(app.room.active)
    if (robot === undefined) return
    const joints = robot.joints.map((joint, i) => ({
      value: String(i + 1),
      label: `${i + 1} · ${joint.name}`,
    }))
    first.offer(joints.slice(0, robot.last))
    last.offer(
      joints
        .map((each, i) =>
          i + 1 === joints.length ? { ...each, label: `${each.label} (tip)` } : each,
        )
        .slice(robot.first - 1),
    )
    first.set(String(robot.first))
    last.set(String(robot.last))
    method.set(robot.method)
    damping.set(Math.log10(Math.max(robot.damping, 10 ** MIN_EXPONENT)))
    duration.set(robot.steps / rate(app))
  }
  show()
  const close = app.room.onChange(show)
  return {
    element: el(
      'div',
      { class: 'p-fields' },
      last.element,
      first.element,
      method.element,
      damping.element,
      duration.element,
    ),
    close,
  }
}

function factor(power: number): number {
  return power <= MIN_EXPONENT ? 0 : 10 ** power
}

function rate(app: App): number {
  return app.connection.welcome?.rate ?? 120
}

/** What the robot keeps clear of: choose a node and a distance; those it has, with how far they are. */
export function obstacleSettings(
  app: App,
  commands: Commands,
): { element: HTMLElement; close: Close } {
  const node = choice({ label: 'Keep clear of', choices: [], id: 'obstacle-node' })
  const distance = numberField({
    label: 'Distance',
    unit: 'mm',
    value: 50,
    min: 0,
    max: 10_000,
    step: 5,
    digits: 0,
    id: 'obstacle-distance',
  })
  const list = el('ul', { class: 'p-list', 'aria-label': 'Obstacles', 'data-id': 'obstacles' })
  const add = () => {
    if (node.value)
      void commands.run(`set_obstacle ${node.value}; ${plain(distance.value / 1000, 4)}`)
  }
  const clear = button('Forget all', () => void commands.run('clear_obstacles'), {
    class: 'quiet',
    id: 'clear-obstacles',
  })
  const offer = () => {
    const solid = app.room.nodes.filter(
      (each) => each.info.visuals.length > 0 && each.info.robot === '',
    )
    node.offer(solid.map((each) => ({ value: each.info.name, label: each.info.name })))
  }
  const choose = () => {
    const chosen = app.selection.node?.info
    if (chosen && chosen.robot === '') node.set(chosen.name)
  }
  let shown = ''
  const update = () => {
    const state = app.room.states.get(app.room.active)
    const text = JSON.stringify(
      (state?.obstacles ?? []).map((each) => [each.node, each.keep, tidy(each.distance, 3)]),
    )
    if (text === shown || !isSeen(list)) return
    shown = text
    clear.hidden = !state?.obstacles.length
    list.replaceChildren(
      ...(state?.obstacles ?? []).map((each) =>
        el(
          'li',
          { class: each.distance < each.keep + 0.01 ? 'near' : '' },
          el('span', { class: 'p-grow' }, each.node),
          el('span', { class: 'p-figure' }, `${tidy(1000 * each.distance, 0)} mm`),
          el('span', { class: 'p-hint' }, `keeps ${tidy(1000 * each.keep, 0)}`),
        ),
      ),
    )
  }
  offer()
  choose()
  const closes = [
    app.room.onChange(offer), // what was chosen here stays chosen
    app.selection.onChange(choose),
    app.room.onStates(update),
  ]
  return {
    element: el(
      'div',
      { class: 'p-fields' },
      node.element,
      row(distance.element, button('Add', add, { id: 'add-obstacle' })),
      list,
      clear,
    ),
    close: () => {
      for (const close of closes) close()
    },
  }
}
