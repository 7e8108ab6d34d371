// The nodes of the room as they are drawn.

import { Group, type Object3D } from 'three'
import type { RoomNode } from '../app'
import type { NodeInfo } from '../net/protocol'
import { dropOwn, type Shapes } from './shapes'

const NO_PARENT = -1 // the row of a root's parent

interface DrawnNode extends RoomNode {
  isPlaced: boolean
  drawn: NodeInfo['visuals'] | undefined // what it was drawn from
  look: string // the same as text; a change of it means to draw the node again
}

export interface Nodes {
  readonly all: readonly RoomNode[]
  get(name: string): RoomNode | undefined
  /** The node that an object in it is drawn for. */
  owner(object: Object3D): RoomNode | undefined
  /** Take over the nodes of a room; what is no longer there is removed. */
  replace(infos: readonly NodeInfo[]): void
  /** Take over nodes that changed; returns whether nothing but their looks did. */
  update(infos: readonly NodeInfo[]): boolean
  /** These rows have places now; returns whether some had none before. */
  place(rows: Uint32Array): boolean
  /** Draw what looks different from what it was drawn for. */
  draw(isWireframe: boolean): void
  /** Let `draw` draw all nodes again: looks are made differently now. */
  forgetLooks(): void
}

export function makeNodes(root: Group, shapes: Shapes): Nodes {
  let nodes: DrawnNode[] = []
  let byName = new Map<string, DrawnNode>()
  let hasUnplaced = false
  return {
    get all() {
      return nodes
    },
    get: (name) => byName.get(name),
    owner(object) {
      for (let at: Object3D | null = object; at; at = at.parent) {
        const name = at.userData.node
        if (typeof name === 'string') return byName.get(name)
      }
      return undefined
    },
    replace(infos) {
      const before = byName
      const found = infos.map((info) => before.get(info.name)) // fails before anything is changed
      nodes = infos.map((info, k) => {
        const old = found[k]
        if (!old) return makeNode(info)
        old.info = info
        return old
      })
      openCircles(nodes)
      hasUnplaced = nodes.some((node) => !node.isPlaced)
      byName = new Map(nodes.map((node) => [node.info.name, node]))
      for (const [name, node] of before)
        if (byName.get(name) !== node) {
          dropOwn(node.object)
          root.remove(node.object)
        }
      for (const node of nodes) if (node.object.parent !== root) root.add(node.object)
    },
    update(infos) {
      let isOnlyLooks = true
      const found = infos.map((info) => nodes[info.row]) // fails before anything is changed
      for (const [k, info] of infos.entries()) {
        const node = found[k]
        if (!node) continue
        isOnlyLooks &&= isSameBut(node.info, info, 'visuals')
        node.info = info
      }
      if (!isOnlyLooks) openCircles(nodes)
      return isOnlyLooks
    },
    place(rows) {
      if (!hasUnplaced) return false
      for (const row of rows) {
        const node = nodes[row]
        if (node) node.isPlaced = true
      }
      hasUnplaced = nodes.some((node) => !node.isPlaced)
      return true
    },
    draw(isWireframe) {
      const hidden = inherit(nodes, (info) => !info.visible)
      const wired = inherit(nodes, (info) => info.wireframe)
      for (const node of nodes) {
        node.object.visible = node.isPlaced && !hidden.has(node)
        drawNode(node, (isWireframe && !isEndless(node.info)) || wired.has(node), shapes)
      }
    },
    forgetLooks() {
      for (const node of nodes) node.look = ''
    },
  }
}

/** Endless floors are not drawn as wireframes: they would cover the picture. */
function isEndless({ visuals }: NodeInfo): boolean {
  return visuals.some(({ shape }) => shape.kind === 'plane')
}

function makeNode(info: NodeInfo): DrawnNode {
  const object = new Group()
  object.name = info.name
  object.userData.node = info.name
  object.matrixAutoUpdate = false // places come with frames
  return { info, object, isPlaced: false, drawn: undefined, look: '' }
}

/** Draw a node again if it looks different from what it was drawn for. */
function drawNode(node: DrawnNode, wireframe: boolean, shapes: Shapes): void {
  const { visuals, is_region: isRegion } = node.info
  if (visuals === node.drawn && node.look.startsWith(`${wireframe} ${isRegion}`)) return
  node.drawn = visuals
  const look = `${wireframe} ${isRegion} ${JSON.stringify(visuals)}`
  if (look === node.look) return
  node.look = look
  dropOwn(node.object)
  node.object.clear()
  const drawn = shapes.draw(node.info, { wireframe, isRegion })
  for (const part of drawn) if (isRegion) part.castShadow = false // a part of space is no thing
  if (drawn.length) node.object.add(...drawn)
}

/** Make a root of one node in every circle of parents: whoever follows parents comes to an end. */
function openCircles(nodes: readonly DrawnNode[]): void {
  const ends = new Set<DrawnNode>() // their parents lead to a root
  for (const node of nodes) {
    const path = new Set<DrawnNode>()
    for (let at: DrawnNode | undefined = node; at && !ends.has(at); at = nodes[at.info.parent]) {
      if (path.has(at)) at.info = { ...at.info, parent: NO_PARENT }
      path.add(at)
    }
    for (const each of path) ends.add(each)
  }
}

function isSameBut(a: NodeInfo, b: NodeInfo, left: keyof NodeInfo): boolean {
  const words = (info: NodeInfo) => JSON.stringify({ ...info, [left]: undefined })
  return words(a) === words(b)
}

/** Nodes that have a property themselves or inherit it from a parent. */
function inherit(nodes: readonly DrawnNode[], has: (info: NodeInfo) => boolean): Set<DrawnNode> {
  const out = new Set<DrawnNode>()
  const known = new Map<number, boolean>()
  const ask = (row: number): boolean => {
    const node = nodes[row]
    if (!node) return false
    const before = known.get(row)
    if (before !== undefined) return before
    const answer = has(node.info) || ask(node.info.parent)
    known.set(row, answer)
    return answer
  }
  for (const node of nodes) if (ask(node.info.row)) out.add(node)
  return out
}
