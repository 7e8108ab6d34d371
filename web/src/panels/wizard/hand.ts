// What the hand does in the workshop: click, hover, grab.

import { Matrix4, type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import type { Axes } from './axes'
import type { Bodies } from './bodies'
import { placeParts, snap, type Triple } from './draft'
import type { Ghost, Place } from './place'
import type { Hit, WorkPlane, WorkshopEvents, WorkshopState } from './workshop'

const GRID = 0.05 // m, to which clicked points go
const STILL = 6 // pixels that a click may move

export interface HandTools {
  canvas: HTMLCanvasElement
  camera: PerspectiveCamera
  bodies: Bodies
  axes: Axes
  ghost: Ghost
  stage: Place
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

export function makeHand(tools: HandTools) {
  const { canvas, events } = tools
  const rays = new Raycaster()
  let pressed: { x: number; y: number } | undefined
  let grabbed: Held | undefined
  let hovered: { clientX: number; clientY: number } | undefined

  const aim = (event: { clientX: number; clientY: number }) => {
    const box = canvas.getBoundingClientRect()
    rays.setFromCamera(
      new Vector2(
        (2 * (event.clientX - box.left)) / box.width - 1,
        1 - (2 * (event.clientY - box.top)) / box.height,
      ),
      tools.camera,
    )
  }
  const inRobot = (point: Vector3) => tools.stage.root.worldToLocal(point.clone())
  const workPoint = (event: { clientX: number; clientY: number }): Triple | undefined => {
    const state = tools.state()
    if (!state) return undefined
    aim(event)
    const point = rays.ray.intersectPlane(workPlane(state, tools), new Vector3())
    if (!point || point.length() > 10) return undefined
    const [x = 0, y = 0, z = 0] = inRobot(point)
      .toArray()
      .map((value) => snap(value, GRID))
    return [x, y, state.draft.parts.length === 0 ? 0 : Math.max(z, 0)]
  }
  const hit = (event: { clientX: number; clientY: number }): Hit | undefined => {
    aim(event)
    const arrow = tools.axes.group.visible
      ? rays.intersectObject(tools.axes.group, true)[0]
      : undefined
    const meaning = arrow && tools.axes.meaning(arrow.object)
    if (arrow && meaning)
      return {
        axis: meaning.axis,
        joint: meaning.part,
        point: inRobot(arrow.point).toArray(),
        normal: [0, 0, 1],
      }
    const found = rays.intersectObject(tools.bodies.group, true)[0]
    const owner = found && tools.bodies.owner(found.object)
    if (!found || !owner) return undefined
    const normal = found.face
      ? found.face.normal.clone().transformDirection(found.object.matrixWorld)
      : new Vector3(0, 1, 0)
    const back = tools.stage.root.matrixWorld.clone().invert()
    return {
      ...owner,
      point: inRobot(found.point).toArray(),
      normal: normal.transformDirection(back).toArray(),
    }
  }
  const follow = () => {
    const state = tools.state()
    const isDrawing = state?.tool === 'points' && hovered !== undefined
    const point = isDrawing && hovered ? workPoint(hovered) : undefined
    tools.ghost.show(state?.draft.tip?.point, point)
    events.onHover(point)
    tools.redraw()
  }
  /** Something that moves with the pointer from now on, until it is let go. */
  const hold = (event: PointerEvent, held: Held) => {
    grabbed = held
    tools.orbit.enabled = false
    canvas.setPointerCapture(event.pointerId)
  }
  const grabPart = (event: PointerEvent, state: WorkshopState) => {
    const found = hit(event)
    if (!found?.part) return
    const { part } = found
    const place = placeParts(state.draft, state.joints).get(part) ?? new Matrix4()
    const point = new Vector3(...found.point).applyMatrix4(place.clone().invert())
    const world = tools.stage.root.localToWorld(new Vector3(...found.point))
    const towards = tools.camera.getWorldDirection(new Vector3()).negate()
    const plane = new Plane().setFromNormalAndCoplanarPoint(towards, world)
    hold(event, { plane, move: (target) => events.onDrag({ part, point }, target), end: () => {} })
  }
  const grabAxis = (event: PointerEvent, state: WorkshopState) => {
    const found = hit(event)
    const start = state.draft.parts.find((part) => part.name === state.chosen)?.held?.point
    if (!found?.joint || found.joint !== state.chosen || !start) return
    const plane = facingPlane(start, 'upright', tools)
    let at: Triple | undefined // where it was taken, then where it goes
    const offset = rays.ray.intersectPlane(plane, new Vector3())
    const from = offset ? inRobot(offset) : new Vector3(...start)
    hold(event, {
      plane,
      move(target) {
        const moved = target.sub(from).add(new Vector3(...start))
        at = moved.toArray().map((value) => snap(value, 0.01)) as Triple
        events.onHandle(at, false)
      },
      end: () => at && events.onHandle(at, true),
    })
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || tools.isBusy()) return
    pressed = { x: event.clientX, y: event.clientY }
    const state = tools.state()
    if (state?.tool === 'drag') grabPart(event, state)
    else if (state?.tool === 'axes') grabAxis(event, state)
  }
  const move = (event: PointerEvent) => {
    hovered = { clientX: event.clientX, clientY: event.clientY }
    if (grabbed) {
      aim(event)
      const target = rays.ray.intersectPlane(grabbed.plane, new Vector3())
      if (target) grabbed.move(inRobot(target))
      return
    }
    if (tools.state()?.tool === 'points') follow()
  }
  const up = (event: PointerEvent) => {
    const isClick =
      pressed !== undefined &&
      Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < STILL
    pressed = undefined
    if (grabbed) {
      grabbed.end()
      grabbed = undefined
      tools.orbit.enabled = true
      return
    }
    if (!isClick || tools.isBusy()) return
    const state = tools.state()
    if (state?.tool === 'points') {
      const point = workPoint(event)
      if (point) events.onClick({ point, normal: [0, 0, 1] })
    } else {
      const found = hit(event)
      if (found) events.onClick(found)
    }
  }
  const leave = () => {
    hovered = undefined
    follow()
  }
  // Before the camera's own listeners: a part that is grabbed keeps the view still.
  canvas.addEventListener('pointerdown', down, { capture: true })
  canvas.addEventListener('pointermove', move)
  canvas.addEventListener('pointerup', up)
  canvas.addEventListener('pointercancel', up)
  canvas.addEventListener('pointerleave', leave)
  return {
    follow,
    close() {
      canvas.removeEventListener('pointerdown', down, { capture: true })
      canvas.removeEventListener('pointermove', move)
      canvas.removeEventListener('pointerup', up)
      canvas.removeEventListener('pointercancel', up)
      canvas.removeEventListener('pointerleave', leave)
    },
  }
}

/** The plane that clicks go to: the floor at first, then one through the end of what there is. */
function workPlane(state: WorkshopState, tools: HandTools): Plane {
  const tip = state.draft.tip?.point
  return facingPlane(tip ?? [0, 0, 0], tip ? state.plane : 'flat', tools)
}

/** A plane through a point: level, or the upright one that faces us most; level from above. */
function facingPlane(point: Triple, kind: WorkPlane, tools: HandTools): Plane {
  const at = tools.stage.root.localToWorld(new Vector3(...point))
  const ahead = tools.camera.getWorldDirection(new Vector3())
  const isFlat = kind === 'flat' || Math.abs(ahead.y) > 0.9
  const isAside = Math.abs(ahead.x) > Math.abs(ahead.z)
  const normal = isFlat ? [0, 1, 0] : isAside ? [1, 0, 0] : [0, 0, 1]
  return new Plane().setFromNormalAndCoplanarPoint(new Vector3().fromArray(normal), at)
}
