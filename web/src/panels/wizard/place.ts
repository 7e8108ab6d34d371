// The floor, the light and the handles of the workshop.

import {
  Color,
  DirectionalLight,
  Fog,
  GridHelper,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  type PerspectiveCamera,
  PlaneGeometry,
  Scene,
  SphereGeometry,
  Vector3,
} from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { TransformControls } from 'three/addons/controls/TransformControls.js'
import { makeCapsule } from '../../room/solids'
import { distance, snap, subtract, type Triple, turnFromZ } from './draft'
import type { WorkshopEvents } from './workshop_state'

export interface Place {
  readonly scene: Scene
  readonly root: Group // z up
  paint(back: string, isDark: boolean): void
}

export function makeScene(): Place {
  const scene = new Scene()
  const root = new Group()
  root.rotation.x = -Math.PI / 2
  const sky = new HemisphereLight(0xffffff, 0xa8a39c, 1.7)
  const sun = new DirectionalLight(0xffffff, 1.7)
  sun.position.set(1.5, 3.5, 2)
  sun.castShadow = true
  sun.shadow.mapSize.set(1024, 1024)
  sun.shadow.radius = 4
  Object.assign(sun.shadow.camera, { left: -2, right: 2, top: 2, bottom: -2, near: 0.5, far: 9 })
  const ground = new MeshStandardMaterial({ roughness: 1 })
  const floor = new Mesh(new PlaneGeometry(60, 60), ground)
  floor.rotation.x = -Math.PI / 2
  floor.position.y = -0.001
  floor.receiveShadow = true
  const grid = new GridHelper(4, 40)
  scene.add(root, sky, sun, floor, grid)
  root.updateMatrixWorld(true)
  return {
    scene,
    root,
    paint(back, isDark) {
      scene.background = new Color(back)
      scene.fog = new Fog(back, 5, 18)
      ground.color.set(isDark ? 0x2a2e37 : 0xdfe2e6)
      grid.material.color.set(isDark ? 0x4d5666 : 0xbfc4cc)
      grid.material.vertexColors = false
      grid.material.transparent = true
      grid.material.opacity = 0.6
      grid.material.needsUpdate = true
    },
  }
}

/** What comes next, before it is clicked. */
export interface Ghost {
  show(from: Triple | undefined, to: Triple | undefined): void
}

export function makeGhost(root: Group): Ghost {
  const material = new MeshBasicMaterial({
    color: 0xff8a1f,
    transparent: true,
    opacity: 0.45,
    depthWrite: false,
  })
  const dot = new Mesh(new SphereGeometry(0.018, 20, 12), material.clone())
  dot.material.opacity = 0.9
  const link = new Mesh(makeCapsule(0.02, 0.1), material)
  root.add(dot, link)
  dot.visible = link.visible = false
  return {
    show(from, to) {
      dot.visible = to !== undefined
      if (to) dot.position.set(...to)
      const length = from && to ? distance(from, to) : 0
      link.visible = length > 0.02
      if (!from || !to || !link.visible) return
      link.geometry.dispose()
      link.geometry = makeCapsule(0.02, length)
      link.position.set(...from).lerp(new Vector3(...to), 0.5)
      link.quaternion.set(...turnFromZ(subtract(to, from)))
    },
  }
}

/** Arrows that move something. */
export function makeHandle(tools: {
  stage: Place
  camera: PerspectiveCamera
  canvas: HTMLCanvasElement
  orbit: OrbitControls
  events: WorkshopEvents
}) {
  const held = new Object3D()
  tools.stage.root.add(held)
  const controls = new TransformControls(tools.camera, tools.canvas)
  controls.setSpace('local')
  controls.setSize(0.75)
  controls.setTranslationSnap(0.01)
  const point = () => held.position.toArray().map((value) => snap(value, 0.001)) as Triple
  controls.addEventListener('dragging-changed', (event) => {
    tools.orbit.enabled = !event.value
    if (!event.value) tools.events.onHandle(point(), true)
  })
  controls.addEventListener('objectChange', () => tools.events.onHandle(point(), false))
  const helper = controls.getHelper()
  tools.stage.scene.add(helper)
  return {
    controls,
    show(at: Triple | undefined) {
      if (at === undefined) {
        controls.detach()
        return
      }
      if (!controls.dragging) held.position.set(...at)
      held.updateMatrixWorld(true)
      if (controls.object !== held) controls.attach(held)
    },
    close() {
      controls.detach()
      controls.dispose()
      helper.removeFromParent()
    },
  }
}
