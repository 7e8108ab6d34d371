// What the hand does in the workshop: click, hover, grab.

import { Matrix4, Plane, Vector3 } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import type { Close } from '../../app'
import { closeAll, listen } from '../../listeners'
import { type AimTools, facingPlane, makeAim, type PointerPlace } from './aim'
import { placeParts, snap, type Triple } from './draft'
import type { Ghost } from './place'
import type { Hit, WorkshopEvents, WorkshopState } from './workshop_state'

const MAX_CLICK_MOVE = 6 // pixels
const AXIS_GRID = 0.01 // m

interface HandTools extends AimTools {
  ghost: Ghost
  events: WorkshopEvents
  orbit: OrbitControls
  state: () => WorkshopState | undefined
  redraw: () => void
  isBusy: () => boolean
}

/** What moves with the pointer, in a plane. */
interface Held {
  plane: Plane
  move(target: Vector3): void
  end(): void
}

export function makeHand(tools: HandTools): { follow(): void; close: Close } {
  const { canvas, events } = tools
  const aim = makeAim(tools)
  let pressed: { x: number; y: number } | undefined
  let grabbed: Held | undefined
  let hovered: PointerPlace | undefined

  const follow = () => {
    const state = tools.state()
    const isDrawing = state?.tool === 'points' && hovered !== undefined
    const point = isDrawing && hovered ? aim.workPoint(hovered, state) : undefined
    tools.ghost.show(state?.draft.tip?.point, point)
    events.onHover(point)
    tools.redraw()
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || tools.isBusy()) return
    pressed = { x: event.clientX, y: event.clientY }
    const state = tools.state()
    if (state?.tool !== 'drag' && state?.tool !== 'axes') return
    const found = aim.hit(event)
    if (!found) return
    const from = (plane: Plane) => aim.onPlane(event, plane)
    grabbed =
      state.tool === 'drag' ? grabPart(found, state, tools) : grabAxis(found, state, tools, from)
    if (!grabbed) return
    tools.orbit.enabled = false // it moves with the pointer from now on, not the camera
    canvas.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    hovered = { clientX: event.clientX, clientY: event.clientY }
    if (grabbed) {
      const target = aim.onPlane(event, grabbed.plane)
      if (target) grabbed.move(target)
      return
    }
    if (tools.state()?.tool === 'points') follow()
  }
  const clicked = (event: PointerEvent): Hit | undefined => {
    const state = tools.state()
    if (state?.tool !== 'points') return aim.hit(event)
    const point = aim.workPoint(event, state)
    return point && { point, normal: [0, 0, 1] }
  }
  const up = (event: PointerEvent) => {
    const isClick =
      pressed !== undefined &&
      Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < MAX_CLICK_MOVE
    pressed = undefined
    if (grabbed) {
      grabbed.end()
      grabbed = undefined
      tools.orbit.enabled = true
      return
    }
    if (!isClick || tools.isBusy()) return
    const hit = clicked(event)
    if (hit) events.onClick(hit)
  }
  const leave = () => {
    hovered = undefined
    follow()
  }
  const close = closeAll([
    // Before the camera's own listeners: a part that is grabbed keeps the view still.
    listen(canvas, 'pointerdown', down, { capture: true }),
    listen(canvas, 'pointermove', move),
    listen(canvas, 'pointerup', up),
    listen(canvas, 'pointercancel', up),
    listen(canvas, 'pointerleave', leave),
  ])
  return { follow, close }
}

/** Pull a part: it follows the pointer in the plane of the screen, as its joints allow. */
function grabPart(found: Hit, state: WorkshopState, tools: HandTools): Held | undefined {
  const { part } = found
  if (!part) return undefined
  const place = placeParts(state.draft, state.joints).get(part) ?? new Matrix4()
  const point = new Vector3(...found.point).applyMatrix4(place.clone().invert())
  const world = tools.stage.root.localToWorld(new Vector3(...found.point))
  const towards = tools.camera.getWorldDirection(new Vector3()).negate()
  const plane = new Plane().setFromNormalAndCoplanarPoint(towards, world)
  return { plane, move: (target) => tools.events.onDrag({ part, point }, target), end: () => {} }
}

/** Move the axis of the chosen joint; `from` finds where the pointer takes hold in a plane. */
function grabAxis(
  found: Hit,
  state: WorkshopState,
  tools: HandTools,
  from: (plane: Plane) => Vector3 | undefined,
): Held | undefined {
  const start = state.draft.parts.find((part) => part.name === state.chosen)?.held?.point
  if (!found.joint || found.joint !== state.chosen || !start) return undefined
  const plane = facingPlane(start, 'upright', tools)
  const taken = from(plane) ?? new Vector3(...start)
  let at: Triple | undefined // where it goes
  return {
    plane,
    move(target) {
      const moved = target.sub(taken).add(new Vector3(...start))
      at = moved.toArray().map((value) => snap(value, AXIS_GRID)) as Triple
      tools.events.onHandle(at, false)
    },
    end: () => at && tools.events.onHandle(at, true),
  }
}
