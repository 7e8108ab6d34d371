// What is known of the chosen thing, and where it stands: to be read and to be changed.

import { Euler, Quaternion } from 'three'
import type { App, Close, RoomNode } from '../app'
import { closeAll } from '../listeners'
import type { Commands } from './commands'
import { button, el, isSeen, numberField, row, setText, toggle } from './dom'
import { thingControls } from './thing_edits'
import { plain } from './units'

const DEGREE = Math.PI / 180

const UPDATE_PERIOD_S = 0.2

export function inspector(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const name = el('strong', { 'data-id': 'chosen-name' })
  const about = el('span', { class: 'p-hint' })
  const run = (line: (node: string) => string) => {
    const node = app.selection.node
    if (node) void commands.run(line(node.info.name))
  }
  const place = placeFields((position, degrees) =>
    run((node) => placeLine(node, position, degrees)),
  )
  const wireframe = toggle({
    label: 'Wireframe',
    id: 'wireframe',
    onChange: (isOn) => run((node) => `wireframe ${node}; ${isOn ? 'on' : 'off'}`),
  })
  const shown = toggle({
    label: 'Shown',
    id: 'shown',
    onChange: (isOn) => run((node) => `${isOn ? 'show' : 'hide'} ${node}`),
  })
  const edits = thingControls(app, commands)
  const details = el(
    'div',
    { class: 'p-inspector' },
    row(name, about),
    place.element,
    row(shown.element, wireframe.element),
    edits.element,
    row(
      button('Bring into view', () => app.stage.focus(app.selection.node?.info.name), {
        id: 'focus',
      }),
      button('Choose nothing', () => app.selection.choose(''), { class: 'quiet' }),
    ),
  )
  const empty = el(
    'p',
    { class: 'p-hint' },
    'Click a thing in the room or in the list to see where it stands, and to move it.',
  )
  const show = () => {
    const node = app.selection.node
    details.hidden = node === undefined
    empty.hidden = node !== undefined
    if (node === undefined) return
    setText(name, node.info.name)
    const isLink = node.info.robot !== '' && !app.room.robots.has(node.info.name)
    setText(about, isLink ? `link of ${node.info.robot}: its joints place it` : onWhat(app, node))
    place.element.disabled = isLink
    wireframe.set(node.info.wireframe)
    shown.set(node.info.visible)
    edits.show(node)
    update()
  }
  const update = () => {
    const node = app.selection.node
    if (node !== undefined && isSeen(details)) place.set(node)
  }
  let updatedAt = 0 // s
  const now = (_dt: number, time: number) => {
    if (time - updatedAt < UPDATE_PERIOD_S) return
    updatedAt = time
    update()
  }
  show()
  return {
    element: el('div', {}, empty, details),
    close: closeAll([
      app.selection.onChange(show),
      app.room.onChange(show),
      app.stage.onFrame(now),
    ]),
  }
}

/** Six numbers: where a node is (m) and how it is turned (degrees). */
function placeFields(onCommit: (position: number[], degrees: number[]) => void) {
  const send = () => {
    const values = [...place, ...turn].map((each) => each.value)
    onCommit(values.slice(0, 3), values.slice(3))
  }
  const place = ['x', 'y', 'z'].map((axis) =>
    numberField({
      label: axis,
      unit: 'm',
      digits: 3,
      step: 0.05,
      min: -1000,
      max: 1000,
      id: `place-${axis}`,
      onCommit: send,
    }),
  )
  const turn = ['roll', 'pitch', 'yaw'].map((axis) =>
    numberField({
      label: axis,
      unit: '°',
      digits: 1,
      step: 5,
      min: -360,
      max: 360,
      id: `place-${axis}`,
      onCommit: send,
    }),
  )
  const element = el(
    'fieldset',
    { class: 'p-plain' },
    el('div', { class: 'p-place' }, ...place.map((each) => each.element)),
    el('div', { class: 'p-place' }, ...turn.map((each) => each.element)),
  )
  return {
    element,
    set({ object: { position, quaternion } }: RoomNode) {
      // Frames are flat: the object's position is that in the room.
      for (const [i, each] of place.entries()) each.set(position.getComponent(i))
      const { x, y, z } = new Euler().setFromQuaternion(quaternion, 'ZYX')
      for (const [i, angle] of [x, y, z].entries()) turn[i]?.set(angle / DEGREE)
    },
  }
}

function onWhat(app: App, node: RoomNode): string {
  const parent = app.room.nodes[node.info.parent]
  return parent && parent.info.parent >= 0 ? `on ${parent.info.name}` : ''
}

function placeLine(node: string, position: readonly number[], degrees: readonly number[]): string {
  const [roll = 0, pitch = 0, yaw = 0] = degrees.map((angle) => angle * DEGREE)
  const q = new Quaternion().setFromEuler(new Euler(roll, pitch, yaw, 'ZYX'))
  const list = (values: readonly number[]) =>
    `(${values.map((value) => plain(value, 6)).join(', ')})`
  return `place ${node}; ${list(position)}; ${list([q.w, q.x, q.y, q.z])}`
}
