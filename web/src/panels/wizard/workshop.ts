// The place where the robot is built: a floor, a light, the parts, the axes, and what the hand does.

import { PCFShadowMap, PerspectiveCamera, Vector3, WebGLRenderer } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { makeAxes } from './axes'
import { type MeshFiles, makeBodies } from './bodies'
import type { Triple } from './draft'
import { makeHand } from './hand'
import { makeGhost, makeHandle, makeScene } from './place'
import type { WorkshopEvents, WorkshopState } from './workshop_state'

// Where the camera looks from, in three's world.
const PLACES = {
  front: [0, 0.45, 2.6],
  side: [2.6, 0.45, 0],
  top: [0, 3, 0.01],
  fit: [0.7, 1.0, 2.5],
} satisfies Record<string, Triple>

export interface Workshop {
  readonly canvas: HTMLCanvasElement
  show(state: WorkshopState): void
  look(from: keyof typeof PLACES): void
  setTheme(): void
  /** Where a point of the robot is on the screen; for tests. */
  onScreen(point: Triple): { x: number; y: number }
  close(): void
}

export function makeWorkshop(
  holder: HTMLElement,
  files: () => MeshFiles,
  events: WorkshopEvents,
): Workshop {
  const renderer = makeRenderer()
  const canvas = renderer.domElement
  holder.append(canvas)
  const stage = makeScene()
  const { camera, orbit, look } = makeEye(canvas)
  const bodies = makeBodies(stage.root, files)
  const axes = makeAxes(stage.root)
  const ghost = makeGhost(stage.root)
  const handle = makeHandle({ stage, camera, canvas, orbit, events })
  let state: WorkshopState | undefined
  const { redraw, cancel } = inNextFrame(() => renderer.render(stage.scene, camera))
  const resize = () => {
    if (fitTo(holder, renderer, camera)) redraw()
  }
  const watch = new ResizeObserver(() => requestAnimationFrame(resize))
  watch.observe(holder)
  orbit.addEventListener('change', redraw)
  handle.controls.addEventListener('change', redraw)
  const hand = makeHand({
    canvas,
    camera,
    bodies,
    axes,
    ghost,
    stage,
    events,
    state: () => state,
    orbit,
    redraw,
    isBusy: () => handle.controls.dragging || handle.controls.axis !== null,
  })

  const setTheme = () => {
    const back = getComputedStyle(holder).getPropertyValue('--back').trim() || '#eef0f2'
    stage.paint(back, document.documentElement.dataset.theme === 'dark')
    redraw()
  }
  setTheme()
  resize()
  return {
    canvas,
    setTheme,
    show(next) {
      state = next
      bodies.show(next.draft, next.joints, next.tool === 'drag' ? '' : next.chosen)
      axes.group.visible = next.tool === 'axes'
      axes.show(next.draft, next.joints, next.chosen)
      handle.show(next.handle)
      hand.follow()
      redraw()
    },
    look(from) {
      look(from)
      redraw()
    },
    onScreen(point) {
      const box = canvas.getBoundingClientRect()
      const { x, y } = stage.root.localToWorld(new Vector3(...point)).project(camera)
      return { x: box.left + (0.5 + x / 2) * box.width, y: box.top + (0.5 - y / 2) * box.height }
    },
    close() {
      cancel()
      watch.disconnect()
      hand.close()
      handle.close()
      orbit.dispose()
      bodies.close()
      renderer.dispose()
      renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

function makeRenderer(): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: false })
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2))
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  const canvas = renderer.domElement
  canvas.tabIndex = 0
  canvas.setAttribute('aria-label', 'The robot that is being built')
  canvas.dataset.id = 'workshop'
  return renderer
}

/** The camera, and the mouse that turns it about the robot. */
function makeEye(canvas: HTMLCanvasElement) {
  const camera = new PerspectiveCamera(38, 1, 0.02, 60)
  const orbit = new OrbitControls(camera, canvas)
  orbit.maxPolarAngle = 0.52 * Math.PI
  orbit.minDistance = 0.2
  orbit.maxDistance = 15
  const look = (from: keyof typeof PLACES) => {
    camera.position.set(...(PLACES[from] as Triple))
    orbit.target.set(0, from === 'top' ? 0 : 0.45, 0)
    orbit.update()
  }
  look('fit')
  return { camera, orbit, look }
}

/** Draw once in the next frame of the browser, however often it is asked for. */
function inNextFrame(draw: () => void): { redraw(): void; cancel(): void } {
  let request = 0
  const run = () => {
    request = 0
    draw()
  }
  return {
    redraw() {
      if (request === 0) request = requestAnimationFrame(run)
    },
    cancel: () => cancelAnimationFrame(request),
  }
}

/** Let the picture fill its holder; false while the holder has no size. */
function fitTo(holder: HTMLElement, renderer: WebGLRenderer, camera: PerspectiveCamera): boolean {
  const { clientWidth, clientHeight } = holder
  if (clientWidth === 0 || clientHeight === 0) return false
  renderer.setSize(clientWidth, clientHeight)
  camera.aspect = clientWidth / clientHeight
  camera.fov = camera.aspect < 1 ? 50 : 38
  camera.updateProjectionMatrix()
  return true
}
