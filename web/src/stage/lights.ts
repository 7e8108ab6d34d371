import {
  type Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  PointLight,
  type Scene,
  SRGBColorSpace,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from 'three'
import type { RoomNode, RoomView } from '../app'
import type { Level } from '../quality'
import { makeEnvironment } from './environment'

const SUN_INTENSITY = 2.5 // three's units, of a sun of strength 1; a stronger one is no brighter
const LAMP_INTENSITY = 4 // of a lamp of strength 1
const LAMP_REACH = 9 // m
const SHADOW_MARGIN = 0.4 // m
const SOFTNESS = 0.022 // m: half the width of a shadow's edge

/** Daylight all round, one sun with shadows fitted to the room, and the room's own lamps. */
export interface Lights {
  readonly group: Group // for the scene
  readonly lamps: Group // for the room: z up
  setDark(isDark: boolean): void
  setLevel(level: Level): void
  /** Fit to what the room holds now. */
  fit(bounds: Box3): void
  /** Take sun and lamps from the nodes. */
  find(room: RoomView): void
  /** Follow the nodes of lamps; call with each picture. */
  update(): void
}

export function makeLights(renderer: WebGLRenderer, scene: Scene, isSoftware: boolean): Lights {
  const group = new Group()
  const lamps = new Group()
  const sun = makeSun()
  const sky = new HemisphereLight('#e3ebf6', '#a8967f', 2.1) // where there is no environment
  group.add(sun, sun.target, sky)
  const direction = new Vector3(0.3, 1, 0.26).normalize() // towards the sun
  let lit: { node: RoomNode; lamp: PointLight }[] = []
  let mostLamps = 0
  let environment: Texture | undefined
  let isDark = false

  const shine = () => {
    scene.environmentIntensity = isDark ? 0.58 : 0.66
    sky.intensity = isDark ? 2.3 : 2.7
  }
  return {
    group,
    lamps,
    setDark(next) {
      isDark = next
      shine()
    },
    setLevel({ shading, shadowSize: size, lamps: most }) {
      mostLamps = most
      sky.visible = shading === 'plain'
      if (shading === 'full') environment ??= makeEnvironment(renderer, isSoftware)
      scene.environment = shading === 'full' ? (environment ?? null) : null
      shine()
      if (sun.shadow.mapSize.x === size) return
      sun.shadow.mapSize.set(size, size)
      sun.shadow.map?.dispose()
      sun.shadow.map = null
    },
    fit(bounds) {
      if (!bounds.isEmpty()) fitShadow(sun, bounds, direction)
    },
    find(room) {
      const nodes = room.nodes.filter((node) => node.info.light)
      const own = nodes.find((node) => node.info.light?.sort === 'sun')
      if (own) takeSun(own, sun, direction)
      const points = nodes.filter((node) => node.info.light?.sort === 'point').slice(0, mostLamps)
      // Lamps that are off stay, dark: a change of their number would rebuild all shaders.
      while (lamps.children.length > points.length) lamps.children.at(-1)?.removeFromParent()
      while (lamps.children.length < points.length) lamps.add(new PointLight())
      lit = points.map((node, k) => ({ node, lamp: lamps.children[k] as PointLight }))
    },
    update() {
      for (const { node, lamp } of lit) follow(node, lamp)
    },
  }
}

function makeSun(): DirectionalLight {
  const sun = new DirectionalLight('#fff3e2', SUN_INTENSITY)
  sun.castShadow = true
  sun.shadow.bias = -0.0004
  sun.shadow.normalBias = 0.012
  return sun
}

function fitShadow(sun: DirectionalLight, bounds: Box3, direction: Vector3): void {
  const centre = bounds.getCenter(new Vector3())
  const radius = bounds.getSize(new Vector3()).length() / 2 + SHADOW_MARGIN
  sun.target.position.copy(centre)
  sun.position.copy(centre).addScaledVector(direction, 2 * radius)
  const camera = sun.shadow.camera
  camera.left = camera.bottom = -radius
  camera.right = camera.top = radius
  camera.near = radius * 0.5
  camera.far = 3.5 * radius
  camera.updateProjectionMatrix()
  sun.shadow.radius = Math.max(1.5, (SOFTNESS * sun.shadow.mapSize.x) / (2 * radius))
}

/** A sun shines along the -z axis of its node. */
function takeSun(node: RoomNode, sun: DirectionalLight, direction: Vector3): void {
  const info = node.info.light
  if (!info) return
  node.object.updateWorldMatrix(true, false)
  direction.set(0, 0, 1).transformDirection(node.object.matrixWorld)
  sun.color.setRGB(...info.colour, SRGBColorSpace)
  sun.intensity = node.object.visible ? SUN_INTENSITY * Math.min(1, info.strength) : 0
}

function follow(node: RoomNode, lamp: PointLight): void {
  const info = node.info.light
  if (!info) return
  lamp.position.copy(node.object.position)
  lamp.distance = LAMP_REACH
  lamp.color.setRGB(...info.colour, SRGBColorSpace)
  lamp.intensity = node.object.visible ? LAMP_INTENSITY * info.strength : 0
}
