// Panels of the page as planes that stand in the room. Pointing and pulling the trigger presses what
// is there; squeezing takes hold of the plane and puts it elsewhere; the stick scrolls.

import {
  CanvasTexture,
  type Group,
  LinearFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Raycaster,
  SRGBColorSpace,
  Vector3,
} from 'three'
import type { App, Close } from '../../app'
import { elementAt, makeDomPainter } from './dom_painter'
import { face } from './signs'

const NAMES: readonly [string, string][] = [
  ['teach', 'Teach'],
  ['figures', 'Dexterity'],
  ['view', 'View'],
  ['body', 'Body'],
  ['messages', 'Messages'],
  ['tree', 'Things'],
]
const WIDTH_PX = 340
const HEIGHT_PX = 560
const PIXEL_SIZE = 0.0014 // m a pixel of the page
const SCALE = 2 // pixels of the canvas a pixel of the page
const AHEAD = 0.95 // m
const APART = 0.55 // m, of two planes
const BELOW = 0.1 // m below the eyes
const ON_TOP = 800 // order of drawing: below signs and menus
const PAINT_PERIOD_S = 0.12
const SCROLL_SPEED = 500 // px/s

interface Plane {
  id: string
  panel: HTMLElement
  mesh: Mesh<PlaneGeometry, MeshBasicMaterial>
  paint(): void
  close: Close
}

export interface Planes {
  readonly names: readonly [string, string][]
  isOpen(id: string): boolean
  toggle(id: string): void
  /** The nearest plane on a ray (three's world), and how far it is. */
  meet(origin: Vector3, direction: Vector3): PlaneHit | undefined
  update(dt: number, head: Matrix4): void
  readonly close: Close
}

export interface PlaneHit {
  distance: number
  /** Press what is there; while the trigger is pulled, `drag` moves sliders. */
  press(): void
  scroll(speed: number, dt: number): void // -1..1
  /** Fasten the plane to a pose (three's world): it moves as that does. */
  hold(pose: Matrix4): (pose: Matrix4) => void
}

export function makePlanes(app: App): Planes {
  const { scene, rig } = app.stage
  const open = new Map<string, Plane>()
  const host = makeHost()
  const raycaster = new Raycaster()
  const head = new Matrix4()
  let since = 0

  const toggle = (id: string) => {
    const old = open.get(id)
    open.delete(id)
    if (old) return old.close()
    const panel = document.getElementById(`panel-${id}`)
    if (!panel) return
    const plane = makePlane(id, panel, host)
    scene.add(plane.mesh)
    placeBefore(plane.mesh, rig, head, open.size)
    open.set(id, plane)
  }
  return {
    get names() {
      return NAMES.filter(([id]) => document.getElementById(`panel-${id}`))
    },
    isOpen: (id) => open.has(id),
    toggle,
    meet(origin, direction) {
      raycaster.set(origin, direction)
      const meshes = [...open.values()].map(({ mesh }) => mesh)
      const [hit] = raycaster.intersectObjects(meshes, false)
      const plane = [...open.values()].find(({ mesh }) => mesh === hit?.object)
      if (!hit?.uv || !plane) return undefined
      return hitOf(plane, hit.distance, hit.uv)
    },
    update(dt, nowHead) {
      head.copy(nowHead)
      since += dt
      if (since < PAINT_PERIOD_S) return
      since = 0
      for (const plane of [...open.values()]) {
        if (plane.panel.hidden)
          toggle(plane.id) // by its own button
        else plane.paint()
      }
    },
    close() {
      for (const plane of open.values()) plane.close()
      host.remove()
    },
  }
}

/** Panels in the headset live beside the page, where they are laid out but not seen. */
function makeHost(): HTMLElement {
  const host = document.createElement('div')
  host.className = 'headset-panels'
  host.inert = true
  document.body.append(host)
  return host
}

function makePlane(id: string, panel: HTMLElement, host: HTMLElement): Plane {
  const wasHidden = panel.hidden
  const place = document.createComment(panel.id) // its neighbours may go and come, too
  panel.before(place)
  host.append(panel)
  panel.hidden = false
  const canvas = Object.assign(document.createElement('canvas'), {
    width: WIDTH_PX * SCALE,
    height: HEIGHT_PX * SCALE,
  })
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.minFilter = LinearFilter
  texture.generateMipmaps = false
  const material = new MeshBasicMaterial({ map: texture, transparent: true, toneMapped: false })
  const geometry = new PlaneGeometry(WIDTH_PX * PIXEL_SIZE, HEIGHT_PX * PIXEL_SIZE)
  const mesh = new Mesh(geometry, material)
  mesh.name = `panel-${id}`
  mesh.renderOrder = ON_TOP
  material.depthTest = false
  const painter = makeDomPainter(panel, canvas, SCALE, () => paint())
  const paint = () => {
    painter.paint()
    texture.needsUpdate = true
  }
  paint()
  return {
    id,
    panel,
    mesh,
    paint,
    close() {
      mesh.removeFromParent()
      geometry.dispose()
      material.dispose()
      texture.dispose()
      panel.hidden = wasHidden
      place.replaceWith(panel)
    },
  }
}

/** Stand before the person, beside those that stand there already. */
function placeBefore(mesh: Mesh, rig: Group, head: Matrix4, index: number): void {
  const world = rig.matrixWorld.clone().multiply(head)
  const eye = new Vector3().setFromMatrixPosition(world)
  const ahead = new Vector3(0, 0, -1).transformDirection(world).setY(0).normalize()
  const right = new Vector3(-ahead.z, 0, ahead.x)
  const aside = Math.ceil(index / 2) * (index % 2 ? 1 : -1) * APART
  mesh.position.copy(eye).addScaledVector(ahead, AHEAD).addScaledVector(right, aside)
  mesh.position.y -= BELOW
  face(mesh, eye)
}

function hitOf(plane: Plane, distance: number, uv: { x: number; y: number }): PlaneHit {
  const { panel, mesh } = plane
  return {
    distance,
    press() {
      const rect = panel.getBoundingClientRect()
      const [x, y] = [rect.left + uv.x * WIDTH_PX, rect.top + (1 - uv.y) * HEIGHT_PX]
      const element = elementAt(panel, x, y)
      if (element) pressElement(element, x)
      plane.paint()
    },
    scroll(speed, dt) {
      const body = panel.querySelector('.panel-body')
      if (body) body.scrollTop += speed * SCROLL_SPEED * dt
    },
    hold(pose) {
      const fromPose = pose.clone().invert().multiply(mesh.matrixWorld)
      return (next) =>
        next.clone().multiply(fromPose).decompose(mesh.position, mesh.quaternion, mesh.scale)
    },
  }
}

/** Do what a click there would do. */
export function pressElement(element: Element, x: number): void {
  const field = element.closest('label')?.querySelector('input, select') ?? element
  if (field instanceof HTMLInputElement && field.type === 'range') {
    if (field.disabled) return
    const rect = field.getBoundingClientRect()
    const share = Math.max(0, Math.min(1, (x - rect.left) / rect.width))
    field.valueAsNumber = Number(field.min) + share * (Number(field.max) - Number(field.min))
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (field instanceof HTMLSelectElement) {
    if (field.disabled) return
    field.selectedIndex = (field.selectedIndex + 1) % field.options.length
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (element instanceof HTMLElement)
    (element.closest<HTMLElement>('button, summary, label, a, [role]') ?? element).click()
}
