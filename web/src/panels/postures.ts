// Postures that are kept by name in the page, and paths that are kept in a file of the room.

import type { App, Close } from '../app'
import { recall, remember } from '../remembered'
import type { Commands } from './commands'
import { button, el, row } from './dom'
import { jointScale, plain } from './units'

interface Posture {
  name: string
  q: number[] // as the console reads it: degrees and metres
}

export function postureList(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const list = el('ul', { class: 'p-list', 'aria-label': 'Kept postures', 'data-id': 'postures' })
  const name = el('input', {
    type: 'text',
    placeholder: 'Name of the posture',
    'aria-label': 'Name of the posture',
    maxlength: 40,
    'data-id': 'posture-name',
  })
  let shown = ''

  const keep = () => {
    const robot = app.room.robots.get(app.room.active)
    const state = app.room.states.get(app.room.active)
    if (robot === undefined || state === undefined) return
    const q = robot.joints.map((joint, i) =>
      Number(jointScale(joint).typed(jointScale(joint).shown(state.q[i] ?? 0))),
    )
    const known = read(robot.name)
    const title = name.value.trim() || freeName(known)
    remember(key(robot.name), [...known.filter((each) => each.name !== title), { name: title, q }])
    name.value = ''
    show()
  }
  const go = (posture: Posture) =>
    void commands.run(`move (${posture.q.map((value) => plain(value, 6)).join(', ')})`)
  const forget = (posture: Posture) => {
    remember(
      key(app.room.active),
      read(app.room.active).filter((each) => each.name !== posture.name),
    )
    show()
  }
  const item = (posture: Posture) =>
    el(
      'li',
      {},
      el(
        'span',
        { class: 'p-grow', title: posture.q.map((value) => plain(value, 2)).join(', ') },
        posture.name,
      ),
      button('Go', () => go(posture), { class: 'small', label: `Go to ${posture.name}` }),
      button('✕', () => forget(posture), { class: 'small quiet', label: `Forget ${posture.name}` }),
    )
  const show = () => {
    const postures = read(app.room.active)
    shown = app.room.active
    list.replaceChildren(...postures.map(item))
    if (postures.length === 0)
      list.append(
        el('li', { class: 'p-empty' }, 'None yet. Bring the robot somewhere, then press Keep.'),
      )
  }
  name.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') keep()
  })
  show()
  const close = app.room.onChange(() => {
    if (shown !== app.room.active) show()
  })
  return {
    element: el(
      'div',
      {},
      row(name, button('Keep', keep, { class: 'primary', id: 'keep-posture' })),
      list,
    ),
    close,
  }
}

function freeName(known: readonly Posture[]): string {
  const names = new Set(known.map((posture) => posture.name))
  for (let number = 1; ; number++) if (!names.has(`Posture ${number}`)) return `Posture ${number}`
}

const key = (robot: string) => `postures.${robot}`

function read(robot: string): Posture[] {
  const found = recall<unknown>(key(robot))
  return Array.isArray(found) ? found.filter(isPosture) : [] // else it was not written by us
}

function isPosture(value: unknown): value is Posture {
  const posture = value as Posture
  return (
    typeof posture?.name === 'string' &&
    Array.isArray(posture.q) &&
    posture.q.every(Number.isFinite)
  )
}

/** Record and play: each Add adds the present posture to the file, Play goes through them. */
export function pathControls(app: App, commands: Commands): HTMLElement {
  const file = el('input', {
    type: 'text',
    value: 'path',
    'aria-label': 'File of the path',
    maxlength: 60,
    'data-id': 'path-file',
  })
  const count = el(
    'span',
    { class: 'p-hint', role: 'status', 'data-id': 'path-count' },
    'Add posture adds the present one to the file in the scene’s folder.',
  )
  let saved = 0
  let savedTo = ''
  const chosen = () => file.value.trim().replace(/[^\w.-]/g, '_') || 'path'
  const save = async () => {
    const name = chosen()
    if (!(await commands.run(`save ${name}`))) return
    saved = name === savedTo ? saved + 1 : 1
    savedTo = name
    count.textContent =
      saved === 1
        ? `A posture was added to “${name}”.`
        : `${saved} postures were added to “${name}”.`
  }
  const play = () =>
    void commands
      .run(`play ${chosen()}`)
      .then((ok) => ok && app.shell.toast(`Playing “${chosen()}”`))
  return el(
    'div',
    {},
    row(
      file,
      button('Add posture', () => void save(), {
        id: 'path-save',
        title: 'Add this posture to the file',
      }),
      button('Play', play, { id: 'path-play', title: 'Go through all postures of the file' }),
    ),
    count,
  )
}
