import { describe, expect, it, vi } from 'vitest'
import { makeListeners } from '../../src/listeners'
import { followRoom } from '../../src/stage/following'
import { makeLiveliness } from '../../src/stage/liveliness'

/** Times, in ms, at which a page turns whose pictures take so long, and whether something moves then. */
function turns(period: number, count: number, wakes: (time: number) => boolean): boolean[] {
  const liveliness = makeLiveliness()
  return Array.from({ length: count }, (_, k) => {
    liveliness.turn()
    const isLively = liveliness.isLively(k * period)
    if (wakes(k * period)) liveliness.wake(k * period) // news is heard after the turn
    return isLively
  })
}

describe('liveliness', () => {
  it('nothing has happened yet: still', () => {
    expect(makeLiveliness().isLively(0)).toBe(false)
  })

  it('lasts for a while after the last motion, then all is still', () => {
    const seen = turns(100, 20, (time) => time <= 500)
    expect(seen[0]).toBe(false)
    expect(seen.slice(1, 12)).toEqual(Array(11).fill(true))
    expect(seen.slice(13)).toEqual(Array(7).fill(false))
  })

  it('goes on through motion however slow pictures are', () => {
    const seen = turns(2000, 10, () => true)
    expect(seen.slice(1)).toEqual(Array(9).fill(true))
  })

  it('of slow pictures ends when there has been no news for three turns', () => {
    const seen = turns(2000, 10, (time) => time === 0)
    expect(seen).toEqual([false, true, true, ...Array(7).fill(false)])
  })
})

describe('the room', () => {
  const set = () => {
    const frames = makeListeners<[Uint32Array]>()
    const drawing = { hasFramed: true, refresh: vi.fn(), move: vi.fn(), markStale: vi.fn() }
    const none = () => () => {}
    followRoom({ onChange: none, onLooks: none, onFrame: frames.on }, drawing)
    return { frames, drawing }
  }

  it('that moves a thing, arm or person keeps the picture lively; one at rest does not', () => {
    const { frames, drawing } = set()
    frames.tell(new Uint32Array())
    expect(drawing.move).not.toHaveBeenCalled()
    frames.tell(new Uint32Array([3]))
    expect(drawing.move).toHaveBeenCalledTimes(1)
  })
})
