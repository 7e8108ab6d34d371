// The teach panel: what the pendant of a robot does, by mouse, touch and keyboard.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { chainSettings, obstacleSettings } from './chain'
import { type Commands, gate } from './commands'
import { button, choice, el, isSeen, numberField, row, section } from './dom'
import { NARROW } from './first_panel'
import { jointSliders, showMotion } from './joints'
import { pathControls, postureList } from './postures'
import { tuple } from './units'

export function setUpTeach(app: App, commands: Commands): Close {
  const body = app.shell.panel({
    id: 'teach',
    title: 'Teach',
    icon: 'sliders',
    side: 'right',
    isOpen: !isNarrow(),
    key: 't',
  })
  const joints = jointSliders(app, commands)
  const place = placeControls(app, commands)
  const postures = postureList(app, commands)
  const chain = chainSettings(app, commands)
  const obstacles = obstacleSettings(app, commands)
  const head = robotHead(app, commands)
  const contents = gate(
    app,
    section('Joints', { id: 'joints' }, joints.element),
    section('End-effector', { id: 'place' }, place.element),
    section('Postures', { id: 'postures-section', isOpen: false }, postures.element),
    section('Path', { id: 'path', isOpen: false }, pathControls(app, commands)),
    section('How it moves', { id: 'chain', isOpen: false }, chain.element),
    section('Obstacles', { id: 'obstacles-section', isOpen: false }, obstacles.element),
  )
  body.append(head.element, contents.element)
  return closeAll([
    head.close,
    contents.close,
    joints.close,
    place.close,
    postures.close,
    chain.close,
    obstacles.close,
  ])
}

function isNarrow(): boolean {
  return window.innerWidth < NARROW
}

/** Which robot, what it does, and the button that stops it, which is never disabled or out of sight. */
function robotHead(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const robot = choice({
    label: 'Robot',
    choices: [],
    isBare: true,
    id: 'robot',
    onChange: (name) => void commands.run(`set_robot ${name}`),
  })
  const motion = el('span', { class: 'p-motion', role: 'status', 'data-id': 'motion' })
  const stop = () => {
    commands.drop()
    // Not by way of `run`: every page may stop the robot, in control or not.
    void app.connection
      .command('stop')
      .then((answer) => answer.ok || app.shell.toast(answer.text, 'problem'))
  }
  const home = button('Home', () => void commands.run('home'), {
    title: 'Go to the posture it started from',
    id: 'home',
  })
  const goBack = () => void commands.run('go_back')
  const back = button('Back', goBack, {
    title: 'Go back to where it stood before it moved (Alt+Z); again, farther back',
    id: 'go-back',
  })
  const show = () => {
    robot.offer([...app.room.robots.keys()].map((name) => ({ value: name, label: name })))
    robot.set(app.room.active)
    home.disabled = !app.control.isMine
    back.disabled = !app.control.isMine
    robot.select.disabled = !app.control.isMine
  }
  show()
  const closes = [
    app.room.onChange(show),
    app.control.onChange(show),
    showMotion(app, motion),
    app.shell.key('Alt+Z', 'robot: back to where it stood', goBack),
  ]
  return {
    element: el(
      'div',
      { class: 'p-head' },
      row(robot.element, back, home),
      button('Stop', stop, { class: 'stop', id: 'stop', title: 'Stop the robot at once' }),
      motion,
    ),
    close: closeAll(closes),
  }
}

/** Where the end-effector is, and where it shall go. */
function placeControls(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const fields = ['x', 'y', 'z'].map((axis) =>
    numberField({
      label: axis,
      unit: 'm',
      digits: 3,
      step: 0.01,
      min: -100,
      max: 100,
      id: `tip-${axis}`,
      onCommit: () => take(),
    }),
  )
  let isTyped = false // what was typed stays until it is gone to, or taken back
  const goal = () => fields.map((each) => each.value)
  const take = () => {
    isTyped = true
    buttons.hidden = false
  }
  const go = () => {
    void commands.run(`move_xyz ${tuple(goal())}`)
    letGo()
  }
  const letGo = () => {
    isTyped = false
    buttons.hidden = true
    update()
  }
  const update = () => {
    const tip = app.room.states.get(app.room.active)?.tip
    if (tip === undefined || isTyped || !isSeen(element)) return
    for (const [i, each] of fields.entries()) each.set(tip[i] ?? 0)
  }
  const buttons = row(
    button('Go there', go, { class: 'primary', id: 'go-place' }),
    button('Take back', letGo, { class: 'quiet' }),
  )
  buttons.hidden = true
  for (const each of fields) {
    each.input.addEventListener('input', take)
    each.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go()
    })
  }
  const element = el(
    'div',
    {},
    el('div', { class: 'p-place' }, ...fields.map((each) => each.element)),
    buttons,
  )
  return { element, close: app.room.onStates(update) }
}
