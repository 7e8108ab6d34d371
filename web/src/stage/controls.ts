// What the rest of the page may set and read about the view: facets of `Stage`.

import type { WebGLRenderer } from 'three'
import type { RoomView, Stage } from '../app'
import type { Cameras } from '../cameras/cameras'
import type { Gpu, Pace } from '../quality'
import type { Picture } from './picture'
import type { Turns } from './turns'

type CameraControls = Pick<
  Stage,
  | 'cameraIsFree'
  | 'fixedScreen'
  | 'focus'
  | 'followed'
  | 'goTo'
  | 'hint'
  | 'mode'
  | 'turn'
  | 'viewpoint'
  | 'viewpoints'
  | 'zoom'
>
type StereoControls = Pick<Stage, 'convergence' | 'eyeDistance' | 'stereo'>
type QualityControls = Pick<Stage, 'quality' | 'stats'>

export function cameraControls(cameras: Cameras, room: RoomView): CameraControls {
  return {
    get viewpoints() {
      return cameras.viewpoints
    },
    get viewpoint() {
      return cameras.viewpoint
    },
    get mode() {
      return cameras.mode
    },
    set mode(mode) {
      cameras.mode = mode
    },
    get hint() {
      return cameras.hint
    },
    get cameraIsFree() {
      return cameras.isFree
    },
    set cameraIsFree(isFree) {
      cameras.isFree = isFree
    },
    get fixedScreen() {
      return cameras.elsewhere.fixedScreen
    },
    set fixedScreen(screen) {
      cameras.elsewhere.fixedScreen = screen
    },
    get followed() {
      return cameras.elsewhere.followed
    },
    set followed(view) {
      cameras.elsewhere.followed = view
    },
    turn: cameras.turn,
    zoom: cameras.zoom,
    goTo: cameras.goTo,
    focus: (name) => cameras.focus(name ? room.node(name) : undefined),
  }
}

/** `redraw` is called after any change, `onMode` when stereo is switched on, off or over. */
export function stereoControls(
  stereo: Picture['stereo'],
  redraw: () => void,
  onMode: () => void,
): StereoControls {
  return {
    get eyeDistance() {
      return stereo.eyeDistance
    },
    set eyeDistance(distance) {
      stereo.eyeDistance = distance
      redraw()
    },
    get convergence() {
      return stereo.convergence
    },
    set convergence(distance) {
      stereo.convergence = distance
      redraw()
    },
    get stereo() {
      return stereo.mode
    },
    set stereo(mode) {
      stereo.mode = mode
      redraw()
      onMode()
    },
  }
}

export function qualityControls(
  renderer: WebGLRenderer,
  { gpu, pace, turns }: { gpu: Gpu; pace: Pace; turns: Turns },
): QualityControls {
  return {
    get quality() {
      return pace.wish
    },
    set quality(quality) {
      pace.wish = quality
    },
    get stats() {
      const { calls, triangles } = renderer.info.render
      const { rate, drawTime } = turns
      const pixelRatio = renderer.getPixelRatio()
      return {
        rate,
        drawTime,
        calls,
        triangles,
        pixelRatio,
        gpu: gpu.name,
        isSoftware: gpu.isSoftware,
      }
    },
  }
}
