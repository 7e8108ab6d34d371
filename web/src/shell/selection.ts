import type { Close, Connection, RoomNode, Selection, Stage } from '../app'
import { closeAll, listen, makeListeners } from '../listeners'
import type { RobotInfo } from '../net/protocol'
import type { LiveRoom } from '../room/room'

const MAX_CLICK_MOVE = 5 // pixels

/** What is chosen, by clicks on the picture or by name. */
export function makeSelection(
  stage: Stage,
  room: LiveRoom,
  connection: Connection,
): Selection & { close: Close } {
  const changes = makeListeners()
  let chosen = ''
  let hovered: RoomNode | undefined
  let pressed: { x: number; y: number } | undefined
  let pointer: PointerEvent | undefined // not yet looked at
  const watch = makeWatch(connection, () => self.robot?.name ?? '')

  const choose = (name: string) => {
    if (name === chosen) return
    chosen = name
    watch.update()
    stage.redraw()
    changes.tell()
  }
  const hover = (node: RoomNode | undefined) => {
    if (node === hovered) return
    hovered = node
    stage.redraw()
    changes.tell()
  }
  const click = (event: PointerEvent) => {
    const moved = pressed
      ? Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y)
      : MAX_CLICK_MOVE
    pressed = undefined
    if (moved < MAX_CLICK_MOVE && self.isOn && stage.cameraIsFree)
      choose(stage.pick(event)?.node.info.name ?? '')
  }
  const focus = (event: MouseEvent) => {
    const picked = self.isOn ? stage.pick(event) : undefined
    if (picked) stage.focus(picked.node.info.name)
  }

  const self: Selection & { close: Close } = {
    isOn: true,
    get node() {
      return room.node(chosen)
    },
    get hovered() {
      return hovered
    },
    get robot() {
      return robotOf(room, chosen)
    },
    choose,
    onChange: changes.on,
    close: closeAll([
      listen(stage.canvas, 'pointerdown', (event) => {
        pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined
      }),
      listen(stage.canvas, 'pointermove', (event) => {
        pointer = event
      }),
      listen(stage.canvas, 'pointerup', click),
      listen(stage.canvas, 'pointerleave', () => {
        pointer = undefined
        hover(undefined)
      }),
      listen(stage.canvas, 'dblclick', focus),
      stage.onFrame(() => {
        if (!stage.cameraIsFree) pressed = undefined // a drag of something else
        if (!pointer) return
        hover(mayHover(pointer) ? stage.pick(pointer)?.node : undefined)
        pointer = undefined
      }),
      room.onChange(() => {
        if (hovered && room.node(hovered.info.name) !== hovered) hover(undefined)
        if (chosen && !room.node(chosen)) choose('')
        watch.update()
      }),
      connection.onState(watch.repeat),
    ]),
  }
  return self
}

/** The robot that a node belongs to, or the active one, or any. */
function robotOf(room: LiveRoom, node: string): RobotInfo | undefined {
  const owner = room.node(node)?.info.robot || room.active
  return room.robots.get(owner) ?? room.robots.values().next().value
}

/** Fingers do not hover, nor does a mouse that drags. */
function mayHover(pointer: PointerEvent): boolean {
  return pointer.buttons === 0 && pointer.pointerType !== 'touch'
}

/** Tells the server which robot the page is about: of that one it sends all figures. */
function makeWatch(connection: Connection, robotName: () => string) {
  let watched: string | undefined
  const update = () => {
    const robot = robotName()
    if (robot === watched || connection.state !== 'open') return
    watched = robot
    connection.send({ kind: 'watch', robot })
  }
  return {
    update,
    /** Say it again, to a server that does not know it yet. */
    repeat() {
      watched = undefined
      update()
    },
  }
}
