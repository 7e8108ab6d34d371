import { describe, expect, test } from 'vitest'
import { cellAt, clouds, hash, noise } from '../../src/room/noise'
import { GAIN, PATTERNS, paint } from '../../src/room/pattern_rules'

const steps = (count: number) => Array.from({ length: count }, (_, i) => (i + 0.37) / count)

describe('noise', () => {
  test('depends on its arguments alone, and stays within 0 and 1', () => {
    for (const u of steps(20))
      for (const v of steps(20)) {
        const value = noise(u, v, 5, 9, 3)
        expect(value).toBe(noise(u, v, 5, 9, 3))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }
    expect(hash(1, 2, 3)).not.toBe(hash(2, 1, 3))
    expect(hash(1, 2, 3)).not.toBe(hash(1, 2, 4))
  })

  test('is spread evenly', () => {
    const values = Array.from({ length: 4000 }, (_, i) => hash(i, 7 * i, 1))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean).toBeCloseTo(0.5, 1)
    expect(values.filter((value) => value < 0.1).length / values.length).toBeCloseTo(0.1, 1)
  })

  test.each([
    ['noise', (u: number, v: number) => noise(u, v, 4, 6, 2)],
    ['clouds', (u: number, v: number) => clouds(u, v, 3, 4, 2)],
    ['cells', (u: number, v: number) => cellAt(u, v, 7, 2).near],
  ])('%s repeat without a seam', (_name, rule) => {
    for (const s of steps(11)) {
      expect(rule(1, s)).toBeCloseTo(rule(0, s), 9)
      expect(rule(s, 1)).toBeCloseTo(rule(s, 0), 9)
    }
  })

  test('passes through the values of its grid', () => {
    expect(noise(2 / 5, 3 / 5, 5, 5, 8)).toBeCloseTo(hash(2, 3, 8), 12)
  })

  test('cells are nearer to their own seed than to the next', () => {
    for (const u of steps(9)) {
      const { near, edge, tone } = cellAt(u, 0.4, 8, 1)
      expect(near).toBeLessThan(Math.SQRT2)
      expect(edge).toBeGreaterThanOrEqual(0)
      expect(tone).toBe(cellAt(u, 0.4, 8, 1).tone)
    }
  })
})

describe('patterns', () => {
  test.each(Object.entries(PATTERNS))('%s has tones that a texture can hold', (_name, pattern) => {
    for (const u of steps(23))
      for (const v of steps(23)) {
        const { tone, height } = pattern.at(u, v)
        expect(tone).toBeGreaterThan(0)
        expect(tone).toBeLessThanOrEqual(GAIN)
        expect(Math.abs(height)).toBeLessThan(0.02)
      }
  })

  test('a flat pattern is painted in one tone with normals that point out', () => {
    const { tone, normal } = paint({
      size: [1, 1],
      pixels: [4, 2],
      at: () => ({ tone: 1, height: 0.3 }),
    })
    expect(tone).toHaveLength(4 * 8)
    expect([...tone.slice(0, 4)]).toEqual([204, 204, 204, 255])
    expect([...normal.slice(0, 4)]).toEqual([128, 128, 255, 255])
  })

  test('normals lean away from a slope', () => {
    const { normal } = paint({
      size: [1, 1],
      pixels: [8, 1],
      at: (u) => ({ tone: 1, height: 0.1 * u }),
    })
    const rising = 4 * 3
    expect(normal[rising]).toBeLessThan(128)
    expect(normal[rising + 1]).toBe(128)
  })

  test('tones beyond what a texture holds are cut', () => {
    const at = (u: number) => ({ tone: u < 0.5 ? -1 : 9, height: 0 })
    const { tone } = paint({ size: [1, 1], pixels: [2, 1], at })
    expect([tone[0], tone[4]]).toEqual([0, 255])
  })
})
