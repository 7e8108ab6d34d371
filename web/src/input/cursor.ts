// The device `cursor`: a place in the room that mouse, finger, gizmo or a far ray holds something
// by. It speaks all the time, so that the room knows it well before something is taken hold of.

import { Quaternion, Vector3 } from 'three'
import type { App, Close } from '../app'
import type { Attention } from './attention'
import type { Feed } from './feed'
import { onPulse } from './pulse'

const PERIOD_MS = 33 // between two messages while nothing moves
// What moves faster was lost and found elsewhere, as far as the room is concerned; so we follow
// the mouse in steps that a hand could make.
const MAX_STEP = 0.12 // m
const MAX_TURN = 0.4 // rad
const TOLERANCE = 1e-5

export interface Cursor {
  readonly at: Vector3 // in the room, as it was sent
  readonly turn: Quaternion
  readonly isHolding: boolean
  /** Go there, and take hold by a line such as `drag arm/link5; cursor`; `onLost` when refused. */
  hold(line: string, at: Vector3, options?: { turn?: Quaternion; onLost?: () => void }): void
  moveTo(at: Vector3, turn?: Quaternion): void
  letGo(): void
}

interface Held {
  line: string
  onLost?: (() => void) | undefined
  beats: number // since it was asked for
  isTaken: boolean // the room said so
}

export function makeCursor(app: App, feed: Feed, attention: Attention): Cursor & { close: Close } {
  const at = new Vector3()
  const turn = new Quaternion()
  const aim = new Vector3()
  const aimTurn = new Quaternion()
  let held: Held | undefined
  let said = 0

  const tell = () => {
    said = performance.now()
    feed.send('cursor', {
      position: at.toArray(),
      quaternion: [turn.w, turn.x, turn.y, turn.z],
      buttons: held ? ['left'] : [],
    })
  }
  const take = async (one: Held) => {
    const answer = await app.connection.command(one.line)
    one.isTaken = answer.ok
    if (answer.ok || held !== one) return
    held = undefined
    app.shell.toast(answer.text || 'This cannot be held.', 'problem')
    one.onLost?.()
  }
  const lose = () => {
    const one = held
    held = undefined
    one?.onLost?.()
  }
  const beat = (now: number) => {
    if (!feed.isOpen || !attention.isHere) return lose() // the room lets go by itself
    const isMoving = at.distanceTo(aim) > TOLERANCE || turn.angleTo(aimTurn) > TOLERANCE
    if (!isMoving && !held && now - said < PERIOD_MS) return
    if (!held || held.isTaken) {
      approach(at, aim) // not before: what we hold is where we are when the room takes it
      turn.rotateTowards(aimTurn, MAX_TURN)
    }
    tell()
    if (held && ++held.beats === 2) void take(held) // by now the room knows where we are
  }
  feed.setPresent('cursor', 'Mouse')
  const closePulse = onPulse(app, beat)
  return {
    at,
    turn,
    get isHolding() {
      return held !== undefined
    },
    hold(line, where, { turn: how, onLost } = {}) {
      at.copy(where)
      aim.copy(where)
      turn.copy(how ?? new Quaternion())
      aimTurn.copy(turn)
      held = undefined
      tell()
      held = { line, onLost, beats: 0, isTaken: false }
    },
    moveTo(where, how) {
      aim.copy(where)
      if (how) aimTurn.copy(how)
    },
    letGo() {
      if (!held) return
      const wasTaken = held.beats >= 2
      held = undefined
      aim.copy(at)
      aimTurn.copy(turn)
      if (wasTaken && feed.isOpen) void app.connection.command('let_go cursor')
    },
    close() {
      closePulse()
      feed.setPresent('cursor', undefined)
    },
  }
}

function approach(at: Vector3, aim: Vector3): void {
  const way = at.distanceTo(aim)
  at.lerp(aim, way > MAX_STEP ? MAX_STEP / way : 1)
}
