// What spares the stomach: a short fade after a jump, and a dark rim while one moves or turns.

import { BackSide, type Matrix4, Mesh, ShaderMaterial, SphereGeometry, Vector3 } from 'three'
import type { App, Close } from '../../app'

const FADE_S = 0.3
const RIM_S = 0.2 // in which the rim comes and goes
const RADIUS = 0.25 // m about the head: nearer than what one looks at, farther than the near plane
const ON_TOP = 2000 // order of drawing: above menus

export interface Comfort {
  readonly fade: number // 0: all is seen, 1: all is black
  readonly rim: number // 0..1
  /** One was put elsewhere: black at once, then seen again. */
  blink(): void
  /** Follow the head, which moves through the room by itself or not. */
  update(dt: number, head: Matrix4, isMoving: boolean): void
  readonly close: Close
}

export function makeComfort(app: App): Comfort {
  const uniforms = { fade: { value: 0 }, rim: { value: 0 } }
  const veil = new Mesh(new SphereGeometry(RADIUS, 32, 24), veilMaterial(uniforms))
  veil.renderOrder = ON_TOP
  veil.frustumCulled = false
  veil.name = 'veil'
  app.stage.rig.add(veil)
  return {
    get fade() {
      return uniforms.fade.value
    },
    get rim() {
      return uniforms.rim.value
    },
    blink() {
      uniforms.fade.value = 1
    },
    update(dt, head, isMoving) {
      head.decompose(veil.position, veil.quaternion, new Vector3())
      uniforms.fade.value = approach(uniforms.fade.value, 0, dt / FADE_S)
      uniforms.rim.value = approach(uniforms.rim.value, isMoving ? 1 : 0, dt / RIM_S)
      veil.visible = uniforms.fade.value > 0 || uniforms.rim.value > 0
    },
    close() {
      veil.removeFromParent()
      veil.geometry.dispose()
      veil.material.dispose()
    },
  }
}

export function approach(value: number, goal: number, step: number): number {
  return value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step)
}

function veilMaterial(uniforms: {
  fade: { value: number }
  rim: { value: number }
}): ShaderMaterial {
  return new ShaderMaterial({
    uniforms,
    side: BackSide,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    vertexShader: `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    // Straight ahead 34° to each side stay clear; from 52° on all is dark.
    fragmentShader: `
      uniform float fade, rim;
      varying vec3 way;
      void main() {
        float ahead = -normalize(way).z;
        float dark = rim * (1.0 - smoothstep(0.62, 0.83, ahead));
        gl_FragColor = vec4(0.0, 0.0, 0.0, max(fade, dark));
      }`,
  })
}
