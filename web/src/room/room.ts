import { Group, type Object3D } from 'three'
import type { Close, RoomView } from '../app'
import { combine } from '../combine'
import { closeAll, makeListeners } from '../listeners'
import type { LiveConnection } from '../net/connection'
import { type Frame, PLACE, readFrame } from '../net/frames'
import type { RobotInfo, RobotState, RoomContents } from '../net/protocol'
import { recall, remember } from '../remembered'
import { makeNodes, type Nodes } from './nodes'
import type { Shapes } from './shapes'
import type { Skins } from './skins'

/** The room with what only its owner needs: frames, redrawing, closing. */
export interface LiveRoom extends RoomView {
  readonly structure: number
  readonly hasPlaces: boolean // the first frame has come
  readonly isComplete: boolean // all meshes have come
  onFrame(handler: (moved: Uint32Array) => void): Close
  onLooks(handler: () => void): Close // shapes changed, and nothing else
  /** Draw all nodes again: looks are made differently now. */
  redraw(): void
  close: Close
}

/** What the server has said about the room. */
interface Facts {
  room: RoomContents
  robots: Map<string, RobotInfo>
  readonly states: Map<string, RobotState>
  run: string // of the server
  tick: number
  time: number // s
  hasPlaces: boolean
}

const EMPTY: RoomContents = {
  kind: 'room',
  structure: -1,
  nodes: [],
  robots: [],
  skins: [],
  keys: [],
  device_keys: [],
  devices: {},
  active: '',
  can_undo: false,
  can_redo: false,
  controls: [],
  task: null,
}

export function makeRoom(
  connection: LiveConnection,
  { root, shapes, skins }: { root: Group; shapes: Shapes; skins: Skins },
): LiveRoom {
  const events = { changes: makeListeners(), states: makeListeners(), looks: makeListeners() }
  const moves = makeListeners<[Uint32Array]>()
  const nodes = makeNodes(root, shapes)
  const facts = noFacts()
  let isWireframe = recall<boolean>('wireframe') ?? false

  const draw = () => {
    nodes.draw(isWireframe)
    skins.dress(isWireframe)
    shapes.sweep(root.children)
  }
  const receiveRoom = (message: RoomContents) => {
    takeRoom(facts, message)
    for (const name of facts.states.keys()) if (!facts.robots.has(name)) facts.states.delete(name)
    nodes.replace(message.nodes)
    skins.receive(message.skins)
    draw()
    events.changes.tell()
  }
  const receiveFrame = (frame: Frame | undefined) => {
    if (frame?.structure !== facts.room.structure) return
    placeNodes((row) => nodes.all[row]?.object ?? skins.bone(row), frame)
    skins.follow()
    facts.tick = frame.tick
    facts.time = frame.time
    facts.hasPlaces = true
    const isNew = nodes.place(frame.rows)
    if (isNew) draw()
    moves.tell(frame.rows)
    if (isNew) events.changes.tell()
  }
  const own = {
    root,
    onChange: events.changes.on,
    onStates: events.states.on,
    onFrame: moves.on,
    onLooks: events.looks.on,
    get isComplete() {
      return shapes.pending === 0
    },
    get isWireframe() {
      return isWireframe
    },
    set isWireframe(next) {
      isWireframe = next
      remember('wireframe', next)
      draw()
      events.changes.tell()
    },
    redraw() {
      nodes.forgetLooks()
      draw()
      events.changes.tell()
    },
    close: closeAll([
      connection.on('room', receiveRoom),
      connection.on('nodes', (message) => {
        if (message.structure !== facts.room.structure) return
        const isOnlyLooks = nodes.update(message.nodes)
        draw()
        // Traces and ellipsoids change all the time: only the stage needs to know.
        if (isOnlyLooks) events.looks.tell()
        else events.changes.tell()
      }),
      receiveFacts(connection, facts, events),
      connection.onBinary((buffer) => receiveFrame(readFrame(buffer))),
    ]),
  }
  return combine(own, readNodes(nodes), readFacts(facts))
}

/** The world of the room: its z is up, as is three's y. */
export function makeRoot(): Group {
  const root = new Group()
  root.name = 'room'
  root.rotation.x = -Math.PI / 2
  return root
}

function noFacts(): Facts {
  return {
    room: EMPTY,
    robots: new Map(),
    states: new Map(),
    run: '',
    tick: 0,
    time: 0,
    hasPlaces: false,
  }
}

function takeRoom(facts: Facts, room: RoomContents): void {
  facts.room = room
  facts.robots = new Map(room.robots.map((robot) => [robot.name, robot]))
}

/** Receive the messages that draw nothing. */
function receiveFacts(
  connection: LiveConnection,
  facts: Facts,
  events: { changes: { tell(): void }; states: { tell(): void } },
): Close {
  return closeAll([
    connection.on('welcome', ({ run }) => {
      if (run !== facts.run) facts.tick = facts.time = 0 // a restarted server counts from 0
      facts.run = run
    }),
    connection.on('room_changed', (message) => {
      takeRoom(facts, { ...facts.room, ...message, kind: 'room' })
      events.changes.tell()
    }),
    connection.on('robots', (message) => {
      for (const state of message.robots) facts.states.set(state.name, state)
      events.states.tell()
    }),
  ])
}

function readNodes(nodes: Nodes): Pick<LiveRoom, 'node' | 'nodeOf' | 'nodes'> {
  return {
    get nodes() {
      return nodes.all
    },
    node: nodes.get,
    nodeOf: nodes.owner,
  }
}

type FactNames =
  | 'active'
  | 'canRedo'
  | 'canUndo'
  | 'controls'
  | 'hasPlaces'
  | 'joint'
  | 'deviceKeys'
  | 'devices'
  | 'keys'
  | 'robots'
  | 'skins'
  | 'states'
  | 'structure'
  | 'task'
  | 'tick'
  | 'time'

function readFacts(facts: Facts): Pick<LiveRoom, FactNames> {
  return {
    states: facts.states,
    get robots() {
      return facts.robots
    },
    get skins() {
      return facts.room.skins
    },
    get keys() {
      return facts.room.keys
    },
    get deviceKeys() {
      return facts.room.device_keys
    },
    get devices() {
      return facts.room.devices
    },
    get canUndo() {
      return facts.room.can_undo
    },
    get controls() {
      return facts.room.controls
    },
    get task() {
      return facts.room.task
    },
    get canRedo() {
      return facts.room.can_redo
    },
    get active() {
      return facts.room.active
    },
    get structure() {
      return facts.room.structure
    },
    get hasPlaces() {
      return facts.hasPlaces
    },
    get tick() {
      return facts.tick
    },
    get time() {
      return facts.time
    },
    joint: (robot, index) => facts.robots.get(robot)?.joints[index],
  }
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
