import { describe, expect, test } from 'vitest'
import { arrowLength, arrowPoints } from '../../src/overlays/touches'

describe('arrows of contact forces', () => {
  test('grow with the force, slowly', () => {
    expect(arrowLength(0)).toBe(0)
    expect(arrowLength(1)).toBeCloseTo(0.04, 3)
    expect(arrowLength(100)).toBeGreaterThan(2 * arrowLength(1))
    expect(arrowLength(1e6)).toBeLessThan(0.4)
  })

  test.each([[[0, 0, 2]], [[0, -3, 0]], [[1, 2, 3]]])('point along the force %j', (force) => {
    const [start, tip] = arrowPoints([1, 1, 1], force) as [number[], number[]]
    const size = Math.hypot(...force)
    const along = tip.map((p, k) => p - (start[k] ?? 0))
    expect(Math.hypot(...along)).toBeCloseTo(arrowLength(size), 9)
    along.forEach((part, k) => {
      expect(part / arrowLength(size)).toBeCloseTo((force[k] ?? 0) / size, 9)
    })
  })

  test('are not drawn without a force', () => {
    expect(arrowPoints([0, 0, 0], [0, 0, 0])).toEqual([])
  })
})
