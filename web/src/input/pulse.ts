// The clock by which devices are polled. Pictures may be slow, or rare when nothing happens, and a
// silent device counts as released; so this clock runs independently of pictures.

import type { App, Close } from '../app'

const PERIOD_MS = 20
const MIN_PERIOD_MS = 7 // between two beats

export function onPulse(app: App, beat: (now: number) => void): Close {
  let last = Number.NEGATIVE_INFINITY
  const turn = () => {
    const now = performance.now()
    if (now - last < MIN_PERIOD_MS) return
    last = now
    beat(now)
  }
  const timer = window.setInterval(turn, PERIOD_MS)
  const closeFrame = app.stage.onFrame(turn)
  return () => {
    window.clearInterval(timer)
    closeFrame()
  }
}
