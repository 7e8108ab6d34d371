import {
  DataTexture,
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
import { SOLID } from '../layers'

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
  occlusion.updatePdMaterial({ radius: 6, rings: 3, radiusExponent: 1, samples: 16 })
  const even = makeEvenNoise()
  if (occlusion.pdMaterial.uniforms.tNoise) occlusion.pdMaterial.uniforms.tNoise.value = even
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
    dispose() {
      even.dispose()
      occlusion.dispose()
      composer.dispose()
    },
  }
}

/**
 * The pass turns its blur at each pixel by a noise; where that comes to a quarter turn the blur
 * shrinks to a line, which leaves dots beside edges. An eighth of a turn everywhere blurs evenly.
 */
function makeEvenNoise(): DataTexture {
  const eighth = Math.round(255 / 8)
  const texture = new DataTexture(new Uint8Array(4).fill(eighth), 1, 1)
  texture.needsUpdate = true
  return texture
}
