import { CircleGeometry, Mesh } from 'three'
import type { SurfaceInfo } from '../net/protocol'
import type { SurfaceLook, SurfaceMaterial, Surfaces } from './surfaces'

const RADIUS = 30 // m; beyond it, there is only the backdrop
const CLEAR = 6 // m; up to there the floor is seen whole

/** The floor: a round piece of the plane z = 0 with faint lines every metre, fading far away. */
export function makeFloor(surface: SurfaceInfo, look: SurfaceLook, surfaces: Surfaces): Mesh {
  const geometry = new CircleGeometry(RADIUS, 48)
  const position = geometry.getAttribute('position')
  const uv = geometry.getAttribute('uv')
  for (let k = 0; k < uv.count; k++) uv.setXY(k, position.getX(k), position.getY(k))
  const material = surfaces.material(surface, { ...look, isFloor: true })
  if (!material.userData.isFloor) fade(material, surface.pattern === '')
  const mesh = new Mesh(geometry, material)
  mesh.renderOrder = -1 // transparent at its rim only: before all that is transparent
  return mesh
}

function fade(material: SurfaceMaterial, hasLines: boolean): void {
  material.userData.isFloor = true
  material.transparent = true
  material.depthWrite = true
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvFloor = position.xy;')
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
      .replace('#include <color_fragment>', `#include <color_fragment>\n${hasLines ? LINES : ''}`)
      .replace('#include <opaque_fragment>', `${FADE}\n#include <opaque_fragment>`)
  }
  material.customProgramCacheKey = () => (hasLines ? 'floor with lines' : 'floor')
}

const LINES = `
  vec2 wide = max(fwidth(vFloor), vec2(1e-4));
  vec2 away = abs(fract(vFloor - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(vec2(0.004), vec2(0.004) + 1.5 * wide, away);
  float strength = max(line.x, line.y) * (1.0 - smoothstep(0.05, 0.3, max(wide.x, wide.y)));
  diffuseColor.rgb *= 1.0 - 0.16 * strength;`

const FADE = `
  diffuseColor.a *= 1.0 - smoothstep(${CLEAR.toFixed(1)}, ${(RADIUS * 0.7).toFixed(1)}, length(vFloor));`
