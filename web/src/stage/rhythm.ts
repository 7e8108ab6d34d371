// Which eye a picture is for, when eyes take turns. It depends on the time, not on how many pictures
// were drawn: one that is late must not change which glass is open.

const SMOOTHING = 0.05 // of the estimated period, at each picture
const MIN_PERIOD_MS = 4 // faster displays there are none
const MAX_PERIOD_MS = 40
const USUAL_PERIOD_MS = 1000 / 60

export interface Rhythm {
  readonly period: number // ms between two pictures of the display
  /** Whether the picture that is drawn now, in ms, is for the left eye. */
  isLeft(now: number): boolean
}

export function makeRhythm(): Rhythm {
  let period = USUAL_PERIOD_MS
  let phase = 0 // pictures of the display since the first, of which some were not drawn
  let last: number | undefined
  return {
    get period() {
      return period
    },
    isLeft(now) {
      if (last !== undefined) {
        const steps = Math.max(1, Math.round((now - last) / period))
        phase += steps
        const measured = (now - last) / steps
        if (measured > MIN_PERIOD_MS && measured < MAX_PERIOD_MS)
          period += SMOOTHING * (measured - period)
      }
      last = now
      return phase % 2 === 0
    },
  }
}
