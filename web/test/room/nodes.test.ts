import { Group } from 'three'
import { expect, test } from 'vitest'
import type { NodeInfo } from '../../src/net/protocol'
import { makeNodes, type Nodes } from '../../src/room/nodes'
import type { Shapes } from '../../src/room/shapes'

const NOTHING_DRAWN = { draw: () => [] } as unknown as Shapes

function info(row: number, parent: number): NodeInfo {
  return {
    row,
    name: `node${row}`,
    parent,
    robot: '',
    visuals: [],
    visible: true,
    wireframe: false,
    pickable: true,
    light: null,
    field_of_view: 0,
    is_region: false,
    is_guided: false,
    slides_along: null,
    turns_about: null,
    hinge: null,
  }
}

function nodesWith(...parents: number[]): Nodes {
  const nodes = makeNodes(new Group(), NOTHING_DRAWN)
  nodes.replace(parents.map((parent, row) => info(row, parent)))
  return nodes
}

/** How many nodes are above one; fails if there is no end. */
function depth(nodes: Nodes, row: number): number {
  let count = 0
  for (let at = nodes.all[row]; at; at = nodes.all[at.info.parent])
    if (count++ > nodes.all.length) throw new Error('the parents have no end')
  return count
}

test('parents stay as they were sent', () => {
  const nodes = nodesWith(-1, 0, 1, 1)
  expect(nodes.all.map((_, row) => depth(nodes, row))).toEqual([1, 2, 3, 3])
})

test('a circle of parents has an end, whoever sends it', () => {
  const nodes = nodesWith(0, 2, 3, 1, 3)
  expect(nodes.all.map((_, row) => depth(nodes, row) <= 4)).toEqual(Array(5).fill(true))
  nodes.draw(false)
})

test('nodes that change later make no circle either', () => {
  const nodes = nodesWith(-1, 0, 1)
  nodes.update([info(0, 2)])
  expect(nodes.all.map((_, row) => depth(nodes, row) <= 3)).toEqual([true, true, true])
})

test('a list that is broken changes nothing', () => {
  const nodes = nodesWith(-1, 0, 1)
  const broken = [info(0, 2), null] as unknown as NodeInfo[]
  expect(() => nodes.replace(broken)).toThrow()
  expect(() => nodes.update(broken)).toThrow()
  expect(nodes.all.map(({ info }) => info.parent)).toEqual([-1, 0, 1])
})

test('a node is not drawn before a frame has said where it is', () => {
  const nodes = nodesWith(-1, 0)
  expect(nodes.place(new Uint32Array([0, 1]))).toBe(true)
  nodes.replace([info(0, -1), info(1, 0), info(2, 0)])
  nodes.draw(false)
  expect(nodes.all.map((node) => node.object.visible)).toEqual([true, true, false])
  expect(nodes.place(new Uint32Array([2]))).toBe(true)
  nodes.draw(false)
  expect(nodes.get('node2')?.object.visible).toBe(true)
  expect(nodes.place(new Uint32Array([2]))).toBe(false)
})
