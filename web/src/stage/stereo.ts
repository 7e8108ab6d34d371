import {
  Color,
  HalfFloatType,
  PerspectiveCamera,
  ShaderMaterial,
  Vector2,
  Vector4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three'
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js'
import type { StereoMode } from '../app'
import { makeRhythm } from './rhythm'

/** A picture for two eyes on one screen. */
export interface Stereo {
  /** `place` puts an eye: -1 is the left one, 1 the right one. */
  draw(mode: StereoMode, place: PlaceEye): void
}

export type PlaceEye = (eye: PerspectiveCamera, side: -1 | 1, isHalf: boolean) => void

const SIGN_PX = 48 // of the square that tells shutter glasses which eye is shown

export function makeStereo(
  renderer: WebGLRenderer,
  render: (eye: PerspectiveCamera) => void,
): Stereo {
  const eyes = { left: makeEye(), right: makeEye() }
  const options = { type: HalfFloatType, samples: 0 } as const
  const targets = {
    left: new WebGLRenderTarget(1, 1, options),
    right: new WebGLRenderTarget(1, 1, options),
  }
  const rhythm = makeRhythm()
  const mix = makeMix()
  const quad = new FullScreenQuad(mix)
  const size = new Vector2()
  const viewport = new Vector4()

  const drawBoth = () => {
    renderer.getDrawingBufferSize(size)
    for (const side of ['left', 'right'] as const) {
      targets[side].setSize(size.x, size.y)
      renderer.setRenderTarget(targets[side])
      render(eyes[side])
    }
    renderer.setRenderTarget(null)
  }
  const drawSides = () => {
    renderer.getSize(size)
    renderer.getViewport(viewport)
    renderer.setScissorTest(true)
    for (const [k, side] of (['left', 'right'] as const).entries()) {
      renderer.setScissor((k * size.x) / 2, 0, size.x / 2, size.y)
      renderer.setViewport((k * size.x) / 2, 0, size.x / 2, size.y)
      render(eyes[side])
    }
    renderer.setScissorTest(false)
    renderer.setViewport(viewport)
  }
  const drawNext = () => {
    const isLeft = rhythm.isLeft(performance.now())
    render(isLeft ? eyes.left : eyes.right)
    paintSign(renderer, isLeft)
  }
  return {
    draw(mode, place) {
      place(eyes.left, -1, mode === 'side_by_side')
      place(eyes.right, 1, mode === 'side_by_side')
      if (mode === 'side_by_side') return drawSides()
      if (mode === 'sequential') return drawNext()
      drawBoth()
      mix.uniforms.left = { value: targets.left.texture }
      mix.uniforms.right = { value: targets.right.texture }
      mix.uniforms.height = { value: size.y }
      mix.uniforms.isInterlaced = { value: mode === 'interlaced' }
      quad.render(renderer)
    },
  }
}

function makeEye(): PerspectiveCamera {
  const eye = new PerspectiveCamera()
  eye.matrixAutoUpdate = false
  eye.matrixWorldAutoUpdate = false
  return eye
}

/**
 * Put an eye beside the middle one. Both look straight ahead; their pictures are shifted so that
 * they agree at the distance of convergence (toed-in eyes would bend what is near the rim).
 */
export function placeEye(
  eye: PerspectiveCamera,
  camera: PerspectiveCamera,
  { shift, convergence, aspect }: { shift: number; convergence: number; aspect: number },
): void {
  const { near, far } = camera
  const top = (near * Math.tan((camera.fov * Math.PI) / 360)) / camera.zoom
  const slide = (shift * near) / convergence
  const half = top * aspect
  eye.near = near
  eye.far = far
  eye.layers.mask = camera.layers.mask
  eye.projectionMatrix.makePerspective(-half - slide, half - slide, top, -top, near, far)
  eye.projectionMatrixInverse.copy(eye.projectionMatrix).invert()
  eye.matrixWorld.makeTranslation(shift, 0, 0).premultiply(camera.matrixWorld)
  eye.matrixWorldInverse.copy(eye.matrixWorld).invert()
}

/**
 * Red from the left eye, green and blue from the right one. Red is the brightness of the left
 * picture rather than its red, so that both eyes see all things, whatever their colour.
 */
function makeMix(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: {
      left: { value: null },
      right: { value: null },
      isInterlaced: { value: false },
      height: { value: 1 },
    },
    depthTest: false,
    depthWrite: false,
    vertexShader: `
      varying vec2 vUv;
      void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,
    fragmentShader: `
      uniform sampler2D left, right;
      uniform bool isInterlaced;
      uniform float height;
      varying vec2 vUv;
      vec3 shown(vec3 colour) {
        #ifdef TONE_MAPPING
          colour = toneMapping(colour);
        #endif
        return colour;
      }
      void main() {
        vec3 a = shown(texture2D(left, vUv).rgb);
        vec3 b = shown(texture2D(right, vUv).rgb);
        float bright = dot(a, vec3(0.2126, 0.7152, 0.0722));
        bool isLeft = mod(floor(height - gl_FragCoord.y), 2.0) < 0.5; // rows from the top
        gl_FragColor = vec4(isInterlaced ? (isLeft ? a : b) : vec3(bright, b.gb), 1.0);
        #include <colorspace_fragment>
      }`,
  })
}

/** A square in the corner, white for the left eye and black for the right one, for a light sensor. */
function paintSign(renderer: WebGLRenderer, isLeft: boolean): void {
  const colour = renderer.getClearColor(new Color())
  const alpha = renderer.getClearAlpha()
  renderer.setScissorTest(true)
  renderer.setScissor(0, 0, SIGN_PX, SIGN_PX)
  renderer.setClearColor(isLeft ? 0xffffff : 0x000000, 1)
  renderer.clear(true, false, false)
  renderer.setScissorTest(false)
  renderer.setClearColor(colour, alpha)
}
