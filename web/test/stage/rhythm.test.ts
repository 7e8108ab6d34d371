import { describe, expect, it } from 'vitest'
import { makeRhythm } from '../../src/stage/rhythm'

describe('eyes in turn', () => {
  it('alternate with the display, and keep their turn when a picture is missed', () => {
    const rhythm = makeRhythm()
    const period = 1000 / 120
    const eyes = [0, 1, 2, 3, 5, 6, 9, 10].map((k) => rhythm.isLeft(k * 2 * period))
    expect(eyes).toEqual([true, false, true, false, false, true, false, true])
  })
})
