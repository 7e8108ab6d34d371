// Postures that the room keeps by name, and paths that are kept in a file of the room.

import type { App, Close } from '../app'
import type { PostureInfo } from '../net/protocol'
import type { Commands } from './commands'
import { button, el, row } from './dom'
import { jointScale, tidyName } from './units'

export function postureList(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const list = el('ul', { class: 'p-list', 'aria-label': 'Kept postures', 'data-id': 'postures' })
  const name = el('input', {
    type: 'text',
    placeholder: 'Name of the posture',
    'aria-label': 'Name of the posture',
    maxlength: 40,
    'data-id': 'posture-name',
  })
  const postures = () => app.room.robots.get(app.room.active)?.postures ?? []
  const keep = async () => {
    const title = tidyName(name.value) || freeName(postures())
    if (await commands.run(`keep_posture ${title}`)) name.value = ''
  }
  const item = (posture: PostureInfo) =>
    el(
      'li',
      {},
      el('span', { class: 'p-grow', title: inWords(app, posture) }, posture.name),
      button('Go', () => void commands.run(`go_to ${posture.name}`), {
        class: 'small',
        label: `Go to ${posture.name}`,
      }),
      button('✕', () => void commands.run(`forget_posture ${posture.name}`), {
        class: 'small quiet',
        label: `Forget ${posture.name}`,
      }),
    )
  let shown = ''
  const show = () => {
    const now = JSON.stringify([app.room.active, postures()])
    if (now === shown) return
    shown = now
    list.replaceChildren(...postures().map(item))
    if (postures().length === 0)
      list.append(
        el('li', { class: 'p-empty' }, 'None yet. Bring the robot somewhere, then press Keep.'),
      )
  }
  name.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void keep()
  })
  show()
  return {
    element: el(
      'div',
      {},
      row(
        name,
        button('Keep', () => void keep(), { class: 'primary', id: 'keep-posture' }),
      ),
      list,
      el(
        'p',
        { class: 'p-hint' },
        'Every page sees them; saving the room writes them into its file.',
      ),
    ),
    close: app.room.onChange(show),
  }
}

function inWords(app: App, posture: PostureInfo): string {
  const joints = app.room.robots.get(app.room.active)?.joints ?? []
  return joints
    .map((joint, i) => {
      const scale = jointScale(joint)
      return `${joint.name} ${scale.shown(posture.q[i] ?? 0).toFixed(scale.digits)} ${scale.unit}`
    })
    .join(', ')
}

function freeName(known: readonly PostureInfo[]): string {
  const names = new Set(known.map((posture) => posture.name))
  for (let number = 1; ; number++) if (!names.has(`Posture ${number}`)) return `Posture ${number}`
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
