import { describe, expect, test } from 'vitest'
import type { JointInfo, NodeInfo } from '../../src/net/protocol'
import { tidy } from '../../src/panels/dom'
import { shortName, visibleRows } from '../../src/panels/tree_rows'
import { jointScale, plain, tuple } from '../../src/panels/units'

describe('numbers', () => {
  test.each([
    [1.005, 1, '1.0'],
    [-0.0004, 2, '0.00'],
    [-1.26, 1, '-1.3'],
    [1234.5678, 0, '1235'],
  ])('tidy(%f, %i) is %s', (value, digits, expected) => {
    expect(tidy(value, digits)).toBe(expected)
  })

  test('plain numbers have no needless zeros', () => {
    expect([plain(2.5, 4), plain(3, 4), plain(-0.00001, 4)]).toEqual(['2.5', '3', '0'])
  })

  test('tuples are written as the console reads them', () => {
    expect(tuple([1, -0.25, 1 / 3])).toBe('(1, -0.25, 0.3333)')
  })
})

describe('scales of joints', () => {
  const makeJoint = (joint: Partial<JointInfo>) =>
    jointScale({ unit: 'rad', lower: null, upper: null, ...joint } as JointInfo)

  test('angles are shown and typed in degrees', () => {
    const scale = makeJoint({ lower: -Math.PI / 2, upper: Math.PI })
    expect([scale.unit, scale.isEndless]).toEqual(['°', false])
    expect([scale.lower, scale.upper].map(Math.round)).toEqual([-90, 180])
    expect(scale.typed(scale.shown(Math.PI / 6))).toBe('30')
  })

  test('slides are shown in millimetres and typed in metres', () => {
    const scale = makeJoint({ unit: 'm', lower: 0, upper: 0.4 })
    expect([scale.unit, scale.upper]).toEqual(['mm', 400])
    expect(scale.typed(scale.shown(0.125))).toBe('0.125')
  })

  test('joints without end get a slider that ends', () => {
    expect(makeJoint({})).toMatchObject({ lower: -360, upper: 360, isEndless: true })
    expect(makeJoint({ unit: 'm' })).toMatchObject({ lower: -1000, upper: 1000 })
  })
})

describe('lines of the tree', () => {
  const node = (row: number, parent: number, name: string) =>
    ({ row, parent, name, robot: '' }) as NodeInfo
  const NODES = [
    node(0, -1, 'world'),
    node(1, 0, 'table'),
    node(2, 1, 'table/Leg'),
    node(3, 0, 'arm'),
    node(4, 3, 'arm/link1'),
    node(5, 4, 'arm/link2'),
  ]
  const lines = (wanted: string, folded: string[] = []) =>
    visibleRows(NODES, wanted, new Set(folded)).map(({ info, depth }) => `${depth} ${info.name}`)

  test('children follow their parents; the root is the room itself', () => {
    expect(lines('')).toEqual(['0 table', '1 table/Leg', '0 arm', '1 arm/link1', '2 arm/link2'])
  })

  test('what is folded hides all below it', () => {
    expect(lines('', ['arm'])).toEqual(['0 table', '1 table/Leg', '0 arm'])
    const [, , arm] = visibleRows(NODES, '', new Set(['arm']))
    expect(arm?.hasChildren).toBe(true)
  })

  test('a search finds in folded branches, whatever the case, and shows the parents', () => {
    expect(lines(' LEG ', ['table'])).toEqual(['0 world', '1 table', '2 table/Leg'])
    expect(lines('nothing')).toEqual([])
  })

  test('names are shown without those of the robot or parent', () => {
    const [, table, leg] = NODES as [NodeInfo, NodeInfo, NodeInfo]
    expect(shortName(leg, table)).toBe('Leg')
    expect(shortName({ ...leg, name: 'lamp' }, table)).toBe('lamp')
    expect(shortName({ ...leg, name: 'r2/hand', robot: 'r2' }, table)).toBe('hand')
  })
})
