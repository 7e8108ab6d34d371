import { Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { fitRigid, largestEigenvector } from '../src/rigid_fit'

const UP = new Vector3(0, 1, 0)
const POINTS = [
  new Vector3(0, 0, 0),
  new Vector3(0.4, 0.1, 0),
  new Vector3(0.1, 0.6, 0.3),
  new Vector3(-0.2, 0.3, 0.7),
]
const MOVE = new Vector3(1.2, -0.4, 2.5)

function moved(turn: Quaternion): Vector3[] {
  return POINTS.map((point) => point.clone().applyQuaternion(turn).add(MOVE))
}

describe('the rigid fit', () => {
  it('finds any turn and move again', () => {
    for (const angle of [0, 0.4, 2, 3.1, -1.3]) {
      const axis = new Vector3(1, angle, -0.5).normalize()
      const turn = new Quaternion().setFromAxisAngle(axis, angle)
      const fit = fitRigid(POINTS, moved(turn))
      expect(fit.rms).toBeLessThan(1e-9)
      expect(fit.rotation.angleTo(turn)).toBeLessThan(1e-6)
      expect(fit.translation.distanceTo(MOVE)).toBeLessThan(1e-9)
    }
  })

  it('finds an angle about the vertical, whatever the height of the points', () => {
    const turn = new Quaternion().setFromAxisAngle(UP, -2.2)
    const fit = fitRigid(POINTS, moved(turn), UP)
    expect(fit.rotation.angleTo(turn)).toBeLessThan(1e-6)
    expect(fit.rms).toBeLessThan(1e-9)
  })

  it('tells how far the points are off, and no other transform is nearer', () => {
    const turn = new Quaternion().setFromAxisAngle(UP, 0.7)
    const noisy = moved(turn).map((point, k) => point.addScaledVector(UP, k % 2 ? 0.004 : -0.004))
    const fit = fitRigid(POINTS, noisy)
    expect(fit.rms).toBeGreaterThan(0.0005)
    expect(fit.rms).toBeLessThan(0.0041)
    const offBy = (tilt: Quaternion, shift: Vector3) =>
      POINTS.reduce((sum, point, k) => {
        const at = point.clone().applyQuaternion(fit.rotation).applyQuaternion(tilt)
        return (
          sum +
          at
            .add(fit.translation)
            .add(shift)
            .distanceToSquared(noisy[k] ?? at)
        )
      }, 0)
    const best = offBy(new Quaternion(), new Vector3())
    expect(Math.sqrt(best / POINTS.length)).toBeCloseTo(fit.rms, 12)
    for (const axis of [UP, new Vector3(1, 0, 0), new Vector3(0, 0, 1)])
      for (const sign of [-1, 1]) {
        const tilt = new Quaternion().setFromAxisAngle(axis, sign * 1e-3)
        expect(offBy(tilt, new Vector3())).toBeGreaterThan(best)
        expect(offBy(new Quaternion(), axis.clone().multiplyScalar(sign * 1e-3))).toBeGreaterThan(
          best,
        )
      }
  })

  it('refuses what says nothing of the turn', () => {
    expect(() => fitRigid(POINTS.slice(0, 2), POINTS.slice(0, 2))).toThrow('three points')
    const line = [0, 1, 2].map((k) => new Vector3(k, 0, 0))
    expect(() => fitRigid(line, line)).toThrow('one line')
    const pole = [0, 1, 2].map((k) => new Vector3(0, k, 0))
    expect(() => fitRigid(pole, pole, UP)).toThrow('above each other')
  })

  it('finds the largest eigenvector of a symmetric matrix', () => {
    const [x = 0, y = 0] = largestEigenvector([
      [2, 1],
      [1, 2],
    ])
    expect(x / y).toBeCloseTo(1, 12)
  })
})
