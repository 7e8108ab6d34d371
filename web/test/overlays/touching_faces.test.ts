import { describe, expect, it } from 'vitest'
import { touchingFaces } from '../../src/overlays/touching_faces'

/** Two triangles of a square in a plane z, from (x, y) with a side. */
function square(x: number, y: number, z: number, side: number): number[] {
  const [a, b, c, d] = [
    [x, y, z],
    [x + side, y, z],
    [x + side, y + side, z],
    [x, y + side, z],
  ] as [number[], number[], number[], number[]]
  return [...a, ...b, ...c, ...a, ...c, ...d]
}

const triangles = (...numbers: number[][]) => Float64Array.from(numbers.flat())

describe('faces that touch', () => {
  it('are found within the tolerance, and only these', () => {
    const floor = triangles(square(0, 0, 0, 1), square(5, 0, 0, 1))
    const foot = triangles(square(0.4, 0.1, 0.001, 0.1), square(0.4, 0.1, 0.2, 0.1))
    expect(touchingFaces(floor, foot, 0.002)).toEqual([[0], [0, 1]])
    expect(touchingFaces(floor, foot, 0.0005)).toEqual([[], []])
  })

  it('are found where they cross', () => {
    const floor = triangles(square(0, 0, 0, 1))
    const wall = triangles(
      [0.5, 0.2, -0.1, 0.5, 0.4, -0.1, 0.5, 0.3, 0.3],
      [3, 0, 0, 3, 1, 0, 3, 0, 1],
    )
    expect(touchingFaces(floor, wall, 0)).toEqual([[0], [0]])
  })

  it('do not include neighbours in a plane', () => {
    const left = triangles([0, 0, 0, 1, 0, 0, 0, 1, 0])
    const right = triangles([1.2, 1.2, 0, 2, 1.2, 0, 1.2, 2, 0])
    expect(touchingFaces(left, right, 0.01)).toEqual([[], []])
  })

  it('of nothing are none', () => {
    expect(touchingFaces(new Float64Array(), triangles(square(0, 0, 0, 1)), 1)).toEqual([[], []])
  })
})
