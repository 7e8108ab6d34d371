// The beat in which devices are asked and heard of. Pictures may come slowly, or seldom when nothing
// happens, and silence means that somebody let go; so a clock beats beside them.

import type { App, Close } from '../app'

const PERIOD = 20 // ms
const SHORTEST = 7 // ms between two beats

export function onPulse(app: App, beat: (now: number) => void): Close {
  let last = Number.NEGATIVE_INFINITY
  const turn = () => {
    const now = performance.now()
    if (now - last < SHORTEST) return
    last = now
    beat(now)
  }
  const timer = window.setInterval(turn, PERIOD)
  const closeFrame = app.stage.onFrame(turn)
  return () => {
    window.clearInterval(timer)
    closeFrame()
  }
}
