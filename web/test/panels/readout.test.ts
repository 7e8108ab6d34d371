import { expect, it } from 'vitest'
import type { JointInfo } from '../../src/net/protocol'
import { roomOf } from '../../src/panels/readout'

function joint(lower: number | null, upper: number | null): JointInfo {
  return { name: 'j', unit: 'rad', lower, upper, velocity: null, body: 'arm/j' }
}

it('tells how far a joint is from the nearer limit', () => {
  expect(roomOf(joint(-1, 2), 1.5)).toBeCloseTo(0.5)
  expect(roomOf(joint(-1, 2), -0.9)).toBeCloseTo(0.1)
  expect(roomOf(joint(null, 2), -9)).toBeCloseTo(11)
  expect(roomOf(joint(null, null), 0)).toBeUndefined()
})
