import { Group, type Object3D } from 'three'
import type { Close, RoomNode, RoomView } from './app'
import type { LiveConnection } from './connection'
import { type Frame, PLACE, readFrame } from './frames'
import { closeAll, makeListeners } from './listeners'
import type { NodeInfo, RobotInfo, RobotState, Room } from './protocol'
import { recall, remember } from './remembered'
import { dropOwn, type Shapes } from './shapes'
import type { Skins } from './skins'

/** The room as its owner sees it: also told of each frame. */
export interface LiveRoom extends RoomView {
  readonly structure: number
  readonly hasPlaces: boolean // the first frame has come
  onFrame(handler: (moved: Uint32Array) => void): Close
  onLooks(handler: () => void): Close // shapes changed, and nothing else
  /** Draw all nodes anew: looks are made differently now. */
  redraw(): void
  close: Close
}

interface DrawnNode extends RoomNode {
  drawn: NodeInfo['visuals'] | undefined // what it was drawn from
  look: string // the same in words; drawn anew when they change
}

const EMPTY: Room = {
  kind: 'room',
  structure: -1,
  nodes: [],
  robots: [],
  skins: [],
  keys: [],
  active: '',
  can_undo: false,
  can_redo: false,
}

export function makeRoom(
  connection: LiveConnection,
  { root, shapes, skins }: { root: Group; shapes: Shapes; skins: Skins },
): LiveRoom {
  const changes = makeListeners()
  const heard = makeListeners()
  const looks = makeListeners()
  const moves = makeListeners<[Uint32Array]>()
  const states = new Map<string, RobotState>()
  let room = EMPTY
  let nodes: DrawnNode[] = []
  let byName = new Map<string, DrawnNode>()
  let robots = new Map<string, RobotInfo>()
  let tick = 0
  let time = 0
  let hasPlaces = false
  let isWireframe = recall<boolean>('wireframe') ?? false

  const redraw = () => {
    const hidden = inherit(nodes, (info) => !info.visible)
    const wired = inherit(nodes, (info) => info.wireframe)
    for (const node of nodes) {
      node.object.visible = !hidden.has(node)
      drawNode(node, (isWireframe && !isEndless(node.info)) || wired.has(node), shapes)
    }
    skins.dress(isWireframe)
    shapes.sweep(root.children)
  }
  const receiveRoom = (message: Room) => {
    const before = byName
    room = message
    nodes = message.nodes.map((info) => {
      const old = before.get(info.name)
      if (!old) return makeNode(info)
      old.info = info
      return old
    })
    byName = new Map(nodes.map((node) => [node.info.name, node]))
    for (const [name, node] of before)
      if (byName.get(name) !== node) {
        dropOwn(node.object)
        root.remove(node.object)
      }
    for (const node of nodes) if (node.object.parent !== root) root.add(node.object)
    robots = new Map(message.robots.map((robot) => [robot.name, robot]))
    for (const name of states.keys()) if (!robots.has(name)) states.delete(name)
    skins.receive(message.skins)
    redraw()
    changes.tell()
  }
  const receiveFrame = (frame: Frame | undefined) => {
    if (frame?.structure !== room.structure) return
    placeNodes((row) => nodes[row]?.object ?? skins.bone(row), frame)
    skins.follow()
    tick = frame.tick
    time = frame.time
    hasPlaces = true
    moves.tell(frame.rows)
  }
  let run = ''
  const close = closeAll([
    connection.on('welcome', (message) => {
      if (message.run !== run) tick = time = 0 // a server that was started anew counts from 0
      run = message.run
    }),
    connection.on('room', receiveRoom),
    connection.on('nodes', (message) => {
      if (message.structure !== room.structure) return
      let isOnlyLooks = true
      for (const info of message.nodes) {
        const node = nodes[info.row]
        if (!node) continue
        isOnlyLooks &&= isSameBut(node.info, info, 'visuals')
        node.info = info
      }
      redraw()
      // Traces and ellipsoids change all the time: only who draws needs to know.
      if (isOnlyLooks) looks.tell()
      else changes.tell()
    }),
    connection.on('room_changed', (message) => {
      room = { ...room, ...message, kind: 'room' }
      robots = new Map(message.robots.map((robot) => [robot.name, robot]))
      changes.tell()
    }),
    connection.on('robots', (message) => {
      for (const state of message.robots) states.set(state.name, state)
      heard.tell()
    }),
    connection.onBinary((buffer) => receiveFrame(readFrame(buffer))),
  ])

  return {
    root,
    get nodes() {
      return nodes
    },
    get robots() {
      return robots
    },
    states,
    get skins() {
      return room.skins
    },
    get keys() {
      return room.keys
    },
    get canUndo() {
      return room.can_undo
    },
    get canRedo() {
      return room.can_redo
    },
    get active() {
      return room.active
    },
    get structure() {
      return room.structure
    },
    get hasPlaces() {
      return hasPlaces
    },
    get tick() {
      return tick
    },
    get time() {
      return time
    },
    node: (name) => byName.get(name),
    nodeOf(object) {
      for (let at: Object3D | null = object; at; at = at.parent) {
        const name = at.userData.node
        if (typeof name === 'string') return byName.get(name)
      }
      return undefined
    },
    joint: (robot, index) => robots.get(robot)?.joints[index],
    onChange: changes.on,
    onStates: heard.on,
    onFrame: moves.on,
    onLooks: looks.on,
    get isWireframe() {
      return isWireframe
    },
    set isWireframe(next) {
      isWireframe = next
      remember('wireframe', next)
      redraw()
      changes.tell()
    },
    redraw() {
      for (const node of nodes) node.look = ''
      redraw()
      changes.tell()
    },
    close,
  }
}

/** The world of the room: its z is up, as is three's y. */
export function makeRoot(): Group {
  const root = new Group()
  root.name = 'room'
  root.rotation.x = -Math.PI / 2
  return root
}

/** A floor without end would cover the picture with wires. */
function isEndless({ visuals }: NodeInfo): boolean {
  return visuals.some(({ shape }) => shape.kind === 'plane')
}

function makeNode(info: NodeInfo): DrawnNode {
  const object = new Group()
  object.name = info.name
  object.userData.node = info.name
  object.matrixAutoUpdate = false // places come with frames
  return { info, object, drawn: undefined, look: '' }
}

/** Draw a node anew if it looks different from what it was drawn for. */
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
  if (drawn.length) node.object.add(...drawn)
}

function isSameBut(a: NodeInfo, b: NodeInfo, left: keyof NodeInfo): boolean {
  const words = (info: NodeInfo) => JSON.stringify({ ...info, [left]: undefined })
  return words(a) === words(b)
}

/** Nodes with a quality of their own or of one they stand on. */
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

function placeNodes(objectOf: (row: number) => Object3D | undefined, frame: Frame): void {
  frame.rows.forEach((row, k) => {
    const object = objectOf(row)
    if (!object) return
    const at = k * PLACE
    object.position.fromArray(frame.places, at)
    object.quaternion.fromArray(frame.places, at + 3)
    object.scale.setScalar(frame.places[at + 7] ?? 1)
    object.updateMatrix()
    object.matrixWorldNeedsUpdate = true
  })
}
