import { Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { readWall, trackerOf, writeTracker } from '../../src/wall/settings'

describe('the address of a fixed screen', () => {
  it('says where the screen is, and where the head is before it', () => {
    const wall = readWall('?screen=2.4x1.35&at=1.2,0,1.3')
    expect(wall?.width).toBe(2.4)
    const right = new Vector3(1, 0, 0).transformDirection(
      wall?.pose ?? trackerOf(new URLSearchParams()),
    )
    expect(right.toArray()).toEqual([0, -1, 0]) // of who looks along x
    expect(wall?.eye.x).toBeCloseTo(0.45, 12)
    expect(wall?.stereo).toBe('off')
  })

  it('turns the screen about the vertical', () => {
    const wall = readWall('?screen=2x1&at=0,1,1&yaw_deg=90')
    const [x, y, z] = wall?.eye.toArray() ?? []
    expect(x).toBeCloseTo(0, 12)
    expect(y).toBeCloseTo(0.25, 12) // who looks along y stands before it
    expect(z).toBeCloseTo(1, 12)
  })

  it('is not there without a size, and says what is wrong', () => {
    expect(readWall('?emulate=quest3')).toBeUndefined()
    expect(() => readWall('?screen=wide')).toThrow('2.4x1.35')
    expect(() => readWall('?screen=2x1&at=1,2')).toThrow('3 numbers')
    expect(() => readWall('?screen=2x1&stereo=quad')).toThrow('sequential')
    expect(() => readWall('?screen=2x1&tracker=1,2,3,0,0,0,0')).toThrow('tracker')
  })

  it('writes a registration as it reads it', () => {
    const text = '0.10000,-0.20000,1.50000,0.00000,0.00000,0.70711,0.70711'
    const pose = trackerOf(new URLSearchParams({ tracker: text }))
    expect(writeTracker(pose)).toBe(text)
  })
})
