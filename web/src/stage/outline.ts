import {
  Color,
  MeshBasicMaterial,
  type Object3D,
  type PerspectiveCamera,
  type Scene,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three'
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js'
import { CHOSEN, HOVERED } from '../layers'

/** A line around what is chosen, and a faint one around what the mouse is over. */
interface Outline {
  show(chosen: readonly Object3D[], hovered: readonly Object3D[]): void
  setColour(colour: string): void
  draw(camera: PerspectiveCamera): void
}

const WIDTH = 2 // pixels of the screen

export function makeOutline(renderer: WebGLRenderer, scene: Scene): Outline {
  const mask = new WebGLRenderTarget(1, 1)
  const size = new Vector2()
  const paint = {
    [CHOSEN]: new MeshBasicMaterial({ color: new Color(1, 0, 0), fog: false, toneMapped: false }),
    [HOVERED]: new MeshBasicMaterial({ color: new Color(0, 1, 0), fog: false, toneMapped: false }),
  }
  const edge = makeEdge()
  const quad = new FullScreenQuad(edge)
  let shown: Object3D[] = []
  let layers: (typeof CHOSEN | typeof HOVERED)[] = []

  const drawMask = (camera: PerspectiveCamera) => {
    const kept = { mask: camera.layers.mask, auto: renderer.shadowMap.autoUpdate }
    const clear = { colour: renderer.getClearColor(new Color()), alpha: renderer.getClearAlpha() }
    renderer.shadowMap.autoUpdate = false
    renderer.setRenderTarget(mask)
    renderer.setClearColor(0x000000, 0)
    renderer.clear()
    for (const layer of layers) {
      scene.overrideMaterial = paint[layer]
      camera.layers.set(layer)
      renderer.render(scene, camera)
    }
    scene.overrideMaterial = null
    camera.layers.mask = kept.mask
    renderer.shadowMap.autoUpdate = kept.auto
    renderer.setClearColor(clear.colour, clear.alpha)
    renderer.setRenderTarget(null)
  }
  return {
    show(chosen, hovered) {
      for (const object of shown) object.traverse(unmark)
      for (const object of chosen) object.traverse((part) => part.layers.enable(CHOSEN))
      for (const object of hovered) object.traverse((part) => part.layers.enable(HOVERED))
      shown = [...chosen, ...hovered]
      layers = []
      if (hovered.length) layers.push(HOVERED)
      if (chosen.length) layers.push(CHOSEN)
    },
    setColour: (colour) => edge.uniforms.colour?.value.set(colour),
    draw(camera) {
      if (!layers.length) return
      renderer.getDrawingBufferSize(size)
      mask.setSize(size.x, size.y)
      const kept = renderer.autoClear
      renderer.autoClear = false
      drawMask(camera)
      edge.uniforms.mask = { value: mask.texture }
      edge.uniforms.step?.value.set(WIDTH / size.x, WIDTH / size.y).multiplyScalar(ratio(renderer))
      quad.render(renderer)
      renderer.autoClear = kept
    },
  }
}

function ratio(renderer: WebGLRenderer): number {
  return Math.max(1, renderer.getPixelRatio())
}

function unmark(part: Object3D): void {
  part.layers.disable(CHOSEN)
  part.layers.disable(HOVERED)
}

/** Colours pixels outside of the mask that are near to it. */
function makeEdge(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: {
      mask: { value: null },
      step: { value: new Vector2() },
      colour: { value: new Color('#4d8dff') },
    },
    transparent: true,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
    vertexShader: `
      varying vec2 vUv;
      void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,
    fragmentShader: `
      uniform sampler2D mask;
      uniform vec2 step;
      uniform vec3 colour;
      varying vec2 vUv;
      void main() {
        vec2 here = texture2D(mask, vUv).rg;
        vec2 around = vec2(0.0);
        for (int k = 0; k < 8; k++) {
          float angle = 0.7853982 * float(k);
          around += texture2D(mask, vUv + step * vec2(cos(angle), sin(angle))).rg;
        }
        vec2 line = min(vec2(1.0), around / 3.0) * (1.0 - here);
        float strength = max(line.r, 0.65 * line.g * (1.0 - here.r));
        float fill = 0.07 * here.r;
        if (strength + fill < 0.01) discard;
        gl_FragColor = vec4(colour, max(strength, fill));
        #include <colorspace_fragment>
      }`,
  })
}
