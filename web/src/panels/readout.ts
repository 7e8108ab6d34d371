// The chosen robot in figures: where its hand is, how near joints are to their limits, and things to it.

import { Euler, Quaternion } from 'three'
import type { App } from '../app'
import type { JointInfo, RobotInfo, RobotState } from '../net/protocol'
import { el, setText, tidy } from './dom'

const DEGREE = Math.PI / 180
const NEAR_LIMIT = 0.05 // of the range of a joint

export interface Readout {
  readonly element: HTMLElement
  show(state: RobotState): void
}

export function makeReadout(app: App): Readout {
  const rows = new Map<string, HTMLElement>()
  const table = el('table', { class: 'p-readout', 'data-id': 'readout' })
  const figure = (name: string, id: string) => {
    const value = el('td', { class: 'p-figure', 'data-id': id })
    table.append(el('tr', {}, el('th', { scope: 'row' }, name), value))
    rows.set(id, value)
  }
  figure('Position', 'readout-position')
  figure('Orientation', 'readout-orientation')
  figure('Manipulability', 'readout-manipulability')
  figure('Nearest limit', 'readout-limit')
  figure('Nearest obstacle', 'readout-obstacle')
  const joints = el('table', { class: 'p-readout', 'data-id': 'readout-joints' })
  const write = (id: string, text: string) => setText(rows.get(id) as HTMLElement, text)
  return {
    element: el('div', {}, table, joints),
    show(state) {
      const robot = app.room.robots.get(state.name)
      write('readout-position', `${state.tip.map((v) => tidy(1000 * v, 1)).join('  ')} mm`)
      write('readout-orientation', orientationOf(app, robot))
      write(
        'readout-manipulability',
        state.manipulability === null ? '' : tidy(state.manipulability, 4),
      )
      write('readout-limit', nearestLimit(robot, state))
      write('readout-obstacle', nearestObstacle(state))
      showJoints(joints, robot?.joints ?? [], state)
    },
  }
}

/** Roll, pitch and yaw of the end-effector in the room. */
function orientationOf(app: App, robot: RobotInfo | undefined): string {
  const node = robot && app.room.node(robot.tip)
  if (!node) return ''
  const turn = new Quaternion().setFromRotationMatrix(node.object.matrix)
  const { x, y, z } = new Euler().setFromQuaternion(turn, 'ZYX') // as rpy_deg of scene files
  return `${[x, y, z].map((v) => tidy(v / DEGREE, 1)).join('  ')} °`
}

/** How far a joint is from the nearer of its limits; undefined without limits. */
export function roomOf(joint: JointInfo, value: number): number | undefined {
  const rooms = [
    ...(joint.lower === null ? [] : [value - joint.lower]),
    ...(joint.upper === null ? [] : [joint.upper - value]),
  ]
  return rooms.length ? Math.min(...rooms) : undefined
}

function nearestLimit(robot: RobotInfo | undefined, state: RobotState): string {
  let best = { name: '', share: Number.POSITIVE_INFINITY, text: 'none' }
  robot?.joints.forEach((joint, i) => {
    const left = roomOf(joint, state.q[i] ?? 0)
    if (left === undefined) return
    const range = joint.lower === null || joint.upper === null ? 1 : joint.upper - joint.lower
    const share = left / (range || 1)
    if (share < best.share)
      best = { name: joint.name, share, text: `${joint.name}: ${inUnit(joint, left)} left` }
  })
  return best.text
}

function nearestObstacle(state: RobotState): string {
  const near = [...state.obstacles].sort((a, b) => a.distance - b.distance)[0]
  return near ? `${near.node}: ${tidy(1000 * near.distance, 1)} mm` : 'none kept clear of'
}

function inUnit(joint: JointInfo, value: number): string {
  return joint.unit === 'm' ? `${tidy(1000 * value, 1)} mm` : `${tidy(value / DEGREE, 1)}°`
}

/** The limits of a joint, in degrees or mm, which its value names. */
function rangeOf(joint: JointInfo): string {
  const factor = joint.unit === 'm' ? 1000 : 1 / DEGREE
  const ends = [joint.lower, joint.upper].map((end) => (end === null ? '∞' : tidy(end * factor, 0)))
  return `${ends[0]} … ${ends[1]}`
}

function showJoints(
  table: HTMLTableElement,
  joints: readonly JointInfo[],
  state: RobotState,
): void {
  if (table.rows.length !== joints.length)
    table.replaceChildren(
      ...joints.map((joint) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, joint.name),
          el('td', { class: 'p-figure' }),
          el('td', { class: 'p-hint' }),
        ),
      ),
    )
  joints.forEach((joint, i) => {
    const row = table.rows[i]
    if (row === undefined) return
    const value = state.q[i] ?? 0
    setText(row.cells[0] as Element, joint.name)
    setText(row.cells[1] as Element, inUnit(joint, value))
    setText(row.cells[2] as Element, rangeOf(joint))
    const range = (joint.upper ?? 0) - (joint.lower ?? 0)
    const left = roomOf(joint, value)
    row.classList.toggle('near', left !== undefined && left < NEAR_LIMIT * range)
  })
}
