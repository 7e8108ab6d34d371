import { Group, NeutralToneMapping, type Object3D, PCFShadowMap, Scene, WebGLRenderer } from 'three'
import type { Close, RoomNode, Stage } from './app'
import { makeBackdrop } from './backdrop'
import { boundsOf } from './bounds'
import { makeCameras } from './cameras'
import { makeCutaway } from './cutaway'
import type { Gpu } from './gpu'
import { makeLights } from './lights'
import { closeAll, listen, makeListeners } from './listeners'
import { makePicking } from './picking'
import { makePicture } from './picture'
import type { Pace } from './quality'
import type { LiveRoom } from './room'
import { drawSnapshot } from './snapshot'
import { filterShadows } from './soft_shadows'
import { makeTurns } from './turns'

export interface LiveStage extends Stage {
  setDark(isDark: boolean): void
  /** Draw a line around these. */
  outline(chosen: RoomNode | undefined, hovered: RoomNode | undefined): void
  /** What is drawn changed in shape, not in place: shadows and walls are looked at anew. */
  refresh(): void
  /** Another quality is wanted or was found. */
  setLevel(): void
  close: Close
}

export function makeStage(element: HTMLElement, room: LiveRoom, gpu: Gpu, pace: Pace): LiveStage {
  filterShadows(gpu.isSoftware)
  const canvas = makeCanvas(element)
  const renderer = makeRenderer(canvas, gpu)
  const scene = new Scene()
  const rig = new Group()
  const backdrop = makeBackdrop()
  const lights = makeLights(renderer, scene, gpu.isSoftware)
  const cameras = makeCameras(canvas, room)
  const cutaway = makeCutaway()
  const picking = makePicking(canvas, cameras.camera, room)
  const picture = makePicture(renderer, scene)
  const turns = makeTurns(renderer, (drawTime) => pace.tell(drawTime))
  const updates = makeListeners<[number, number]>()
  const changes = makeListeners()
  rig.add(cameras.camera)
  room.root.add(lights.lamps)
  const parts: Object3D[] = [backdrop.mesh, lights.group, room.root, rig]
  scene.add(...parts)

  let frames = 0
  let lastTurn = 0
  let isStale = true // shapes changed since walls were looked at
  let hasMoved = true // since the last shadow
  let shadowAt = 0
  let hasFramed = false

  const fitSize = (coarseness: number) => {
    if (renderer.xr.isPresenting) return // a headset has its own size and eyes
    const most = Math.min(window.devicePixelRatio, pace.level.pixelRatio)
    const { clientWidth: width, clientHeight: height } = element
    if (width && height) picture.setSize(width, height, most * coarseness)
    cameras.camera.aspect = width && height ? width / height : 1
    cameras.camera.updateProjectionMatrix()
  }
  const catchUp = () => {
    isStale = false
    hasMoved = true
    lights.find(room)
    lights.fit(boundsOf(room.nodes))
    cutaway.find(room)
    if (hasFramed || !room.hasPlaces) return
    hasFramed = true
    cameras.focus()
    cameras.update(0)
  }
  const castShadows = (now: number) => {
    const isDue = now - shadowAt >= 1000 * pace.level.shadowPeriod || !turns.isLively
    renderer.shadowMap.needsUpdate = hasMoved && isDue
    if (!renderer.shadowMap.needsUpdate) return
    hasMoved = false
    shadowAt = now
  }
  const draw = (now: number) => {
    turns.begin(now)
    castShadows(now)
    lights.update()
    picture.draw(cameras.camera)
    turns.end()
    frames += 1
  }
  let isSettled = false
  /** Take walls away that bar the view from outside; who looks from inside sees them all. */
  const fadeWalls = (dt: number, isInside = cameras.mode !== 'orbit') =>
    cutaway.update(dt, {
      isOn: !isInside && !renderer.xr.isPresenting,
      eye: cameras.camera.position,
      target: cameras.target,
    })
  const turn = (now: number) => {
    const dt = Math.min(0.1, (now - lastTurn) / 1000)
    lastTurn = now
    if (isStale) catchUp()
    if (!renderer.xr.isPresenting) cameras.update(dt)
    updates.tell(dt, now / 1000)
    isSettled = !fadeWalls(dt) && !cameras.isMoving
    if (!isSettled) turns.wake()
    // An empty picture would only take time from the room that is being loaded.
    if (!(room.hasPlaces || renderer.xr.isPresenting) || !turns.isDue(now)) return
    fitSize(turns.isLively ? pace.coarseness : 1)
    draw(now)
  }
  const observer = new ResizeObserver(() => turns.wake())
  observer.observe(element)
  const close = closeAll([
    () => renderer.dispose(),
    () => observer.disconnect(),
    () => renderer.setAnimationLoop(null),
    cameras.close,
    cameras.onChange(changes.tell),
    room.onChange(() => {
      isStale = true
      turns.wake()
    }),
    room.onLooks(() => {
      hasMoved = true
      turns.wake()
    }),
    room.onFrame((moved) => {
      if (!hasFramed) isStale = true
      if (!moved.length) return
      hasMoved = true
      turns.wake()
    }),
    ...(['pointermove', 'pointerdown', 'wheel', 'keydown'] as const).map((type) =>
      listen(window, type, turns.wake, { passive: true }),
    ),
  ])
  const setLevel = () => {
    lights.setLevel(pace.level)
    picture.setLevel(pace.level)
    isStale = true
    turns.wake()
    changes.tell()
  }
  setLevel()
  renderer.setAnimationLoop(turn)

  return {
    element,
    canvas,
    renderer,
    scene,
    camera: cameras.camera,
    rig,
    get eyeDistance() {
      return picture.stereo.eyeDistance
    },
    set eyeDistance(distance) {
      picture.stereo.eyeDistance = distance
      turns.wake()
    },
    get convergence() {
      return picture.stereo.convergence
    },
    set convergence(distance) {
      picture.stereo.convergence = distance
      turns.wake()
    },
    get quality() {
      return pace.wish
    },
    set quality(quality) {
      pace.wish = quality
    },
    get isSettled() {
      return isSettled
    },
    get frames() {
      return frames
    },
    get stats() {
      const { calls, triangles } = renderer.info.render
      const { rate, drawTime } = turns
      const pixelRatio = renderer.getPixelRatio()
      return {
        rate,
        drawTime,
        calls,
        triangles,
        pixelRatio,
        gpu: gpu.name,
        isSoftware: gpu.isSoftware,
      }
    },
    get viewpoints() {
      return cameras.viewpoints
    },
    get viewpoint() {
      return cameras.viewpoint
    },
    get mode() {
      return cameras.mode
    },
    set mode(mode) {
      cameras.mode = mode
    },
    get stereo() {
      return picture.stereo.mode
    },
    set stereo(mode) {
      picture.stereo.mode = mode
      turns.wake()
      changes.tell()
    },
    get hint() {
      return cameras.hint
    },
    turn: cameras.turn,
    zoom: cameras.zoom,
    get cameraIsFree() {
      return cameras.isFree
    },
    set cameraIsFree(isFree) {
      cameras.isFree = isFree
    },
    onFrame: updates.on,
    onChange: changes.on,
    redraw: turns.wake,
    pick: picking.pick,
    raycaster: picking.raycaster,
    goTo: cameras.goTo,
    focus: (name) => cameras.focus(name ? room.node(name) : undefined),
    async snapshot(wish) {
      const handles = scene.children.filter((child) => child.visible && !parts.includes(child))
      for (const handle of handles) handle.visible = false // the picture is of the room alone
      fadeWalls(Number.POSITIVE_INFINITY, wish.viewpoint ? true : undefined)
      const blob = drawSnapshot(wish, { renderer, picture, cameras, room })
      fadeWalls(Number.POSITIVE_INFINITY)
      for (const handle of handles) handle.visible = true
      fitSize(1)
      draw(performance.now())
      return blob
    },
    outline(chosen, hovered) {
      picture.outline(objectsOf(room, chosen), objectsOf(room, hovered))
      turns.wake()
    },
    refresh() {
      isStale = true
      turns.wake()
    },
    setLevel,
    setDark(isDark) {
      backdrop.setDark(isDark)
      lights.setDark(isDark)
      turns.wake()
    },
    close,
  }
}

/** What is drawn for a node, and the body of the person it stands for. */
function objectsOf(room: LiveRoom, node: RoomNode | undefined): Object3D[] {
  if (!node) return []
  const skins = room.root.children.filter(
    ({ userData }) => userData.isSkin && userData.node === node.info.name,
  )
  return [node.object, ...skins]
}

function makeCanvas(element: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = 'stage'
  canvas.tabIndex = 0
  canvas.setAttribute('aria-label', 'The room, in three dimensions')
  element.append(canvas)
  return canvas
}

function makeRenderer(canvas: HTMLCanvasElement, gpu: Gpu): WebGLRenderer {
  const renderer = new WebGLRenderer({
    canvas,
    antialias: !gpu.isSoftware,
    powerPreference: 'high-performance',
  })
  renderer.toneMapping = NeutralToneMapping
  renderer.toneMappingExposure = 0.87
  renderer.xr.enabled = true
  renderer.shadowMap.enabled = true
  renderer.shadowMap.type = PCFShadowMap
  renderer.shadowMap.autoUpdate = false
  return renderer
}
