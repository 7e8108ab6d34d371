import { PerspectiveCamera, Quaternion, Sphere, Vector3 } from 'three'
import { describe, expect, test } from 'vitest'
import { makeOrbit } from '../../src/cameras/orbit'
import { apply, FIELD_OF_VIEW, makeView, mixViews, smoothly } from '../../src/cameras/view'

const SECOND = Array.from({ length: 60 }, () => 1 / 60)

describe('views', () => {
  test('are mixed from one to the other', () => {
    const from = makeView()
    const to = { ...makeView(), position: new Vector3(2, 0, 0), fieldOfView: 60 }
    mixViews(from, to, 0.5)
    expect(to.position.x).toBe(1)
    expect(to.fieldOfView).toBe((FIELD_OF_VIEW + 60) / 2)
  })

  // A known fault: slerpQuaternions overwrites its second argument when that is the result, too.
  test('are turned from one to the other', () => {
    const to = makeView()
    to.quaternion.setFromAxisAngle(new Vector3(0, 1, 0), 1)
    mixViews(makeView(), to, 0.5)
    expect(to.quaternion.angleTo(new Quaternion())).toBeCloseTo(0.5)
  })

  test('glide without a jump at both ends', () => {
    expect([smoothly(0), smoothly(0.5), smoothly(1)]).toEqual([0, 0.5, 1])
    expect(smoothly(0.01)).toBeLessThan(0.001)
    expect(smoothly(0.99)).toBeGreaterThan(0.999)
  })

  test('widen in a tall picture, up to a limit', () => {
    const camera = new PerspectiveCamera(50, 2)
    apply(makeView(), camera)
    expect(camera.fov).toBeCloseTo(FIELD_OF_VIEW)
    camera.aspect = 0.5
    apply(makeView(), camera)
    expect(camera.fov).toBeGreaterThan(FIELD_OF_VIEW + 5)
    camera.aspect = 0.01
    apply(makeView(), camera)
    expect(camera.fov).toBe(100)
  })
})

describe('orbit', () => {
  const ball = new Sphere(new Vector3(1, 2, 3), 0.5)
  const settle = (orbit: ReturnType<typeof makeOrbit>) => {
    const view = makeView()
    for (const dt of [...SECOND, ...SECOND]) orbit.update(dt, view)
    return view
  }
  const ahead = (view: ReturnType<typeof makeView>) =>
    new Vector3(0, 0, -1).applyQuaternion(view.quaternion)

  test('shows a ball whole at once, and looks at its centre', () => {
    const orbit = makeOrbit()
    orbit.frame(ball)
    expect(orbit.isMoving).toBe(false)
    const view = settle(orbit)
    const towards = ball.center.clone().sub(view.position)
    const angle = Math.asin(ball.radius / towards.length())
    expect((2 * angle * 180) / Math.PI).toBeLessThan(FIELD_OF_VIEW)
    expect(towards.normalize().angleTo(ahead(view))).toBeCloseTo(0)
  })

  test('follows the hand smoothly, and comes to rest', () => {
    const orbit = makeOrbit()
    orbit.frame(ball)
    orbit.turn(0.3, 0)
    expect(orbit.isMoving).toBe(true)
    settle(orbit)
    expect(orbit.isMoving).toBe(false)
  })

  test('never turns over the top, nor comes too near', () => {
    const orbit = makeOrbit()
    orbit.frame(ball)
    orbit.turn(0, 10)
    orbit.zoom(1e-6, ahead(settle(orbit)))
    const view = settle(orbit)
    expect(view.position.distanceTo(orbit.target)).toBeCloseTo(0.15)
    expect(ahead(view).y).toBeGreaterThan(-1)
    expect(ahead(view).y).toBeLessThan(-0.99)
  })

  test('zooming keeps what is under the mouse in its place', () => {
    const orbit = makeOrbit()
    orbit.frame(ball)
    const before = settle(orbit)
    const towards = ahead(before).applyAxisAngle(new Vector3(0, 1, 0), 0.2)
    orbit.zoom(0.5, towards)
    const after = settle(orbit)
    const moved = after.position.clone().sub(before.position)
    expect(moved.normalize().angleTo(towards)).toBeCloseTo(0, 3)
  })
})
