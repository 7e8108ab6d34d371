import type { Object3D, PerspectiveCamera, Scene, WebGLRenderer } from 'three'
import type { FixedScreen, StereoMode } from '../app'
import { lookThrough } from '../cameras/fixed_screen'
import type { Level } from '../quality'
import { makeOcclusion, type Occlusion } from './occlusion'
import { makeOutline } from './outline'
import { makeStereo, placeEye } from './stereo'

/** Draws one picture: plain, with occlusion, or for two eyes. */
export interface Picture {
  readonly stereo: { mode: StereoMode; eyeDistance: number; convergence: number } // m
  /** Draw for a camera, or for the eyes of a head before a screen. */
  draw(camera: PerspectiveCamera, screen?: FixedScreen): void
  setSize(width: number, height: number, pixelRatio: number): void
  setLevel(level: Level): void
  outline(chosen: readonly Object3D[], hovered: readonly Object3D[]): void
}

export function makePicture(renderer: WebGLRenderer, scene: Scene): Picture {
  const outline = makeOutline(renderer, scene)
  const eyes = makeStereo(renderer, (eye) => renderer.render(scene, eye))
  const stereo = { mode: 'off' as StereoMode, eyeDistance: 0.063, convergence: 2.5 }
  let occlusion: Occlusion | undefined
  let size = { width: 0, height: 0, pixelRatio: 0 }

  return {
    stereo,
    draw(camera, screen) {
      if (renderer.xr.isPresenting) return renderer.render(scene, camera)
      camera.updateWorldMatrix(true, false)
      const { mode, eyeDistance, convergence } = stereo
      if (mode !== 'off')
        return eyes.draw(mode, (eye, side, isHalf) => {
          const shift = (side * eyeDistance) / 2
          const aspect = isHalf ? camera.aspect / 2 : camera.aspect
          placeEye(eye, camera, { shift, convergence, aspect })
          if (screen) lookThrough(eye, screen, shift)
        })
      if (occlusion) occlusion.draw(camera)
      else renderer.render(scene, camera)
      outline.draw(camera)
    },
    setSize(width, height, pixelRatio) {
      const isSame =
        size.width === width && size.height === height && size.pixelRatio === pixelRatio
      if (isSame || renderer.xr.isPresenting) return
      size = { width, height, pixelRatio }
      renderer.setPixelRatio(pixelRatio)
      renderer.setSize(width, height, false)
      occlusion?.setSize(width, height, pixelRatio)
    },
    setLevel({ hasOcclusion, smoothing }) {
      occlusion?.dispose()
      occlusion = hasOcclusion ? makeOcclusion(renderer, scene, smoothing) : undefined
      occlusion?.setSize(size.width, size.height, size.pixelRatio)
    },
    outline: outline.show,
  }
}
