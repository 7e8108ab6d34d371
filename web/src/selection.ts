import type { Close, Connection, RoomNode, Selection, Stage } from './app'
import { closeAll, listen, makeListeners } from './listeners'
import type { LiveRoom } from './room'

const STILL = 5 // pixels: a press that moves less is a click

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
  let watched: string | undefined

  const watch = () => {
    const robot = self.robot?.name ?? ''
    if (robot === watched || connection.state !== 'open') return
    watched = robot
    connection.send({ kind: 'watch', robot })
  }
  const choose = (name: string) => {
    if (name === chosen) return
    chosen = name
    watch()
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
    const moved = pressed ? Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) : STILL
    pressed = undefined
    if (moved < STILL && self.isOn && stage.cameraIsFree)
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
      const owner = room.node(chosen)?.info.robot || room.active
      return room.robots.get(owner) ?? room.robots.values().next().value
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
        hover(
          pointer.buttons || pointer.pointerType === 'touch'
            ? undefined
            : stage.pick(pointer)?.node,
        )
        pointer = undefined
      }),
      room.onChange(() => {
        if (hovered && room.node(hovered.info.name) !== hovered) hover(undefined)
        if (chosen && !room.node(chosen)) choose('')
        watch()
      }),
      connection.onState(() => {
        watched = undefined
        watch()
      }),
    ]),
  }
  return self
}
