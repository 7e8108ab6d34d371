// One turn of the page: move the camera, fade walls, cast shadows, draw when a picture is due.

import type { WebGLRenderer } from 'three'
import type { Cameras } from '../cameras/cameras'
import type { Covered } from '../cameras/view'
import type { Pace } from '../quality'
import { boundsOf } from '../room/bounds'
import type { LiveRoom } from '../room/room'
import type { Cutaway } from './cutaway'
import type { Lights } from './lights'
import type { Picture } from './picture'
import type { Turns } from './turns'

const MAX_TURN_S = 0.1 // a longer pause is not caught up with

interface Tools {
  element: HTMLElement
  renderer: WebGLRenderer
  room: LiveRoom
  pace: Pace
  lights: Lights
  cameras: Cameras
  cutaway: Cutaway
  picture: Picture
  turns: Turns
  covered: () => Covered // how much of the picture panels hide
}

export interface Drawing {
  readonly frames: number // drawn so far
  readonly isSettled: boolean // neither does the camera move by itself, nor does a wall fade
  readonly hasFramed: boolean // the camera has been turned to the room once
  /** Shapes changed: find lamps and walls again, and draw. */
  refresh(): void
  /** The same, without a picture for it. */
  markStale(): void
  /** Something moved: it casts another shadow. */
  move(): void
  turn(now: number): void
  /** Draw at once, at full size. */
  drawNow(): void
  /** Hide walls that block the view from outside; from inside, all of them are shown. */
  fadeWalls(dt: number, isInside?: boolean): boolean
}

/** Robots grow with every mesh that comes: look at all, until all are there or somebody looks elsewhere. */
function makeFirstLook(room: LiveRoom, cameras: Cameras) {
  let isTaken = false
  let isOver = false
  return {
    get isTaken() {
      return isTaken
    },
    take() {
      if (isOver || !room.hasPlaces) return
      isOver = room.isComplete || (isTaken && !cameras.isUntouched())
      if (isTaken && !cameras.isUntouched()) return
      isTaken = true
      cameras.focus()
      cameras.update(0)
    },
  }
}

/** `onTurn` is called in each turn after the camera has moved, with s since the last one and now in s. */
export function makeDrawing(tools: Tools, onTurn: (dt: number, now: number) => void): Drawing {
  const { renderer, room, lights, cameras, turns } = tools
  const shadows = makeShadowClock(tools)
  let frames = 0
  let lastTurn = 0
  let isStale = true // shapes changed since walls were found
  const firstLook = makeFirstLook(room, cameras)
  let isSettled = false

  const catchUp = () => {
    isStale = false
    shadows.move()
    lights.find(room)
    lights.fit(boundsOf(room.nodes))
    tools.cutaway.find(room)
    firstLook.take()
  }
  const draw = (now: number) => {
    turns.begin(now)
    shadows.cast(now)
    lights.update()
    tools.picture.draw(cameras.camera, cameras.elsewhere.fixedScreen)
    turns.end()
    frames += 1
  }
  const isFromInside = () =>
    cameras.mode !== 'orbit' || !!cameras.elsewhere.fixedScreen || !!cameras.elsewhere.followed
  const fadeWalls = (dt: number, isInside = isFromInside()) =>
    tools.cutaway.update(dt, {
      isOn: !isInside && !renderer.xr.isPresenting,
      eye: cameras.camera.position,
      target: cameras.target,
    })
  return {
    get frames() {
      return frames
    },
    get isSettled() {
      return isSettled
    },
    get hasFramed() {
      return firstLook.isTaken
    },
    refresh() {
      isStale = true
      turns.wake()
    },
    markStale() {
      isStale = true
    },
    move() {
      shadows.move()
      turns.wake()
    },
    turn(now) {
      const dt = Math.min(MAX_TURN_S, (now - lastTurn) / 1000)
      lastTurn = now
      if (isStale) catchUp()
      if (!renderer.xr.isPresenting) cameras.update(dt)
      onTurn(dt, now / 1000)
      isSettled = !fadeWalls(dt) && !cameras.isMoving
      if (!isSettled || tools.picture.stereo.mode === 'sequential') turns.wake()
      // An empty picture would only take time from the room that is being loaded.
      if (!(room.hasPlaces || renderer.xr.isPresenting) || !turns.isDue(now)) return
      fitSize(tools, turns.isLively ? tools.pace.coarseness : 1)
      draw(now)
    },
    drawNow() {
      fitSize(tools, 1)
      draw(performance.now())
    },
    fadeWalls,
  }
}

function fitSize(
  { element, renderer, pace, cameras, picture, covered }: Tools,
  coarseness: number,
): void {
  if (renderer.xr.isPresenting) return // a headset has its own size and eyes
  const maxPixelRatio = Math.min(window.devicePixelRatio, pace.level.pixelRatio)
  const { clientWidth: width, clientHeight: height } = element
  if (width && height) picture.setSize(width, height, maxPixelRatio * coarseness)
  cameras.camera.aspect = width && height ? width / height : 1
  if (!cameras.elsewhere.fixedScreen) cameras.fit(width, height, covered())
}

/** Lets shadows be drawn again after something moved, no more often than the quality allows. */
function makeShadowClock({ renderer, pace, turns }: Tools) {
  let hasMoved = true // since the last shadow
  let castAt = 0 // ms
  return {
    move() {
      hasMoved = true
    },
    cast(now: number) {
      const isDue = now - castAt >= 1000 * pace.level.shadowPeriod || !turns.isLively
      renderer.shadowMap.needsUpdate = hasMoved && isDue
      if (!renderer.shadowMap.needsUpdate) return
      hasMoved = false
      castAt = now
    },
  }
}
