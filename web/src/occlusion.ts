import {
  HalfFloatType,
  PerspectiveCamera,
  type Scene,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three'
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js'
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js'
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js'
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js'
import { SOLID } from './layers'

/** Draws the scene with soft darkness where surfaces come close to each other. */
export interface Occlusion {
  draw(camera: PerspectiveCamera): void
  setSize(width: number, height: number, pixelRatio: number): void
  dispose(): void
}

export function makeOcclusion(renderer: WebGLRenderer, scene: Scene, samples: number): Occlusion {
  const seen = new PerspectiveCamera() // by the passes: a copy of the one drawn for
  const target = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples })
  const composer = new EffectComposer(renderer, target)
  const render = new RenderPass(scene, seen)
  const occlusion = new GTAOPass(scene, seen, 1, 1)
  occlusion.blendIntensity = 0.9
  occlusion.updateGtaoMaterial({ radius: 0.32, distanceExponent: 1.2, thickness: 0.8, samples: 16 })
  occlusion.updatePdMaterial({ radius: 6, samples: 16 })
  composer.addPass(render)
  composer.addPass(occlusion)
  composer.addPass(new OutputPass())
  return {
    draw(camera) {
      render.camera = camera
      seen.copy(camera, false)
      seen.matrixAutoUpdate = false
      seen.matrix.copy(camera.matrixWorld)
      seen.layers.set(SOLID)
      composer.render()
    },
    setSize(width, height, pixelRatio) {
      composer.setPixelRatio(pixelRatio)
      composer.setSize(width, height)
    },
    dispose: () => composer.dispose(),
  }
}
