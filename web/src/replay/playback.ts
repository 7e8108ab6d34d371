// The clock of the recording as this page knows it, and how it is set.

import type { App, Close } from '../app'
import { closeAll, makeListeners } from '../listeners'

export interface Playback {
  readonly time: number // s, as shown, or as asked for while it is being dragged
  readonly isPaused: boolean
  readonly speed: number
  readonly offset: number // s by which the second take is moved to later times
  toggle(): void
  play(): void
  pause(): void
  seek(time: number): void
  step(ticks: number): void
  setSpeed(speed: number): void
  setOffset(offset: number): void
  onChange(handler: () => void): Close
  close: Close
}

const ASKED_FOR_MS = 400 // how long a time that was asked for is shown before the room follows

export function makePlayback(app: App, offset: number): Playback {
  const changes = makeListeners()
  let state = { isPaused: true, speed: 1, offset }
  let asked: { time: number; at: number } | undefined
  let waiting: number | undefined // a time to be sent with the next picture
  let shown = app.room.time

  const send = async (action: string, value = 1) => {
    if (!app.control.isMine && !(await app.control.ask())) {
      const text = `${app.control.holder || 'Another page'} steers the recording. Take control to steer it from here.`
      app.shell.toast(text, 'problem')
      return
    }
    app.connection.send({ kind: 'pace', action, value })
  }
  const become = (next: Partial<typeof state>) => {
    state = { ...state, ...next }
    changes.tell()
  }
  const closeHealth = app.connection.on('health', (health) =>
    become({ isPaused: health.is_paused, speed: health.speed }),
  )
  const closeFrames = app.stage.onFrame(() => {
    if (waiting !== undefined) {
      void send('seek', waiting)
      waiting = undefined
    }
    if (asked && performance.now() - asked.at > ASKED_FOR_MS) asked = undefined
    if (shown === app.room.time && !asked) return
    shown = app.room.time
    changes.tell()
  })
  const own = {
    play() {
      void send('resume')
    },
    pause() {
      void send('pause')
    },
    toggle() {
      void send(state.isPaused ? 'resume' : 'pause')
    },
    seek(time: number) {
      asked = { time, at: performance.now() }
      waiting = time
      app.stage.redraw()
      changes.tell()
    },
    step(ticks: number) {
      asked = undefined // the next event is counted from where the step leads
      void send('step', ticks)
    },
    setSpeed(speed: number) {
      void send('speed', speed)
    },
    setOffset(next: number) {
      become({ offset: next })
      void send('offset', next)
    },
    onChange: changes.on,
    close: closeAll([closeHealth, closeFrames]),
  }
  return Object.defineProperties(own, {
    time: { get: () => asked?.time ?? app.room.time },
    isPaused: { get: () => state.isPaused },
    speed: { get: () => state.speed },
    offset: { get: () => state.offset },
  }) as Playback
}
