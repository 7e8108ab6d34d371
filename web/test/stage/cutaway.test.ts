import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three'
import { describe, expect, test } from 'vitest'
import type { RoomView } from '../../src/app'
import { hasInside, makeCutaway } from '../../src/stage/cutaway'

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

describe('what fades with a wall', () => {
  /** A room of two walls at an angle, 2 m long, and one more thing. */
  function faded(x: number, z: number, isEnabled = true): boolean {
    const root = new Group()
    const add = (size: [number, number, number], at: [number, number, number]) => {
      const object = new Group()
      object.add(new Mesh(new BoxGeometry(...size), new MeshBasicMaterial()))
      object.position.set(...at)
      root.add(object)
      return object
    }
    const objects = [
      add([0.1, 2.5, 2], [1, 1.25, 0]), // the wall that is looked through
      add([2, 2.5, 0.1], [0, 1.25, 2]),
      add([0.05, 0.3, 0.3], [x, 1, z]),
    ]
    const info = { is_region: false, robot: '' }
    const room = { root, nodes: objects.map((object) => ({ info, object })) } as unknown as RoomView
    const cutaway = makeCutaway()
    cutaway.isEnabled = isEnabled
    cutaway.find(room)
    const view = { isOn: true, eye: new Vector3(5, 1, 0), target: new Vector3(0, 1, 0) }
    while (cutaway.update(0.1, view));
    return !objects[2]?.children[0]?.visible
  }

  test('hangs on it, or in a hole beside it', () => {
    expect(faded(0.92, 0.5)).toBe(true)
    expect(faded(1, 1.2)).toBe(true)
  })

  test('stays, as all walls do, when the switch is off', () => {
    expect(faded(0.92, 0.5, false)).toBe(false)
  })

  test('is not what merely stands in line with it', () => {
    expect(faded(1, 2.5)).toBe(false)
    expect(faded(0.5, 0)).toBe(false)
  })
})
