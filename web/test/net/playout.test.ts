import { describe, expect, it } from 'vitest'
import { makePlayout } from '../../src/net/playout'

/** Pictures a window shows at its own times, for messages that take `lag(k)` s and clocks apart. */
function shown(lag: (k: number) => number, clock: number, delay: number): Map<number, number> {
  const playout = makePlayout<number>(delay)
  const moments = Array.from({ length: 60 }, (_, k) => k / 60)
  const arrivals = moments.map((time, k) => ({ time, at: time + lag(k) + clock }))
  const when = new Map<number, number>()
  for (let now = clock; now < clock + 1.5; now += 1 / 240) {
    for (const each of arrivals.filter(({ at }) => at > now - 1 / 240 && at <= now))
      playout.put(each.time, each.time, now)
    for (const time of playout.take(now)) when.set(time, now - clock)
  }
  return when
}

describe('windows in step', () => {
  it('show a moment of the room at the same time, however messages come', () => {
    const one = shown((k) => 0.002 + 0.015 * Math.abs(Math.sin(7 * k)), 0, 0.05)
    const other = shown((k) => 0.002 + 0.02 * Math.abs(Math.sin(3 * k + 1)), 1000, 0.05)
    const times = [...one.keys()].filter((time) => time > 0.3 && time < 0.9)
    expect(times.length).toBeGreaterThan(30)
    for (const time of times)
      expect(Math.abs((one.get(time) ?? 0) - (other.get(time) ?? 9))).toBeLessThan(0.008)
  })

  it('wait for nothing without a delay, and begin anew with the room', () => {
    const playout = makePlayout<string>(0)
    playout.put('a', 5, 100)
    expect(playout.take(100)).toEqual(['a'])
    playout.put('b', 0.01, 200)
    expect(playout.take(200)).toEqual(['b'])
  })
})
