// Driving the end-effector by stick, SpaceMouse or keys. Once this is switched on, which arrow keys do
// by themselves, a push from rest takes hold; after every loss, another one is needed.

import type { App, Close } from '../app'
import { closeAll, makeListeners } from '../listeners'
import type { Feed } from './feed'

export type DriveMode = 'move' | 'turn' | 'both'

/** Which logical device of the room serves, and how it is bound. */
const BINDINGS: Record<DriveMode, { device: string; option: string }> = {
  move: { device: 'stick', option: 'upright' }, // the hand keeps its turn, as when it is dragged
  turn: { device: 'turner', option: '' },
  both: { device: 'mover', option: 'turn' },
}
const UPRIGHT_JOINTS = 6 // with fewer, an arm cannot keep its hand turned as it is
// Keys that the logical devices know, by their place on the keyboard.
const MOVE_KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown']
const TURN_KEYS = ['KeyQ', 'KeyE', 'KeyR', 'KeyF', 'KeyZ', 'KeyC']
const DELAY_MS = 60 // by then the room has received the push itself

export interface Drive {
  isOn: boolean
  mode: DriveMode
  /** Whether a robot follows now. */
  readonly isEngaged: boolean
  /** A device was pushed from rest. */
  push(): void
  pushKey(code: string): void
  onChange(handler: () => void): Close
  readonly close: Close
}

export function setUpDrive(app: App, feed: Feed): Drive {
  const changes = makeListeners()
  let isOn = false
  let isRefused = false // switched off by hand, so that no key switches it on
  let mode: DriveMode = 'move'
  let timer = 0

  const isEngaged = () =>
    [...app.room.states.values()].some((state) => state.tracked_by === BINDINGS[mode].device)
  const engage = async () => {
    if (!isOn || !feed.isOpen || isEngaged()) return
    const bound = await app.connection.command(bindingLine(app, mode))
    const answer = bound.ok ? await app.connection.command('track_toggle') : bound
    if (!answer.ok) app.shell.toast(answer.text, 'problem')
    changes.tell()
  }
  const push = () => {
    if (!isOn || isEngaged()) return
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void engage(), DELAY_MS)
  }
  const letGo = () => {
    window.clearTimeout(timer)
    if (isEngaged()) void app.connection.command('track_toggle off') // it stays bound: T steers again
  }
  return {
    get isOn() {
      return isOn
    },
    set isOn(value) {
      if (isOn === value) return
      if (!value) letGo()
      isOn = value
      isRefused = !value
      changes.tell()
    },
    get mode() {
      return mode
    },
    set mode(value) {
      if (mode === value) return
      letGo()
      mode = value
      changes.tell()
    },
    get isEngaged() {
      return isEngaged()
    },
    push,
    pushKey(code) {
      const keys = { move: MOVE_KEYS, turn: TURN_KEYS, both: [...MOVE_KEYS, ...TURN_KEYS] }[mode]
      const name = code.replace(/^(Arrow|Key)/, '')
      const isTaken = app.room.keys.some((hint) => hint.key === name) // by a rule of the room
      if (!keys.includes(code) || isTaken || isRefused) return
      isOn = true // these keys have no other use
      push()
    },
    onChange: changes.on,
    close: closeAll([app.room.onStates(changes.tell), () => window.clearTimeout(timer)]),
  }
}

/** The line that binds the device of a mode to the active robot. */
function bindingLine({ room }: App, mode: DriveMode): string {
  const { device, option } = BINDINGS[mode]
  const joints = room.robots.get(room.active)?.joints.length ?? UPRIGHT_JOINTS
  const isLeftOut = !option || (option === 'upright' && joints < UPRIGHT_JOINTS)
  return isLeftOut ? `track_init ${device}` : `track_init ${device}; ${option}`
}
