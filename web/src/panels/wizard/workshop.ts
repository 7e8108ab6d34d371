// The place where the robot is built: a floor, a light, the parts, the axes, and what the hand does.

import { PCFShadowMap, PerspectiveCamera, Vector3, WebGLRenderer } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { makeAxes } from './axes'
import { type MeshFiles, makeBodies } from './bodies'
import type { Draft, Joints, Solid, Triple } from './draft'
import { makeHand } from './hand'
import { makeGhost, makeHandle, makeScene } from './place'

export type Tool = 'points' | 'choose' | 'axes' | 'drag'
export type WorkPlane = 'upright' | 'flat'

/** What was clicked. */
export interface Hit {
  readonly part?: string
  readonly solid?: Solid
  readonly axis?: Triple // an arrow
  readonly joint?: string // a line: the part that the joint holds
  readonly point: Triple // of the robot
  readonly normal: Triple
}

export interface WorkshopState {
  readonly draft: Draft
  readonly joints: Joints
  readonly chosen: string // a part
  readonly tool: Tool
  readonly plane: WorkPlane
  readonly handle: Triple | undefined // where the arrows are that move something
}

export interface WorkshopEvents {
  onClick(hit: Hit): void
  onDrag(grabbed: { part: string; point: Vector3 }, target: Vector3): void
  onHandle(point: Triple, isDone: boolean): void
  onHover(point: Triple | undefined): void
}

export interface Workshop {
  readonly canvas: HTMLCanvasElement
  show(state: WorkshopState): void
  look(from: 'front' | 'side' | 'top' | 'fit'): void
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
  const renderer = new WebGLRenderer({ antialias: true, alpha: false })
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2))
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  const canvas = renderer.domElement
  canvas.tabIndex = 0
  canvas.setAttribute('aria-label', 'The robot that is being built')
  canvas.dataset.id = 'workshop'
  holder.append(canvas)
  const stage = makeScene()
  const camera = new PerspectiveCamera(38, 1, 0.02, 60)
  camera.position.set(0.7, 1.0, 2.5)
  const orbit = new OrbitControls(camera, canvas)
  orbit.target.set(0, 0.45, 0)
  orbit.maxPolarAngle = 0.52 * Math.PI
  orbit.minDistance = 0.2
  orbit.maxDistance = 15
  orbit.update()
  const bodies = makeBodies(stage.root, files)
  const axes = makeAxes(stage.root)
  const ghost = makeGhost(stage.root)
  const handle = makeHandle({ stage, camera, canvas, orbit, events })
  let state: WorkshopState | undefined
  let wished = 0

  const redraw = () => {
    if (wished === 0) wished = requestAnimationFrame(draw)
  }
  const draw = () => {
    wished = 0
    renderer.render(stage.scene, camera)
  }
  const resize = () => {
    const { clientWidth, clientHeight } = holder
    if (clientWidth === 0 || clientHeight === 0) return
    renderer.setSize(clientWidth, clientHeight)
    camera.aspect = clientWidth / clientHeight
    camera.fov = camera.aspect < 1 ? 50 : 38
    camera.updateProjectionMatrix()
    redraw()
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
    const style = getComputedStyle(holder)
    stage.paint(
      style.getPropertyValue('--back').trim() || '#eef0f2',
      document.documentElement.dataset.theme === 'dark',
    )
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
      const places: Record<string, Triple> = {
        front: [0, 0.45, 2.6],
        side: [2.6, 0.45, 0],
        top: [0, 3, 0.01],
        fit: [0.7, 1.0, 2.5],
      }
      camera.position.set(...(places[from] ?? [0.7, 1, 2.5]))
      orbit.target.set(0, from === 'top' ? 0 : 0.45, 0)
      orbit.update()
      redraw()
    },
    onScreen(point) {
      const box = canvas.getBoundingClientRect()
      const { x, y } = stage.root.localToWorld(new Vector3(...point)).project(camera)
      return { x: box.left + (0.5 + x / 2) * box.width, y: box.top + (0.5 - y / 2) * box.height }
    },
    close() {
      cancelAnimationFrame(wished)
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
