import { MathUtils, PerspectiveCamera, Sphere, Vector3 } from 'three'
import type { Close, RoomNode, RoomView, ViewMode } from '../app'
import { CLEAR } from '../layers'
import { closeAll, makeListeners } from '../listeners'
import { branchSphere, sphereOf } from '../room/bounds'
import { makeCameraHands } from './camera_hands'
import { type Elsewhere, goElsewhere } from './fixed_screen'
import { makeFlight } from './flight'
import { makeOrbit, type Orbit } from './orbit'
import { makeSeat, type Seat } from './seat'
import {
  apply,
  type Covered,
  copyView,
  FIELD_OF_VIEW,
  type FreePart,
  freePart,
  type Manner,
  makeView,
  mixViews,
  smoothly,
  type View,
} from './view'

const TRANSITION_S = 0.7

/** The camera and the three ways to move it. */
export interface Cameras {
  readonly camera: PerspectiveCamera
  readonly target: Vector3 // what orbit turns about
  mode: ViewMode
  isFree: boolean
  /** Where the camera is, if it is not moved here. */
  readonly elsewhere: Elsewhere
  readonly viewpoint: string
  readonly viewpoints: readonly string[]
  readonly isMoving: boolean
  /** Nobody has moved the camera since it was turned to something. */
  isUntouched(): boolean
  readonly hint: string
  goTo(viewpoint: string): void
  turn(dx: number, dy: number): void
  zoom(factor: number): void
  focus(node?: RoomNode): void
  update(dt: number): void
  /** Show the middle of the view in the middle of what is not covered; sizes in pixels. */
  fit(width: number, height: number, covered: Covered): void
  /** The view from a viewpoint, independent of the current one. */
  viewFrom(node: RoomNode, out: View): void
  onChange(handler: () => void): Close
  close: Close
}

export function makeCameras(canvas: HTMLCanvasElement, room: RoomView): Cameras {
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.03, 200)
  camera.layers.enable(CLEAR)
  const changes = makeListeners()
  const [orbit, flight] = [makeOrbit(), makeFlight(room)]
  const seat = makeSeat(() => room.node(viewpoint))
  const manners: Record<ViewMode, Manner> = { orbit, fly: flight, seated: seat }
  const view = makeView()
  const transition = makeTransition()
  let mode: ViewMode = 'orbit'
  let viewpoint = ''
  let free = freePart(1, 1, { left: 0, right: 0, bottom: 0 })

  const become = (next: ViewMode) => {
    transition.begin(view)
    if (mode === 'fly') flight.stop()
    mode = next
    manners[mode].start(view)
    changes.tell()
  }
  const closeHands = makeCameraHands(canvas, camera, () =>
    self.isFree ? manners[mode] : undefined,
  )

  const self: Cameras = {
    camera,
    target: orbit.target,
    isFree: true,
    elsewhere: {},
    get mode() {
      return mode
    },
    set mode(next) {
      const seat = next === 'seated' ? viewpoint || seatOf(viewpointsOf(room)) : ''
      if (seat) self.goTo(seat)
      if (next === 'seated') return // there may be no seat
      viewpoint = ''
      become(next)
    },
    get viewpoint() {
      return viewpoint
    },
    get viewpoints() {
      return viewpointsOf(room)
    },
    get isMoving() {
      return transition.isRunning || manners[mode].isMoving
    },
    isUntouched: () => mode === 'orbit' && orbit.isAsFramed(),
    goTo(name) {
      if (name && !room.node(name)) return
      viewpoint = name
      become(name ? 'seated' : 'orbit')
      if (!name) lookFirst(room, orbit, seat)
    },
    focus(node) {
      if (mode !== 'orbit') self.mode = 'orbit'
      if (!node) return lookFirst(room, orbit, seat)
      orbit.frame(branchSphere(room, node))
    },
    get hint() {
      return hintFor(mode, flight.keys)
    },
    turn: (dx, dy) => manners[mode].turn(dx, dy),
    zoom: (factor) => manners[mode].zoom(factor, camera.getWorldDirection(new Vector3())),
    update(dt) {
      if (goElsewhere(camera, self.elsewhere)) return
      manners[mode].update(dt, view)
      transition.update(dt, view)
      apply(view, camera, free)
    },
    fit(width, height, covered) {
      free = fitCamera(camera, { width, height, covered })
    },
    viewFrom: (node, out) => seat.viewFrom(node, out),
    onChange: changes.on,
    close: closeAll([flight.close, closeHands]),
  }
  return self
}

/** Show the centre of the view in the middle of what is free, and return that part. */
function fitCamera(
  camera: PerspectiveCamera,
  { width, height, covered }: { width: number; height: number; covered: Covered },
): FreePart {
  const [x, y] = [(covered.right - covered.left) / 2, covered.bottom / 2]
  if (width && height) camera.setViewOffset(width, height, x, y, width, height)
  return freePart(width, height, covered)
}

/** The first look: from the viewpoint "overview", or the first that stands still; else at robots. */
function lookFirst(room: RoomView, orbit: Orbit, seat: Seat): void {
  const still = room.nodes.filter(({ info }) => info.field_of_view > 0 && info.parent === 0)
  const overview = still.find(({ info }) => info.name === 'overview') ?? still[0]
  const sphere = frameOf(room)
  if (overview) {
    const first = makeView()
    seat.viewFrom(overview, first)
    orbit.look(first, sphere?.center)
  } else orbit.frame(sphere, orbit.first)
}

/** Glides from the last view to the next one, unless the person wants no motion. */
function makeTransition() {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)')
  const from = makeView()
  let blend = 1
  return {
    get isRunning() {
      return blend < 1
    },
    begin(view: View) {
      copyView(view, from)
      blend = isCalm.matches ? 1 : 0
    },
    /** Change the view to one on the way. */
    update(dt: number, view: View) {
      blend = Math.min(1, blend + dt / TRANSITION_S)
      if (blend < 1) mixViews(from, view, smoothly(blend))
    },
  }
}

function viewpointsOf(room: RoomView): string[] {
  return room.nodes.filter((node) => node.info.field_of_view > 0).map((node) => node.info.name)
}

function hintFor(mode: ViewMode, keys: string): string {
  if (mode === 'fly') return `Fly: drag to look, ${keys} to move, Shift to hurry.`
  if (mode === 'seated') return 'Sitting: drag to look around, wheel to look closer.'
  return 'Drag to turn, right drag to shift, wheel to come nearer, double click to look at a thing.'
}

function seatOf(viewpoints: readonly string[]): string {
  return viewpoints.find((name) => /seat|chair/i.test(name)) ?? viewpoints[0] ?? ''
}

/** The sphere that the first view of the room shows: its robots, or else everything. */
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
