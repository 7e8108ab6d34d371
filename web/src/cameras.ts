import { MathUtils, PerspectiveCamera, Quaternion, Sphere, Vector3 } from 'three'
import type { Close, RoomNode, RoomView, ViewMode } from './app'
import { branchSphere, sphereOf } from './bounds'
import { makeCameraHands } from './camera_hands'
import { makeFlight } from './flight'
import { CLEAR } from './layers'
import { makeListeners } from './listeners'
import { makeOrbit } from './orbit'
import { makeSeat } from './seat'

export const FIELD_OF_VIEW = 42 // degrees, vertical, unless a viewpoint says otherwise
const TRANSITION = 0.7 // s

/** Where a camera is and how wide it looks. */
export interface View {
  position: Vector3
  quaternion: Quaternion
  fieldOfView: number // degrees
}

/** A way to move the camera. */
export interface Manner {
  /** Begin where the camera is now. */
  start(from: View): void
  update(dt: number, out: View): void
  turn(dx: number, dy: number): void // by a drag, in heights of the picture
  shift(dx: number, dy: number): void
  zoom(factor: number, towards: Vector3): void // a direction in the world
  readonly isMoving: boolean
}

/** The camera and the three ways to move it. */
export interface Cameras {
  readonly camera: PerspectiveCamera
  readonly target: Vector3 // what orbit turns about
  mode: ViewMode
  isFree: boolean
  readonly viewpoint: string
  readonly viewpoints: readonly string[]
  readonly isMoving: boolean
  readonly hint: string
  goTo(viewpoint: string): void
  turn(dx: number, dy: number): void
  zoom(factor: number): void
  focus(node?: RoomNode): void
  update(dt: number): void
  /** The view from a viewpoint, whatever the camera does. */
  viewFrom(node: RoomNode, out: View): void
  onChange(handler: () => void): Close
  close: Close
}

export function makeCameras(canvas: HTMLCanvasElement, room: RoomView): Cameras {
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.03, 200)
  camera.layers.enable(CLEAR)
  const changes = makeListeners()
  const orbit = makeOrbit()
  const flight = makeFlight(room)
  const seat = makeSeat(() => room.node(viewpoint))
  const manners: Record<ViewMode, Manner> = { orbit, fly: flight, seated: seat }
  const view = makeView()
  const from = makeView()
  let mode: ViewMode = 'orbit'
  let viewpoint = ''
  let blend = 1

  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)')
  const begin = () => {
    copyView(view, from)
    blend = isCalm.matches ? 1 : 0
  }
  const become = (next: ViewMode) => {
    begin()
    if (mode === 'fly') flight.stop()
    mode = next
    manners[mode].start(view)
    changes.tell()
  }
  /** The first look: as the room's viewpoint "overview" has it, or at its robots. */
  const lookFirst = () => {
    const overview = room.node('overview')
    const sphere = frameOf(room)
    if (!overview?.info.field_of_view) orbit.frame(sphere, orbit.first)
    else {
      const first = makeView()
      seat.viewFrom(overview, first)
      orbit.look(first, sphere?.center)
    }
  }
  const viewpoints = () =>
    room.nodes.filter((node) => node.info.field_of_view > 0).map((node) => node.info.name)
  const closeHands = makeCameraHands(canvas, camera, () =>
    self.isFree ? manners[mode] : undefined,
  )

  const self: Cameras = {
    camera,
    target: orbit.target,
    isFree: true,
    get mode() {
      return mode
    },
    set mode(next) {
      const seat = next === 'seated' ? viewpoint || seatOf(viewpoints()) : ''
      if (seat) self.goTo(seat)
      if (next === 'seated') return // there may be no seat
      viewpoint = ''
      become(next)
    },
    get viewpoint() {
      return viewpoint
    },
    get viewpoints() {
      return viewpoints()
    },
    get isMoving() {
      return blend < 1 || manners[mode].isMoving
    },
    goTo(name) {
      if (name && !room.node(name)) return
      viewpoint = name
      become(name ? 'seated' : 'orbit')
      if (!name) lookFirst()
    },
    focus(node) {
      if (mode !== 'orbit') self.mode = 'orbit'
      if (!node) return lookFirst()
      const sphere = branchSphere(room, node)
      if (sphere) orbit.frame(sphere)
    },
    get hint() {
      return hintFor(mode, flight.keys)
    },
    turn: (dx, dy) => manners[mode].turn(dx, dy),
    zoom: (factor) => manners[mode].zoom(factor, camera.getWorldDirection(new Vector3())),
    update(dt) {
      manners[mode].update(dt, view)
      blend = Math.min(1, blend + dt / TRANSITION)
      if (blend < 1) mixViews(from, view, smoothly(blend))
      apply(view, camera)
    },
    viewFrom: (node, out) => seat.viewFrom(node, out),
    onChange: changes.on,
    close: () => {
      closeHands()
      flight.close()
    },
  }
  return self
}

function hintFor(mode: ViewMode, keys: string): string {
  if (mode === 'fly') return `Fly: drag to look, ${keys} to move, Shift to hurry.`
  if (mode === 'seated') return 'Sitting: drag to look around, wheel to look closer.'
  return 'Drag to turn, right drag to shift, wheel to come nearer, double click to look at a thing.'
}

export function makeView(): View {
  return { position: new Vector3(), quaternion: new Quaternion(), fieldOfView: FIELD_OF_VIEW }
}

function copyView(source: View, out: View): void {
  out.position.copy(source.position)
  out.quaternion.copy(source.quaternion)
  out.fieldOfView = source.fieldOfView
}

function mixViews(from: View, to: View, share: number): void {
  to.position.lerpVectors(from.position, to.position, share)
  to.quaternion.slerpQuaternions(from.quaternion, to.quaternion, share)
  to.fieldOfView = MathUtils.lerp(from.fieldOfView, to.fieldOfView, share)
}

const smoothly = (t: number) => t * t * (3 - 2 * t)

/** Put a camera there. A tall picture widens the view so that as much is seen across. */
export function apply(view: View, camera: PerspectiveCamera): void {
  camera.position.copy(view.position)
  camera.quaternion.copy(view.quaternion)
  const across = Math.tan(MathUtils.degToRad(view.fieldOfView) / 2)
  const wish = 2 * Math.atan(across / Math.min(1, camera.aspect ** 0.6))
  const fov = Math.min(100, MathUtils.radToDeg(wish))
  if (fov !== camera.fov) {
    camera.fov = fov
    camera.updateProjectionMatrix()
  }
}

function seatOf(viewpoints: readonly string[]): string {
  return viewpoints.find((name) => /seat|chair/i.test(name)) ?? viewpoints[0] ?? ''
}

/** The ball around what a first look at the room should show: its robots, or else all of it. */
function frameOf(room: RoomView): Sphere | undefined {
  const solid = room.nodes.filter((node) => !node.info.is_region)
  const robots = sphereOf(solid.filter((node) => node.info.robot))
  const all = sphereOf(solid)
  if (!robots || !all) return robots ?? all
  const radius = MathUtils.clamp(
    all.radius * 0.75,
    robots.radius,
    Math.max(1.2, 2.2 * robots.radius),
  )
  return new Sphere(robots.center, radius)
}
