// Mouse and touch in the picture: the ball of the end-effector, a link (K12), a door or drawer, or a
// chosen object follows when it is pressed and drawn. Everything else is left to the camera.

import { Matrix4, Plane, Vector3 } from 'three'
import type { App, Close, RoomNode } from '../app'
import { closeAll, listen } from '../listeners'
import { makeBall } from './ball'
import type { Cursor } from './cursor'
import { type Way, wayOf } from './guides'
import { guidedOf, isMovable, linkOf, tipLine } from './movable'
import { type Placing, startPlacing } from './placing'
import { makeTether } from './tether'

const MAX_CLICK_MOVE = { mouse: 4, touch: 10 } // pixels
const DEPTH_PER_PIXEL = 0.004 // m, with Shift
const DEPTH_PER_WHEEL = 0.0006 // m for a pixel of the wheel

/** What is pressed, and how it is held: by a line for the room, or put elsewhere without one. */
interface Hold {
  node: RoomNode
  point: Vector3 // in the room
  line?: string
}

interface Press extends Hold {
  id: number
  x: number
  y: number
  slack: number // pixels; less is a click
  drag?: Drag
}

interface Drag {
  plane: Plane // through what is held, facing the eye; in three's world
  towards: Vector3 // along the view
  target: Vector3 // in the room
  way?: Way | undefined // of a door or drawer
  placing?: Placing
}

interface PointerParts {
  cursor: Cursor
  isTaken: () => boolean // the mouse is on a handle
  hasHandle: () => boolean // there is one
}

export function setUpPointer(app: App, parts: PointerParts): Close {
  const { stage, room } = app
  const { cursor } = parts
  const tether = makeTether(app)
  const ball = makeBall(app, () => !parts.hasHandle())
  let press: Press | undefined

  const down = (event: PointerEvent) => {
    if (event.target !== stage.canvas || stage.renderer.xr.isPresenting) return
    if (press) return end(false) // a second finger: that is the camera's
    if (event.button !== 0 || event.altKey || parts.isTaken() || !mayMove(app)) return
    const hold = holdAt(app, event, ball.at(event))
    if (!hold) return
    const { pointerId: id, clientX: x, clientY: y } = event
    const slack = event.pointerType === 'touch' ? MAX_CLICK_MOVE.touch : MAX_CLICK_MOVE.mouse
    press = { ...hold, id, x, y, slack }
    stage.cameraIsFree = false
    stage.canvas.setPointerCapture?.(id)
  }
  const begin = (one: Press): Drag => {
    const drag = startDrag(app, one)
    if (one.line) cursor.hold(one.line, one.point, { onLost: () => end(false) })
    else drag.placing = startPlacing(app, one.node)
    tether.tie(one.node.object, one.point, drag.target)
    return drag
  }
  const move = (event: PointerEvent) => {
    if (press?.id !== event.pointerId) return
    const way = Math.hypot(event.clientX - press.x, event.clientY - press.y)
    if (!press.drag && way < press.slack) return
    press.drag ??= begin(press)
    if (event.shiftKey) deepen(app, press.drag, -event.movementY * DEPTH_PER_PIXEL)
    else follow(app, press.drag, event)
    pull(app, cursor, press)
  }
  const end = (isDone: boolean) => {
    const one = press
    if (!one) return
    press = undefined
    tether.untie()
    if (one.drag && one.line) cursor.letGo()
    if (isDone && !one.drag) app.selection.choose(one.node.info.name)
    if (isDone) void one.drag?.placing?.drop()
    else one.drag?.placing?.cancel()
    stage.cameraIsFree = true
  }
  const up = (event: PointerEvent) => {
    if (press?.id === event.pointerId) end(event.type === 'pointerup')
  }
  const wheel = (event: WheelEvent) => {
    if (!press || press.line?.startsWith('grab')) return // what is guided has no depth
    event.preventDefault()
    event.stopImmediatePropagation()
    press.drag ??= begin(press) // pressed and rolled: nothing but the depth changes
    deepen(app, press.drag, -event.deltaY * DEPTH_PER_WHEEL)
    pull(app, cursor, press)
  }
  const giveUp = (event: KeyboardEvent) => {
    if (event.code === 'Escape') end(false)
  }
  return closeAll([
    listen(window, 'pointerdown', down, { capture: true }),
    listen(window, 'pointermove', move, { capture: true }),
    listen(window, 'pointerup', up),
    listen(window, 'pointercancel', up),
    listen(window, 'wheel', wheel, { capture: true, passive: false }),
    listen(window, 'keydown', giveUp),
    app.control.onChange(() => end(false)),
    room.onChange(() => {
      if (press && room.node(press.node.info.name) !== press.node) end(false)
    }),
    ball.close,
    tether.close,
    () => end(false),
  ])
}

function mayMove({ selection, control, connection }: App): boolean {
  return selection.isOn && control.isMine && connection.state === 'open'
}

function startDrag({ stage, room }: App, { node, point }: Hold): Drag {
  const towards = stage.camera.getWorldDirection(new Vector3())
  const at = room.root.localToWorld(point.clone())
  const plane = new Plane().setFromNormalAndCoplanarPoint(towards, at)
  return { plane, towards, target: point.clone(), way: wayOf(node) }
}

/** Move the target away from the eye, in m. */
function deepen({ room }: App, drag: Drag, way: number): void {
  const shift = drag.towards.clone().multiplyScalar(way)
  drag.plane.translate(shift)
  const world = room.root.localToWorld(drag.target.clone()).add(shift)
  drag.target.copy(room.root.worldToLocal(world))
}

/** Move the target to where the pointer is; a door or drawer goes its way. */
function follow({ stage, room }: App, drag: Drag, event: PointerEvent): void {
  const { ray } = stage.raycaster(event)
  const hit = drag.way
    ? drag.way(ray, room.root.localToWorld(drag.target.clone()))
    : ray.intersectPlane(drag.plane, new Vector3())
  if (hit) drag.target.copy(room.root.worldToLocal(hit))
}

/** Let what is held follow its target. */
function pull({ stage }: App, cursor: Cursor, { drag, point }: Press): void {
  if (!drag) return
  const way = drag.target.clone().sub(point)
  if (drag.placing) drag.placing.move(new Matrix4().makeTranslation(way))
  else cursor.moveTo(drag.target)
  stage.redraw()
}

/** What a press takes hold of: the ball that is there, a door or drawer, a chosen object, a link. */
function holdAt(app: App, event: PointerEvent, tip: RoomNode | undefined): Hold | undefined {
  if (tip) {
    const line = tipLine(app, tip)
    return { node: tip, point: tip.object.position.clone(), line }
  }
  const picked = app.stage.pick(event)
  if (!picked) return undefined
  const { node, point } = picked
  const guided = guidedOf(app, node)
  if (guided) return { node: guided, point, line: `grab ${guided.info.name}; cursor` }
  if (app.selection.node === node && isMovable(node)) return { node, point }
  const link = linkOf(app, node)
  return link && { node: link, point, line: `drag ${link.info.name}; cursor` }
}
