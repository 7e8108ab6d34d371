import { beforeEach, describe, expect, test } from 'vitest'
import type { Connection, RoomNode, Stage } from '../../src/app'
import { makeListeners } from '../../src/listeners'
import type { LiveRoom } from '../../src/room/room'
import { makeSelection } from '../../src/shell/selection'

const node = (name: string, robot = '') => ({ info: { name, robot } }) as RoomNode
const robot = (name: string) => ({ name })

function makeWorld() {
  const canvas = new EventTarget()
  const frames = makeListeners()
  const changes = makeListeners()
  const states = makeListeners()
  const sent: unknown[] = []
  const world = {
    canvas,
    frames,
    changes,
    states,
    sent,
    under: undefined as RoomNode | undefined,
    focused: '',
    nodes: new Map([node('box'), node('arm/link1', 'arm')].map((each) => [each.info.name, each])),
    stage: {} as Stage,
    room: {} as LiveRoom,
    connection: {} as Connection,
  }
  Object.assign(world.stage, {
    canvas,
    cameraIsFree: true,
    redraw: () => {},
    pick: () => (world.under ? { node: world.under } : undefined),
    focus: (name: string) => {
      world.focused = name
    },
    onFrame: frames.on,
  })
  Object.assign(world.room, {
    active: 'toy',
    robots: new Map([robot('arm'), robot('toy')].map((each) => [each.name, each])),
    node: (name: string) => world.nodes.get(name),
    onChange: changes.on,
  })
  Object.assign(world.connection, {
    state: 'open',
    send: (message: unknown) => sent.push(message),
    onState: states.on,
  })
  return world
}

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
})

function point(type: string, x = 0, options = {}): void {
  const place = { clientX: x, clientY: 0, button: 0, buttons: 0, pointerType: 'mouse' }
  world.canvas.dispatchEvent(Object.assign(new Event(type), { ...place, ...options }))
}

const make = () => makeSelection(world.stage, world.room, world.connection)

describe('the pointer', () => {
  test('a click chooses what is under it, or nothing', () => {
    const selection = make()
    world.under = world.nodes.get('box')
    point('pointerdown')
    point('pointerup', 3)
    expect(selection.node?.info.name).toBe('box')
    world.under = undefined
    point('pointerdown')
    point('pointerup')
    expect(selection.node).toBeUndefined()
  })

  test.each([
    ['moves', () => point('pointerup', 6)],
    [
      'drags something',
      () => {
        world.stage.cameraIsFree = false
        point('pointerup')
      },
    ],
  ])('a press that %s is no click', (_name, release) => {
    const selection = make()
    world.under = world.nodes.get('box')
    point('pointerdown')
    release()
    expect(selection.node).toBeUndefined()
  })

  test('a tool that uses clicks switches it off', () => {
    const selection = make()
    selection.isOn = false
    world.under = world.nodes.get('box')
    point('pointerdown')
    point('pointerup')
    point('dblclick')
    expect(selection.node).toBeUndefined()
    expect(world.focused).toBe('')
  })

  test('a mouse hovers from picture to picture; fingers and drags do not', () => {
    const selection = make()
    world.under = world.nodes.get('box')
    point('pointermove')
    expect(selection.hovered).toBeUndefined()
    world.frames.tell()
    expect(selection.hovered?.info.name).toBe('box')
    point('pointermove', 0, { buttons: 1 })
    world.frames.tell()
    expect(selection.hovered).toBeUndefined()
    point('pointermove', 0, { pointerType: 'touch' })
    world.frames.tell()
    expect(selection.hovered).toBeUndefined()
  })
})

describe('the selection', () => {
  test('the robot is that of the chosen node, or the active one', () => {
    const selection = make()
    expect(selection.robot?.name).toBe('toy')
    selection.choose('arm/link1')
    expect(selection.robot?.name).toBe('arm')
  })

  test('the server is sent the robot once, and again after a reconnection', () => {
    const selection = make()
    world.changes.tell()
    world.changes.tell()
    selection.choose('arm/link1')
    world.states.tell()
    expect(world.sent).toEqual([
      { kind: 'watch', robot: 'toy' },
      { kind: 'watch', robot: 'arm' },
      { kind: 'watch', robot: 'arm' },
    ])
  })

  test('what left the room is no longer chosen', () => {
    const selection = make()
    let changes = 0
    selection.choose('box')
    selection.onChange(() => changes++)
    world.nodes.delete('box')
    world.changes.tell()
    selection.choose('')
    expect(changes).toBe(1)
  })
})
