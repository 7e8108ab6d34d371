import { Box3, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { ceilingOf } from '../../src/input/headset/ceiling'
import { approach } from '../../src/input/headset/comfort'
import { handHint, hintOf } from '../../src/input/headset/hints'
import { boxAt, gridOf, wrapWords } from '../../src/input/headset/layout'
import { makeLift } from '../../src/input/headset/lift'
import { DEFAULTS, liftOf, nextOf } from '../../src/input/headset/settings'
import { taskWords } from '../../src/input/headset/task_board'
import { isByHand } from '../../src/input/participant'

describe('boards in the headset', () => {
  it('fill their area with buttons that do not overlap', () => {
    const area = { x: 10, y: 100, width: 400, height: 300 }
    const boxes = gridOf(5, 2, area, 20)
    expect(boxes).toHaveLength(5)
    expect(boxes[0]).toEqual({ x: 10, y: 100, width: 190, height: 260 / 3 })
    expect(boxes[4]?.y).toBeCloseTo(100 + 2 * (260 / 3 + 20), 9)
    expect(boxAt(boxes, 15, 105)).toBe(0)
    expect(boxAt(boxes, 205, 105)).toBe(-1) // between two
    expect(boxAt(boxes, 395, 105)).toBe(1)
  })

  it('break words where they must', () => {
    const measure = (text: string) => text.length
    expect(wrapWords('one two three\nfour', 7, measure)).toEqual(['one two', 'three', 'four'])
    expect(wrapWords('unbreakable', 3, measure)).toEqual(['unbreakable'])
  })
})

describe('settings of the headset', () => {
  it('lift who sits to the eyes of somebody who stands, and add what one wishes', () => {
    expect(liftOf(DEFAULTS, 1.2)).toBe(0)
    expect(liftOf({ ...DEFAULTS, isSeated: true }, 1.22)).toBeCloseTo(0.4, 9)
    expect(liftOf({ ...DEFAULTS, isSeated: true, height: -0.1 }, 1.9)).toBeCloseTo(-0.1, 9)
  })

  it('go round', () => {
    expect(nextOf(['a', 'b'], 'b')).toBe('a')
  })

  it('tell each hand what it does', () => {
    expect(hintOf({ isBare: false }, DEFAULTS, true, true)).toContain('lead the arm')
    expect(hintOf({ isBare: false }, DEFAULTS, false, true)).toContain('drive the chair')
    expect(hintOf({ isBare: false }, DEFAULTS, false, false)).not.toContain('chair')
    expect(hintOf({ isBare: true }, DEFAULTS, true, false)).toContain('Pinch')
  })

  it('fade without going too far', () => {
    expect(approach(0.9, 1, 0.2)).toBe(1)
    expect(approach(1, 0, 0.3)).toBeCloseTo(0.7, 9)
  })
})

describe('the ceiling', () => {
  const box = (x: number, z: number, width: number, height: number, depth: number) =>
    new Box3().setFromCenterAndSize(
      new Vector3(x, height / 2, z),
      new Vector3(width, height, depth),
    )

  it('lies on walls that stand at an angle', () => {
    const found = ceilingOf([
      box(0, -2, 4, 2.5, 0.1),
      box(-2, 0, 0.1, 2.5, 4),
      box(0, 0, 1, 0.7, 1),
    ])
    expect(found?.max.y).toBe(2.5)
    expect(found?.min.y).toBe(2.5)
    expect(found?.max.x).toBe(2)
    expect(found?.max.z).toBe(2)
  })

  it('is not there without an inside', () => {
    expect(ceilingOf([box(0, -2, 4, 2.5, 0.1), box(0, 2, 4, 2.5, 0.1)])).toBeUndefined()
    expect(ceilingOf([box(0, 0, 1, 0.7, 1)])).toBeUndefined()
  })
})

describe('a task in the headset', () => {
  const task = { now: 'Bring it.', wrong: '', left: 2, total: 3, is_stopped: false }

  it('says what to do now, what was wrong, what is left', () => {
    expect(taskWords(null)).toBe('')
    expect(taskWords(task)).toBe('Bring it.\n2 of 3 left')
    expect(taskWords({ ...task, wrong: 'Dropped.' })).toBe('Bring it.\n! Dropped.\n2 of 3 left')
    expect(taskWords({ ...task, left: 1, total: 1 })).toBe('Bring it.')
    expect(taskWords({ ...task, is_stopped: true })).toContain('Stopped by the experimenter')
  })

  it('tells each hand what it does in it', () => {
    expect(hintOf({ isBare: false }, DEFAULTS, true, true, true)).toContain('let go')
    expect(hintOf({ isBare: false }, DEFAULTS, true, false, true)).not.toContain('let go')
    expect(hintOf({ isBare: false }, DEFAULTS, false, true, true)).toContain('drive the chair')
  })

  it('is done by hand where nothing leads an arm', () => {
    const room = (task: object | null, devices: object) => ({ room: { task, devices } }) as never
    expect(isByHand(room({}, { head: 'head', right_glove: 'hand' }))).toBe(true)
    expect(isByHand(room({}, { stick: 'translate3' }))).toBe(false)
    expect(isByHand(room(null, {}))).toBe(false)
    expect(handHint(false, true)).toBe('Grip at a thing: take it')
    expect(handHint(true, false)).toContain('Pinch')
  })
})

describe('how high one is', () => {
  const set = (options: Partial<typeof DEFAULTS> = {}) => {
    const settings = { ...DEFAULTS, ...options }
    const state = { settings, floor: 0 }
    const lift = makeLift(settings, (by) => {
      state.floor += by
    })
    return { state, settings, lift }
  }

  it('who says “I sit” is lifted at once to the eyes of somebody who stands, and back', () => {
    const { state, settings, lift } = set()
    expect(lift.begin('standing', 1.7)).toBe(0)
    lift.update(1.2) // sitting down alone changes nothing
    expect(state.floor).toBe(0)
    settings.isSeated = true
    lift.update(1.2)
    expect(state.floor).toBeCloseTo(0.42, 9)
    settings.height = 0.1
    lift.update(1.2)
    expect(state.floor).toBeCloseTo(0.52, 9)
    settings.isSeated = false
    lift.update(1.7)
    expect(state.floor).toBeCloseTo(0.1, 9)
  })

  it('in a seat it brings eyes back to where those of the seat are', () => {
    const { state, settings, lift } = set()
    lift.begin('sitting', 1.7)
    settings.isSeated = true
    lift.update(1.2) // sat down since, by 0.5 m
    expect(state.floor).toBeCloseTo(0.5, 9)
    settings.height = -0.05
    lift.update(1.25) // nodding is no change of posture
    expect(state.floor).toBeCloseTo(0.45, 9)
  })

  it('where the room is matched with real things, only the height that one wishes acts', () => {
    const { state, settings, lift } = set()
    expect(lift.begin('matched', 1.2)).toBe(0)
    settings.isSeated = true
    lift.update(1.2)
    expect(state.floor).toBe(0)
    settings.height = 0.05
    lift.update(1.2)
    expect(state.floor).toBeCloseTo(0.05, 9)
  })
})
