// Gamepads and joysticks, as the browser reports them.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { Attention } from './attention'
import type { Feed } from './feed'
import { onPulse } from './pulse'
import { feelRumble } from './rumble'

type PadName = 'gamepad' | 'joystick'

const NAMES: readonly PadName[] = ['gamepad', 'joystick']
const PERIOD_MS = 33 // between two messages while nothing changes
const MOVE_THRESHOLD = 0.25 // deflection of an axis that counts as a move
const PRESS_THRESHOLD = 0.5
const HAT_AXIS = 9 // where browsers put a hat that they do not know, as one number
const STICK_AXES = 4 // x, y, twist, throttle
const THROTTLE = 3 // of a joystick; it stays where it is put, so it never counts as a move
const GAMEPAD_NAMES = /gamepad|controller|xbox|dualshock|dualsense|f310|f710/i

interface Heard {
  axes: number[]
  buttons: number[]
}

export function setUpGamepads(
  app: App,
  feed: Feed,
  options: { attention: Attention; onMove: (device: PadName) => void },
): Close {
  const titles = new Map<PadName, string>()
  const wasMoved = new Map<PadName, boolean>()
  const said = new Map<PadName, { words: string; at: number }>()

  const greet = (name: PadName, pad: Gamepad | undefined) => {
    const title = pad && titleOf(pad)
    const before = titles.get(name)
    if (title === before) return
    if (title !== undefined) {
      titles.set(name, title)
      app.shell.toast(`${title} is connected.`)
    } else {
      titles.delete(name)
      app.shell.toast(`${before} is gone.`, 'problem')
    }
    feed.setPresent(name, title)
  }
  const hear = (name: PadName, pad: Gamepad, now: number) => {
    const heard = name === 'gamepad' ? fromStandard(pad) : fromJoystick(pad)
    const words = JSON.stringify(heard)
    const before = said.get(name)
    if (before?.words === words && now - before.at < PERIOD_MS) return
    said.set(name, { words, at: now })
    feed.send(name, { axes: heard.axes, buttons: heard.buttons })
    const isMoved = isMeant(heard, name)
    if (isMoved && !wasMoved.get(name)) options.onMove(name)
    wasMoved.set(name, isMoved)
  }
  const beat = (now: number) => {
    const pads = connectedPads()
    for (const name of NAMES) {
      const pad = pads.find((one) => kindOf(one) === name)
      greet(name, pad)
      if (pad && options.attention.isHere) hear(name, pad, now)
    }
  }
  return closeAll([
    onPulse(app, beat),
    feelRumble(app, connectedPads),
    () => {
      for (const name of NAMES) feed.setPresent(name, undefined)
    },
  ])
}

function connectedPads(): Gamepad[] {
  const pads = navigator.getGamepads?.() ?? []
  return [...pads].filter((pad): pad is Gamepad => pad?.connected === true)
}

/** A pad with the usual layout, or one that is called so, is a gamepad; all others are sticks. */
export function kindOf(pad: Gamepad): PadName {
  if (pad.mapping === 'standard') return 'gamepad'
  return GAMEPAD_NAMES.test(pad.id) && pad.axes.length >= 4 && pad.buttons.length >= 10
    ? 'gamepad'
    : 'joystick'
}

function titleOf(pad: Gamepad): string {
  return (
    pad.id
      .replace(/\s*\(.*\)\s*$/, '')
      .replace(/^[0-9a-f]{4}-[0-9a-f]{4}-/i, '')
      .trim() || 'Gamepad'
  )
}

function fromStandard(pad: Gamepad): Heard {
  return { axes: pad.axes.slice(0, 4), buttons: pad.buttons.map((button) => button.value) }
}

/** x, y, twist, throttle, and the hat as two axes: right and down are positive. */
export function fromJoystick(pad: Gamepad): Heard {
  const stick = Array.from({ length: STICK_AXES }, (_, index) => pad.axes[index] ?? 0)
  return {
    axes: [...stick, ...hatOf(pad.axes)],
    buttons: pad.buttons.map((button) => button.value),
  }
}

/** A hat comes as two axes, or as one that counts eighths of a turn from -1 (up) clockwise. */
function hatOf(axes: readonly number[]): [number, number] {
  const turn = axes[HAT_AXIS]
  if (turn === undefined) return [Math.round(axes[4] ?? 0), Math.round(axes[5] ?? 0)]
  const eighths = ((turn + 1) / 2) * 7
  const isSome = eighths > -0.2 && eighths < 7.2 && Math.abs(eighths - Math.round(eighths)) < 0.2
  if (!isSome) return [0, 0] // let go, or 0 as before the first use
  const angle = eighths * (Math.PI / 4)
  return [Math.round(Math.sin(angle)), Math.round(-Math.cos(angle))]
}

function isMeant(heard: Heard, name: PadName): boolean {
  const axes = name === 'joystick' ? heard.axes.filter((_, i) => i !== THROTTLE) : heard.axes
  return (
    axes.some((value) => Math.abs(value) > MOVE_THRESHOLD) ||
    heard.buttons.some((b) => b > PRESS_THRESHOLD)
  )
}
