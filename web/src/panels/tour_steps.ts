// The steps of the tour: what to do, in the words of this room, and how one sees that it was done.

import { Vector3 } from 'three'
import type { App, Close } from '../app'
import { codeOf } from '../key_codes'
import { closeAll, isTyping, listen } from '../listeners'
import type { KeyHint } from '../net/protocol'

const MIN_TURN = 0.15 // rad by which the view is turned
const MIN_WAY = 0.05 // m that the hand is moved
const STOPS = /\bstops?\b/i
const MOVE_KEYS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'])

export interface TourStep {
  readonly name: 'control' | 'look' | 'move' | 'act' | 'stop'
  readonly words: string
  /** Call back once it was done. */
  watch(done: () => void): Close
}

/** Look, move the hand, let the room do something, stop; whoever watches takes control before. */
export function tourSteps(app: App): TourStep[] {
  const hasFingers = window.matchMedia('(pointer: coarse)').matches
  const steps = [
    lookStep(app, hasFingers),
    moveStep(app, hasFingers),
    actStep(app, hasFingers),
    stopStep(hasFingers),
  ]
  return app.control.isMine ? steps : [controlStep(app), ...steps]
}

function controlStep({ control }: App): TourStep {
  return {
    name: 'control',
    words: `You only watch so far. To drive, press “${control.holder ? 'Take' : 'Get'} control” at the top right.`,
    watch: (done) => control.onChange(() => control.isMine && done()),
  }
}

function lookStep(app: App, hasFingers: boolean): TourStep {
  return {
    name: 'look',
    words: hasFingers
      ? 'Look around: drag the picture with one finger.'
      : 'Look around: drag the picture with the mouse.',
    watch(done) {
      const { camera } = app.stage
      const first = camera.getWorldDirection(new Vector3())
      const now = new Vector3()
      return app.stage.onFrame(() => {
        if (camera.getWorldDirection(now).angleTo(first) > MIN_TURN) done()
      })
    },
  }
}

/** What a robot does by itself does not count. */
function moveStep(app: App, hasFingers: boolean): TourStep {
  return {
    name: 'move',
    words: hasFingers
      ? 'Move the hand: drag the pink ball, or push the stick.'
      : 'Move the hand: hold an arrow key, Page Up or Page Down, or drag the pink ball.',
    watch(done) {
      const { room, stage } = app
      if (stage.mode === 'orbit') stage.focus(room.active) // so that one sees it
      const hands = watchHands(app)
      let first: readonly number[] | undefined // where it was before hands were on it
      const update = () => {
        const tip = room.states.get(room.active)?.tip
        if (!tip) return
        if (!first || !hands.areOn()) first = [...tip]
        if (Math.hypot(...tip.map((x, k) => x - (first?.[k] ?? 0))) > MIN_WAY) done()
      }
      return closeAll([room.onStates(update), hands.close])
    },
  }
}

/** Whether somebody moves the hand: a device leads it, or a key or a button is down. */
function watchHands({ room }: App): { areOn(): boolean; close: Close } {
  const down = new Set<string>()
  const press = (name: string) => () => void down.add(name)
  const lift = (name: string) => () => void down.delete(name)
  return {
    areOn: () => down.size > 0 || Boolean(room.states.get(room.active)?.tracked_by),
    close: closeAll([
      listen(window, 'keydown', ({ code }) => MOVE_KEYS.has(code) && press(code)()),
      listen(window, 'keyup', ({ code }) => lift(code)(), { capture: true }),
      listen(window, 'pointerdown', press('pointer'), { capture: true }),
      listen(window, 'pointerup', lift('pointer'), { capture: true }),
      listen(window, 'pointercancel', lift('pointer'), { capture: true }),
    ]),
  }
}

/** Something that a rule of the room does by a key; without rules, a thing is chosen. */
function actStep(app: App, hasFingers: boolean): TourStep {
  const hint = actionFor(app.room.keys)
  if (!hint)
    return {
      name: 'act',
      words: `${hasFingers ? 'Tap' : 'Click'} a thing, to see what it is.`,
      watch: (done) => app.selection.onChange(() => app.selection.node && done()),
    }
  const { key, does } = hint
  return {
    name: 'act',
    words: hasFingers
      ? `Let it act: tap “${does}” below. The button with the hand shows and hides these.`
      : `Let it act: press ${key}, or click the hand below and then “${does}”.`,
    watch: (done) =>
      closeAll([
        listen(window, 'keydown', (event) => {
          if (event.code === codeOf(key) && app.control.isMine && !isTyping(event)) done()
        }),
        listen(window, 'pointerup', (event) => {
          const action = (event.target as Element).closest?.<HTMLElement>('.action')
          if (action?.dataset.key === key && app.control.isMine) done()
        }),
      ]),
  }
}

/** A posture, if there is one (they are on digits), or whatever comes first and is no stop. */
function actionFor(keys: readonly KeyHint[]): KeyHint | undefined {
  const useful = keys.filter((hint) => !STOPS.test(hint.does))
  return useful.find((hint) => /^\d$/.test(hint.key)) ?? useful[0]
}

function stopStep(hasFingers: boolean): TourStep {
  return {
    name: 'stop',
    words: hasFingers
      ? 'And stop it, whatever it does: tap the red Stop below.'
      : 'And stop it, whatever it does: press Esc, or the red Stop below.',
    watch: (done) =>
      closeAll([
        listen(window, 'keydown', (event) => event.code === 'Escape' && done()),
        listen(window, 'click', (event) => {
          if ((event.target as Element).closest?.('#stop-all')) done()
        }),
      ]),
  }
}
