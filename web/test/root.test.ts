import { afterEach, describe, expect, test, vi } from 'vitest'
import { combine } from '../src/combine'
import { closeAll, makeListeners } from '../src/listeners'
import { LEVELS, makePace } from '../src/quality'
import { recall, remember } from '../src/remembered'

afterEach(() => vi.unstubAllGlobals())

describe('listeners', () => {
  test('a function given twice is called twice, and removed one at a time', () => {
    const listeners = makeListeners<[number]>()
    const heard: number[] = []
    const handler = (value: number) => heard.push(value)
    const close = listeners.on(handler)
    listeners.on(handler)
    listeners.tell(1)
    close()
    close()
    listeners.tell(2)
    expect(heard).toEqual([1, 1, 2])
  })

  test('handlers that are added while others are called wait for the next time', () => {
    const listeners = makeListeners()
    const heard: string[] = []
    listeners.on(() => {
      heard.push('first')
      listeners.on(() => heard.push('added'))
    })
    listeners.tell()
    expect(heard).toEqual(['first'])
  })

  test('what was opened last is closed first', () => {
    const closed: string[] = []
    closeAll([() => closed.push('a'), () => closed.push('b'), () => closed.push('c')])()
    expect(closed).toEqual(['c', 'b', 'a'])
  })
})

test('combined objects keep their getters and setters', () => {
  let value = 1
  const whole = combine(
    {
      get now() {
        return value
      },
      set now(next: number) {
        value = next
      },
    },
    { twice: () => 2 * value },
  )
  value = 5
  expect(whole.now).toBe(5)
  whole.now = 7
  expect(whole.twice()).toBe(14)
})

describe('quality', () => {
  const card = { name: 'card', isSoftware: false }

  test('a card that stays slow is asked for less, one step at a time', () => {
    const changed = vi.fn()
    const pace = makePace(card, changed)
    expect(pace.level).toBe(LEVELS.high)
    for (let i = 0; i < 20; i++) pace.tell(0.05)
    expect(pace.level).toBe(LEVELS.high) // one second is too short to judge
    for (let i = 0; i < 25; i++) pace.tell(0.05)
    expect(pace.level).toBe(LEVELS.medium)
    expect(changed).toHaveBeenCalledTimes(1)
  })

  test('a chosen quality is kept, however slow it is', () => {
    const pace = makePace(card, () => {})
    pace.wish = 'high'
    for (let i = 0; i < 100; i++) pace.tell(0.2)
    expect(pace.level).toBe(LEVELS.high)
    expect(pace.coarseness).toBe(1)
  })

  test('without a card, motion becomes coarse when pictures are slow, and fine again', () => {
    const pace = makePace({ name: '', isSoftware: true }, () => {})
    expect(pace.level).toBe(LEVELS.low)
    for (let i = 0; i < 10; i++) pace.tell(0.3)
    expect(pace.coarseness).toBe(0.5)
    for (let i = 0; i < 30; i++) pace.tell(0.01)
    expect(pace.coarseness).toBe(1)
  })
})

describe('remembered', () => {
  const makeStorage = () => {
    const items = new Map<string, string>()
    return {
      items,
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    }
  }

  test('values come back as they were', () => {
    const storage = makeStorage()
    vi.stubGlobal('localStorage', storage)
    remember('panels', ['teach', 'view'])
    expect(recall('panels')).toEqual(['teach', 'view'])
    expect([...storage.items.keys()]).toEqual(['robotix.panels'])
    expect(recall('nothing')).toBeUndefined()
  })

  test('damaged and forbidden storage count as empty', () => {
    const storage = makeStorage()
    storage.items.set('robotix.theme', '{')
    vi.stubGlobal('localStorage', storage)
    expect(recall('theme')).toBeUndefined()
    vi.stubGlobal('localStorage', undefined)
    expect(() => remember('theme', 'dark')).not.toThrow()
    expect(recall('theme')).toBeUndefined()
  })
})
