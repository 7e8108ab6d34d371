import { describe, expect, test } from 'vitest'
import { fromJoystick, kindOf } from '../../src/input/gamepad'

function makePad(pad: { id?: string; mapping?: string; axes?: number[]; buttons?: number[] }) {
  return {
    id: pad.id ?? 'Stick',
    mapping: pad.mapping ?? '',
    axes: pad.axes ?? [],
    buttons: (pad.buttons ?? []).map((value) => ({ value, pressed: value > 0.5 })),
  } as unknown as Gamepad
}

const withHat = (turn: number) => makePad({ axes: [0, 0, 0, 0, 0, 0, 0, 0, 0, turn] })
const hatOf = (pad: Gamepad) => fromJoystick(pad).axes.slice(4)

describe('joysticks', () => {
  test('have four axes and two of the hat, whatever the browser reports', () => {
    expect(fromJoystick(makePad({ axes: [0.5, -1] }))).toEqual({
      axes: [0.5, -1, 0, 0, 0, 0],
      buttons: [],
    })
  })

  test('have buttons with values', () => {
    expect(fromJoystick(makePad({ buttons: [0, 1, 0.25] })).buttons).toEqual([0, 1, 0.25])
  })

  test('have a hat of two axes, which is all or nothing', () => {
    expect(hatOf(makePad({ axes: [0, 0, 0, 0, 0.9, -1] }))).toEqual([1, -1])
  })

  test.each([
    ['up', 0, [0, -1]],
    ['up and right', 1, [1, -1]],
    ['right', 2, [1, 0]],
    ['down', 4, [0, 1]],
    ['left', 6, [-1, 0]],
    ['up and left', 7, [-1, -1]],
  ])('have a hat of one axis that points %s', (_name, eighth, expected) => {
    const hat = hatOf(withHat(-1 + (2 * eighth) / 7)).map((value) => value + 0)
    expect(hat).toEqual(expected)
  })

  test.each([
    ['let go', 9 / 7],
    ['not used yet', 0],
  ])('have a hat at rest when it is %s', (_name, turn) => {
    expect(hatOf(withHat(turn))).toEqual([0, 0])
  })
})

describe('kinds of pads', () => {
  const many = { axes: Array<number>(4).fill(0), buttons: Array<number>(10).fill(0) }

  test('the standard layout is a gamepad', () => {
    expect(kindOf(makePad({ mapping: 'standard' }))).toBe('gamepad')
  })

  test('so is one that is called so and has enough to press', () => {
    expect(kindOf(makePad({ id: '046d-c216-Logitech F310', ...many }))).toBe('gamepad')
    expect(kindOf(makePad({ id: 'Game Controller', axes: [0, 0], buttons: [0] }))).toBe('joystick')
  })

  test('all others are joysticks', () => {
    expect(kindOf(makePad({ id: 'Extreme 3D pro', ...many }))).toBe('joystick')
  })
})
