// Whether something moves in the picture. What moves is drawn often, and coarsely where drawing is
// slow; what stands still is drawn rarely, and sharply.

const LIVELY_TIME_MS = 700 // after something happened
// A slow picture holds up the news that the next thing moved: until the page has had time to hear of
// it, the motion counts as going on. Otherwise the next picture would be sharp, and slower still.
const MIN_QUIET_TURNS = 3 // of the page, without news

interface Liveliness {
  /** Something happened, at a time in ms. */
  wake(now: number): void
  /** The page begins another turn. */
  turn(): void
  isLively(now: number): boolean
}

export function makeLiveliness(): Liveliness {
  let wokenAt = Number.NEGATIVE_INFINITY
  let quietTurns = Number.POSITIVE_INFINITY
  return {
    wake(now) {
      wokenAt = now
      quietTurns = 0
    },
    turn() {
      quietTurns += 1
    },
    isLively: (now) => now - wokenAt < LIVELY_TIME_MS || quietTurns < MIN_QUIET_TURNS,
  }
}
