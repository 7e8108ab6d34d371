// A handle with six degrees of freedom: on the end-effector of the chosen robot, on one of its
// control points, or on an object. Its axes are those of the room, or of the thing itself.

import { Matrix4, Object3D, type Quaternion, Vector3 } from 'three'
import { TransformControls } from 'three/addons/controls/TransformControls.js'
import type { App, Close, RoomNode } from '../app'
import { closeAll, listen } from '../listeners'
import type { Cursor } from './cursor'
import { isMovable, tipLine } from './movable'
import { type Placing, startPlacing } from './placing'

const SIZE = 0.75
const ONES = new Vector3(1, 1, 1)

export interface Gizmo {
  isOn: boolean // whether it is shown at all
  mode: 'translate' | 'rotate'
  hasOwnAxes: boolean // of the thing, not of the room
  readonly node: RoomNode | undefined // that it holds
  readonly isUsed: boolean // the mouse is on it
  onChange: () => void
  readonly close: Close
}

export function setUpGizmo(app: App, cursor: Cursor): Gizmo {
  const { stage, room, selection } = app
  const handle = new Object3D()
  room.root.add(handle)
  const controls = new TransformControls(stage.camera, stage.canvas)
  controls.space = 'local' // the handle has the axes that are wanted
  controls.size = SIZE
  stage.scene.add(controls.getHelper())
  let node: RoomNode | undefined
  const gizmo: Gizmo = {
    isOn: true,
    hasOwnAxes: false,
    get mode() {
      return controls.mode === 'rotate' ? 'rotate' : 'translate'
    },
    set mode(value) {
      controls.mode = value
      stage.redraw()
    },
    get node() {
      return node
    },
    get isUsed() {
      return controls.dragging || controls.axis !== null
    },
    onChange: () => {},
    close: () => {},
  }
  const wanted = () => {
    const isShown = gizmo.isOn && app.control.isMine && !stage.renderer.xr.isPresenting
    return isShown ? heldNode(app) : undefined
  }
  const rest = () => {
    if (!node || controls.dragging) return
    handle.position.copy(node.object.position)
    if (gizmo.hasOwnAxes) handle.quaternion.copy(node.object.quaternion)
    else handle.quaternion.identity()
  }
  const update = () => {
    controls.camera = stage.camera
    const next = wanted()
    if (next !== node && !controls.dragging) {
      node = next
      if (node) controls.attach(handle)
      else controls.detach()
      gizmo.onChange()
    }
    rest()
  }
  followHandle(app, cursor, { controls, handle, node: () => node })
  const close = closeAll([
    stage.onFrame(update),
    keepCameraStill(app, controls, () => node !== undefined),
    selection.onChange(() => stage.redraw()),
    app.control.onChange(() => stage.redraw()),
    () => {
      controls.detach()
      controls.getHelper().removeFromParent()
      controls.dispose()
      handle.removeFromParent()
    },
  ])
  return Object.assign(gizmo, { close })
}

interface Handle {
  controls: TransformControls
  handle: Object3D
  node: () => RoomNode | undefined // that it holds
}

/** Let the node follow the handle while it is dragged: links by the cursor, objects by placing. */
function followHandle(app: App, cursor: Cursor, { controls, handle, node }: Handle): void {
  const { stage } = app
  const start = new Matrix4()
  let placing: Placing | undefined
  const stop = () => {
    if (controls.dragging) controls.reset()
    controls.pointerUp(null)
  }
  controls.addEventListener('mouseDown', () => {
    const held = node()
    if (!held) return
    stage.cameraIsFree = false
    start.copy(placeOf(handle))
    if (!held.info.robot) placing = startPlacing(app, held)
    else {
      const turn = handle.quaternion.clone()
      cursor.hold(tipLine(app, held), handle.position, { turn, onLost: stop })
    }
  })
  controls.addEventListener('objectChange', () => {
    if (!controls.dragging) return
    if (placing) placing.move(placeOf(handle).multiply(start.clone().invert()))
    else cursor.moveTo(handle.position, handle.quaternion)
    stage.redraw()
  })
  controls.addEventListener('mouseUp', () => {
    void placing?.drop()
    placing = undefined
    cursor.letGo()
    stage.cameraIsFree = true
  })
}

/** Keep the camera still while the handle is pressed. */
function keepCameraStill(app: App, controls: TransformControls, isShown: () => boolean): Close {
  const { stage } = app
  // Before other listeners get a press, find out whether it is on the handle: fingers do not hover.
  const down = (event: PointerEvent) => {
    if (event.target !== stage.canvas || !isShown() || event.button !== 0) return
    const box = stage.canvas.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 2 - 1
    const y = 1 - ((event.clientY - box.top) / box.height) * 2
    controls.pointerHover({ x, y, button: event.button } as PointerEvent)
    if (controls.axis !== null) stage.cameraIsFree = false
  }
  const up = () => {
    if (!controls.dragging && controls.axis !== null) stage.cameraIsFree = true
  }
  return closeAll([
    listen(window, 'pointerdown', down, { capture: true }),
    listen(window, 'pointerup', up),
  ])
}

/** What the handle belongs to: the chosen object, or a control point of the chosen robot. */
function heldNode(app: App): RoomNode | undefined {
  const chosen = app.selection.node
  if (!chosen) return undefined
  const robot = app.room.robots.get(chosen.info.robot)
  if (!robot) return isMovable(chosen) ? chosen : undefined
  const isPoint = robot.points.includes(chosen.info.name)
  return isPoint ? chosen : app.room.node(robot.tip)
}

function placeOf(object: { position: Vector3; quaternion: Quaternion }): Matrix4 {
  return new Matrix4().compose(object.position, object.quaternion, ONES)
}
