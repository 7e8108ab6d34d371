import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { aimAtScreen, cornersOf, offAxis } from '../../src/cameras/off_axis'

const SIZE = { width: 2.4, height: 1.35 } // m

function someScreen(seed: number): Matrix4 {
  const turn = new Quaternion().setFromAxisAngle(
    new Vector3(Math.sin(seed), Math.cos(2 * seed), Math.sin(3 * seed)).normalize(),
    seed,
  )
  return new Matrix4().compose(new Vector3(seed, 1.2, -seed), turn, new Vector3(1, 1, 1))
}

function pictureOf(camera: PerspectiveCamera, point: Vector3): Vector3 {
  return point.clone().applyMatrix4(camera.matrixWorldInverse).applyMatrix4(camera.projectionMatrix)
}

describe('an eye before a screen', () => {
  it('sees the corners of the screen in the corners of the picture, wherever it is', () => {
    for (const seed of [0, 0.3, 1.1, 2.5]) {
      const pose = someScreen(seed)
      const { lowerLeft, lowerRight, upperLeft } = cornersOf(pose, SIZE.width, SIZE.height)
      const upperRight = lowerRight.clone().add(upperLeft).sub(lowerLeft)
      for (const place of [
        [0, 0, 0.8],
        [0.9, -0.4, 0.3],
        [-2, 1.5, 3],
      ] as const) {
        const camera = new PerspectiveCamera(50, 1, 0.05, 100)
        const eye = new Vector3(...place).applyMatrix4(pose)
        expect(aimAtScreen(camera, eye, { lowerLeft, lowerRight, upperLeft })).toBe(true)
        for (const [corner, x, y] of [
          [lowerLeft, -1, -1],
          [lowerRight, 1, -1],
          [upperLeft, -1, 1],
          [upperRight, 1, 1],
        ] as const) {
          const seen = pictureOf(camera, corner)
          expect(seen.x).toBeCloseTo(x, 9)
          expect(seen.y).toBeCloseTo(y, 9)
        }
      }
    }
  })

  it('is an ordinary camera when it is before the middle', () => {
    const corners = cornersOf(new Matrix4(), SIZE.width, SIZE.height)
    const found = offAxis(new Vector3(0, 0, 1.5), corners, 0.05)
    const camera = new PerspectiveCamera()
    camera.fov = (360 / Math.PI) * Math.atan(SIZE.height / 2 / 1.5)
    camera.aspect = SIZE.width / SIZE.height
    camera.near = 0.05
    camera.updateProjectionMatrix()
    const { left, right, top, bottom } = found?.frustum ?? { left: 0, right: 0, top: 0, bottom: 0 }
    const own = new Matrix4().makePerspective(left, right, top, bottom, 0.05, camera.far)
    own.elements.forEach((value, k) => {
      expect(value).toBeCloseTo(camera.projectionMatrix.elements[k] ?? Number.NaN, 9)
    })
  })

  it('shows a point behind the screen where the line to the eye goes through it', () => {
    const corners = cornersOf(new Matrix4(), 2, 1)
    const camera = new PerspectiveCamera(50, 1, 0.05, 100)
    const eye = new Vector3(0.4, 0.1, 1)
    aimAtScreen(camera, eye, corners)
    const seen = pictureOf(camera, new Vector3(-0.2, 0.5, -2))
    // A third of the way from the eye: 0.4 - 0.6 / 3 and 0.1 + 0.4 / 3, of half sizes 1 and 0.5.
    expect(seen.x).toBeCloseTo(0.2, 9)
    expect(seen.y).toBeCloseTo((0.1 + 0.4 / 3) / 0.5, 9)
  })

  it('draws nothing from behind, or from within the screen', () => {
    const corners = cornersOf(new Matrix4(), 2, 1)
    expect(offAxis(new Vector3(0, 0, -1), corners, 0.05)).toBeUndefined()
    expect(offAxis(new Vector3(0, 0, 0), corners, 0.05)).toBeUndefined()
  })
})
