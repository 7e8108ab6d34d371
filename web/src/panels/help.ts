// Help on the screen: the keys drawn where they are, and what hands can do with other devices.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { KeyHint } from '../net/protocol'
import { icon } from '../shell/icons'
import { button, el } from './dom'

const ROWS = [
  ['Escape', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12'],
  ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '-', '=', 'Backspace'],
  ['Tab', 'q', 'w', 'e', 'r', 't', 'y', 'u', 'i', 'o', 'p', '[', ']'],
  ['a', 's', 'd', 'f', 'g', 'h', 'j', 'k', 'l', ';', 'Enter'],
  ['Shift', 'z', 'x', 'c', 'v', 'b', 'n', 'm', ',', '.', '/', 'PageUp', 'Up', 'PageDown'],
  ['Control', 'Alt', 'Space', 'Home', 'End', 'Left', 'Down', 'Right'],
]
const STOP = 'Escape' // in every room
const CAPS: Record<string, string> = {
  Escape: 'Esc',
  Backspace: '⌫',
  Enter: '⏎',
  Control: 'Ctrl',
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Space: 'Space',
  Tab: '⇥',
}
const SAME: Record<string, string> = {
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  esc: 'escape',
  ' ': 'space',
  pgup: 'pageup',
  pgdown: 'pagedown',
  page_up: 'pageup',
  page_down: 'pagedown',
  return: 'enter',
  ctrl: 'control',
}

const DEVICES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'mouse',
    'Mouse',
    [
      'Drag the pink ball: the hand follows; wheel or Shift: nearer and farther',
      'Drag a link: the joints below it give way',
      'Drag empty space: turn the view; right button: move it; wheel: nearer',
      'Click: choose a thing; double-click: bring it into view',
    ],
  ],
  [
    'hand',
    'Touch',
    [
      'One finger on a link or the pink ball: drag it',
      'The stick at the foot moves the hand, or drives the chair; ▲ and ▼: up and down',
      'The hand at the foot: what this room can do, as buttons; Stop is beside it',
      'One finger elsewhere: turn the view; two: move it, pinch: nearer',
    ],
  ],
  [
    'gamepad',
    'Gamepad or joystick',
    [
      'Press a button once, so that the browser sees it',
      'Gamepad: left stick and its cross move the hand, right stick drives the chair',
      'Joystick: the stick and buttons 5 and 3 move the hand, the hat drives the chair',
    ],
  ],
  [
    'spacemouse',
    'SpaceMouse',
    [
      'Connect it with the button at the top right (Chrome or Edge)',
      'Push, pull and twist the cap: the end-effector goes the same way',
    ],
  ],
  [
    'headset',
    'Headset',
    [
      'Open this page in the headset’s browser, then Enter VR',
      'Squeeze or pinch at a link: grab and drag it; let go: it stays',
      'Thumbstick: teleport and turn',
    ],
  ],
]

/** `startTour` shows the first steps again. */
export function setUpHelp(app: App, startTour: () => void): Close {
  const dialog = el('dialog', {
    class: 'p-dialog p-help',
    'aria-labelledby': 'help-title',
    'data-id': 'help',
  })
  document.body.append(dialog)
  const close = () => dialog.close()
  const open = () => {
    if (dialog.open) return close()
    dialog.replaceChildren(
      el(
        'header',
        { class: 'p-dialog-head' },
        el('h2', { id: 'help-title' }, 'What you can do'),
        closeButton(close),
      ),
      el('div', { class: 'p-dialog-body' }, tourButton(close, startTour), ...contents(app)),
    )
    dialog.showModal()
  }
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close() // beside it
  })
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation() // nothing moves while one reads
    if (event.key === '?' || event.key === 'F1') {
      event.preventDefault()
      close()
    }
  })
  app.shell.tool({ id: 'help', title: 'Help', icon: 'help', key: 'F1', onClick: open })
  return closeAll([app.shell.key('?', 'show this help', open), () => dialog.remove()])
}

function tourButton(close: () => void, startTour: () => void): HTMLElement {
  const start = () => {
    close()
    startTour()
  }
  return button('Show me the first steps', start, { class: 'primary', id: 'start-tour' })
}

function closeButton(close: () => void): HTMLButtonElement {
  return button('', close, { class: 'quiet icon-only', label: 'Close', icon: icon('close', 18) })
}

function contents(app: App): Node[] {
  const hasFingers = window.matchMedia('(pointer: coarse)').matches
  const keys = aboutKeys(app)
  const devices = aboutDevices(hasFingers)
  return [
    ...(hasFingers ? [...devices, ...keys] : [...keys, ...devices]),
    el(
      'p',
      { class: 'p-hint' },
      'Whoever drives does so alone; others watch, and can take over. If the connection breaks or a device falls silent, the robot stops.',
    ),
  ]
}

/** What is said of devices; where there are fingers, they come first. */
function aboutDevices(hasFingers: boolean): Node[] {
  const isTouch = ([name]: readonly [string, ...unknown[]]) => name === 'hand'
  const devices = hasFingers
    ? [...DEVICES.filter(isTouch), ...DEVICES.filter((device) => !isTouch(device))]
    : DEVICES
  return [
    el('h3', {}, hasFingers ? 'By touch, and with other devices' : 'Other devices'),
    el(
      'div',
      { class: 'p-columns' },
      ...devices.map(([name, title, hints]) => deviceHints(name, title, hints)),
    ),
  ]
}

function aboutKeys(app: App): Node[] {
  const room = [...app.room.keys, ...app.room.deviceKeys]
  const taken = new Set(room.map((hint) => plainKey(hint.key)))
  const page = joined(app.shell.keys.filter(({ key }) => key === STOP || !taken.has(plainKey(key))))
  return [
    el(
      'p',
      {},
      'Press the marked keys to drive. ',
      el('span', { class: 'p-key-sample room' }),
      ' moves things in the room, ',
      el('span', { class: 'p-key-sample page' }),
      ' belongs to this page.',
    ),
    keyboard(room, page),
    el(
      'div',
      { class: 'p-columns' },
      keyList('Keys of the room', app.room.keys),
      keyList('Keys that drive', app.room.deviceKeys),
      keyList('Keys of the page', page),
    ),
  ]
}

/** Each key once, with all that it does; Stop comes first. */
function joined(hints: readonly KeyHint[]): KeyHint[] {
  const words = new Map<string, string>([[STOP, '']])
  for (const { key, does } of hints)
    words.set(key, [does, words.get(key)].filter(Boolean).join('; '))
  return [...words].filter(([, does]) => does).map(([key, does]) => ({ key, does }))
}

function keyboard(room: readonly KeyHint[], page: readonly KeyHint[]): HTMLElement {
  const ofRoom = new Map(room.map((hint) => [plainKey(hint.key), hint.does]))
  const ofPage = new Map(page.map((hint) => [plainKey(hint.key), hint.does]))
  const cap = (key: string) => {
    const does = ofRoom.get(plainKey(key)) ?? ofPage.get(plainKey(key))
    const kind = ofRoom.has(plainKey(key)) ? 'room' : does ? 'page' : ''
    return el(
      'span',
      {
        class: `p-key ${kind} key-${key.length > 1 ? key.toLowerCase() : 'plain'}`,
        title: does ? `${key}: ${does}` : undefined,
      },
      CAPS[key] ?? (key.length > 1 ? key : key.toUpperCase()),
    )
  }
  return el(
    'div',
    { class: 'p-keyboard', 'aria-hidden': 'true', 'data-id': 'keyboard' },
    ...ROWS.map((keys) => el('div', { class: 'p-key-row' }, ...keys.map(cap))),
  )
}

function plainKey(key: string): string {
  const name = key.toLowerCase()
  return SAME[name] ?? name
}

function keyList(title: string, hints: readonly KeyHint[]): HTMLElement {
  const entries = hints.flatMap((hint) => [
    el('dt', {}, el('kbd', {}, CAPS[hint.key] ?? hint.key)),
    el('dd', {}, hint.does),
  ])
  return el(
    'section',
    {},
    el('h3', {}, title),
    hints.length
      ? el('dl', { class: 'p-keys' }, ...entries)
      : el('p', { class: 'p-hint' }, 'None.'),
  )
}

function deviceHints(name: string, title: string, hints: readonly string[]): HTMLElement {
  return el(
    'section',
    { class: 'p-device' },
    el('h4', {}, icon(name), title),
    el('ul', {}, ...hints.map((hint) => el('li', {}, hint))),
  )
}
