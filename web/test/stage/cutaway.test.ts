import { Vector3 } from 'three'
import { describe, expect, test } from 'vitest'
import { hasInside } from '../../src/stage/cutaway'

const EAST = new Vector3(1, 0, 0)
const NORTH = new Vector3(0, 0, -1)
const UP = new Vector3(0, 1, 0)

describe('a room has an inside', () => {
  test('with two walls at an angle', () => {
    expect(hasInside([EAST, NORTH])).toBe(true)
    expect(hasInside([EAST, new Vector3(1, 0, 1).normalize(), UP])).toBe(true)
  })

  test('but not with one wall, with walls in a row, or with a ceiling alone', () => {
    expect(hasInside([])).toBe(false)
    expect(hasInside([EAST])).toBe(false)
    expect(hasInside([EAST, EAST.clone().negate(), EAST.clone()])).toBe(false)
    expect(hasInside([EAST, UP])).toBe(false)
  })
})
