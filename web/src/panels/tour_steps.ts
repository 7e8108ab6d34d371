// The steps of the tour: what to do, in the words of this room, and how one sees that it was done.

import { Vector3 } from 'three'
import type { App, Close } from '../app'
import { codeOf } from '../key_codes'
import { closeAll, listen } from '../listeners'
import type { KeyHint } from '../net/protocol'

const MIN_TURN = 0.15 // rad by which the view is turned
const MIN_WAY = 0.05 // m that the hand is moved
const STOPS = /\bstops?\b/i

export interface TourStep {
  readonly name: 'look' | 'move' | 'act' | 'stop'
  readonly words: string
  /** Call back once it was done. */
  watch(done: () => void): Close
}

/** Look, move the hand, let the room do something, stop. */
export function tourSteps(app: App): TourStep[] {
  const hasFingers = window.matchMedia('(pointer: coarse)').matches
  return [lookStep(app, hasFingers), moveStep(app, hasFingers), actStep(app), stopStep()]
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

function moveStep(app: App, hasFingers: boolean): TourStep {
  return {
    name: 'move',
    words: hasFingers
      ? 'Move the hand: drag the pink ball, or push the stick.'
      : 'Move the hand: hold an arrow key, Page Up or Page Down, or drag the pink ball.',
    watch(done) {
      const { room, stage } = app
      if (stage.mode === 'orbit') stage.focus(room.active) // so that one sees it
      const tipOf = () => room.states.get(room.active)?.tip
      let first = tipOf()
      return room.onStates(() => {
        const tip = tipOf()
        first ??= tip
        if (tip && Math.hypot(...tip.map((x, k) => x - (first?.[k] ?? 0))) > MIN_WAY) done()
      })
    },
  }
}

/** Something that a rule of the room does by a key; without rules, a thing is chosen. */
function actStep(app: App): TourStep {
  const hint = actionFor(app.room.keys)
  if (!hint)
    return {
      name: 'act',
      words: 'Click a thing, to see what it is.',
      watch: (done) => app.selection.onChange(() => app.selection.node && done()),
    }
  return {
    name: 'act',
    words: `Let it act: press ${hint.key}, or its button (the hand below): ${hint.does}.`,
    watch: (done) =>
      closeAll([
        listen(window, 'keydown', (event) => event.code === codeOf(hint.key) && done()),
        listen(window, 'pointerup', (event) => {
          const action = (event.target as Element).closest?.<HTMLElement>('.action')
          if (action?.dataset.key === hint.key) done()
        }),
      ]),
  }
}

/** A posture, if there is one (they are on digits), or whatever comes first and is no stop. */
function actionFor(keys: readonly KeyHint[]): KeyHint | undefined {
  const useful = keys.filter((hint) => !STOPS.test(hint.does))
  return useful.find((hint) => /^\d$/.test(hint.key)) ?? useful[0]
}

function stopStep(): TourStep {
  return {
    name: 'stop',
    words: 'And stop it, whatever it does: press Esc, or the red Stop below.',
    watch: (done) =>
      closeAll([
        listen(window, 'keydown', (event) => event.code === 'Escape' && done()),
        listen(window, 'click', (event) => {
          if ((event.target as Element).closest?.('#stop-all')) done()
        }),
      ]),
  }
}
