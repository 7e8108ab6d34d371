import { Object3D, Ray, Vector3 } from 'three'
import { expect, test } from 'vitest'
import { nearestOnCircle, nearestOnLine, wayOf } from '../../src/input/guides'

const Z = new Vector3(0, 0, 1)

function rayTo(eye: Vector3, point: Vector3): Ray {
  return new Ray(eye, point.clone().sub(eye).normalize())
}

test('a drawer that is seen from above comes as far as the mouse', () => {
  const eye = new Vector3(2, -1, 2)
  const from = new Vector3(0.2, 0.1, 0.5)
  for (const way of [0, 0.08, 0.3, -0.2]) {
    const wished = from.clone().add(new Vector3(way, 0, 0))
    const found = nearestOnLine(rayTo(eye, wished), from, new Vector3(1, 0, 0))
    expect(found?.distanceTo(wished)).toBeLessThan(1e-9)
  }
})

test('a drawer that is looked at along its line keeps its place', () => {
  const ray = new Ray(new Vector3(2, 0, 0), new Vector3(-1, 0, 0))
  expect(nearestOnLine(ray, new Vector3(), new Vector3(1, 0, 0))).toBeUndefined()
})

test('the handle of a door stays below the mouse, on its circle', () => {
  const eye = new Vector3(0, -3, 1.6)
  const centre = new Vector3(-0.4, 0, 0)
  const from = new Vector3(0.4, 0, 1)
  for (const angle of [-0.9, -0.3, 0, 0.2, 0.7]) {
    const wished = from.clone().sub(centre).applyAxisAngle(Z, angle).add(centre)
    const found = nearestOnCircle(rayTo(eye, wished), from, { axis: Z, centre })
    expect(found.distanceTo(wished)).toBeLessThan(0.01)
    expect(Math.hypot(found.x - centre.x, found.y - centre.y)).toBeCloseTo(0.8, 9)
    expect(found.z).toBeCloseTo(1, 9)
  }
})

test('ways are in the frame of what goes them', () => {
  const object = new Object3D()
  object.rotateZ(Math.PI / 2)
  object.position.set(1, 0, 0)
  const info = { slides_along: [1, 0, 0], turns_about: null, hinge: null }
  const way = wayOf({ object, info } as unknown as Parameters<typeof wayOf>[0])
  const wished = new Vector3(1, 0.25, 0)
  const found = way?.(rayTo(new Vector3(3, 1, 2), wished), new Vector3(1, 0, 0))
  expect(found?.distanceTo(wished)).toBeLessThan(1e-9)
  const still = { slides_along: null, turns_about: null, hinge: null }
  expect(wayOf({ object, info: still } as unknown as Parameters<typeof wayOf>[0])).toBeUndefined()
})
