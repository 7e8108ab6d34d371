import { Group, NeutralToneMapping, type Object3D, PCFShadowMap, Scene, WebGLRenderer } from 'three'
import type { Close, RoomNode, Stage } from '../app'
import { makeCameras } from '../cameras/cameras'
import type { Covered } from '../cameras/view'
import { combine } from '../combine'
import { closeAll, listen, makeListeners } from '../listeners'
import type { Gpu, Pace } from '../quality'
import type { LiveRoom } from '../room/room'
import { makeBackdrop } from './backdrop'
import { cameraControls, qualityControls, stereoControls } from './controls'
import { type Cutaway, makeCutaway } from './cutaway'
import { type Drawing, makeDrawing } from './drawing'
import { followRoom } from './following'
import { makeLights } from './lights'
import { makePicking } from './picking'
import { makePicture } from './picture'
import { drawSnapshot, type SnapshotSize, type SnapshotTools } from './snapshot'
import { filterShadows } from './soft_shadows'
import { makeTurns, type Turns } from './turns'

interface LiveStage extends Stage {
  setDark(isDark: boolean): void
  /** Draw a line around these. */
  outline(chosen: RoomNode | undefined, hovered: RoomNode | undefined): void
  /** What is drawn changed in shape, not in place: shadows and walls are updated. */
  refresh(): void
  /** Apply the current quality. */
  setLevel(): void
  close: Close
}

export function makeStage(
  element: HTMLElement,
  room: LiveRoom,
  { gpu, pace, covered }: { gpu: Gpu; pace: Pace; covered: () => Covered },
): LiveStage {
  filterShadows(gpu.isSoftware)
  const canvas = makeCanvas(element)
  const renderer = makeRenderer(canvas, gpu)
  const scene = new Scene()
  const backdrop = makeBackdrop()
  const lights = makeLights(renderer, scene, gpu.isSoftware)
  const cameras = makeCameras(canvas, room)
  const picking = makePicking(canvas, cameras.camera, room)
  const picture = makePicture(renderer, scene)
  const turns = makeTurns(renderer, (drawTime) => pace.tell(drawTime))
  const updates = makeListeners<[number, number]>()
  const changes = makeListeners()
  const rig = new Group().add(cameras.camera)
  room.root.add(lights.lamps)
  const parts: Object3D[] = [backdrop.mesh, lights.group, room.root, rig]
  scene.add(...parts)
  const tools = { element, renderer, room, pace, lights, cameras, picture, turns, covered }
  const cutaway = makeCutaway()
  const drawing = makeDrawing({ ...tools, cutaway }, updates.tell)
  const setLevel = () => {
    lights.setLevel(pace.level)
    picture.setLevel(pace.level)
    drawing.refresh()
    changes.tell()
  }
  setLevel()
  renderer.setAnimationLoop(drawing.turn)

  const own = {
    element,
    canvas,
    renderer,
    scene,
    camera: cameras.camera,
    rig,
    get isSettled() {
      return drawing.isSettled
    },
    get frames() {
      return drawing.frames
    },
    onFrame: updates.on,
    onChange: changes.on,
    redraw: turns.wake,
    pick: picking.pick,
    raycaster: picking.raycaster,
    snapshot: (wish: SnapshotSize) => photograph(wish, { ...tools, scene, parts, drawing }),
    outline(chosen: RoomNode | undefined, hovered: RoomNode | undefined) {
      picture.outline(objectsOf(room, chosen), objectsOf(room, hovered))
      turns.wake()
    },
    refresh: drawing.refresh,
    setLevel,
    setDark(isDark: boolean) {
      backdrop.setDark(isDark)
      lights.setDark(isDark)
      turns.wake()
    },
    close: closeAll([
      () => renderer.dispose(),
      () => renderer.setAnimationLoop(null),
      cameras.close,
      cameras.onChange(changes.tell),
      followRoom(room, drawing),
      wakeOnInput(element, turns),
    ]),
  }
  return combine(
    own,
    cameraControls(cameras, room),
    stereoControls(picture.stereo, turns.wake, changes.tell),
    qualityControls(renderer, { gpu, pace, turns }),
    cutawayControl(cutaway, turns.wake, changes.tell),
  )
}

function cutawayControl(cutaway: Cutaway, wake: () => void, tell: () => void) {
  return {
    get cutsAway() {
      return cutaway.isEnabled
    },
    set cutsAway(value: boolean) {
      cutaway.isEnabled = value
      wake()
      tell()
    },
  }
}

/** Take a picture of the room alone, then draw what was on the screen. */
async function photograph(
  wish: SnapshotSize,
  tools: SnapshotTools & { scene: Scene; parts: readonly Object3D[]; drawing: Drawing },
): Promise<Blob> {
  const { scene, parts, drawing } = tools
  const showHandles = hideAllBut(parts, scene)
  drawing.fadeWalls(Number.POSITIVE_INFINITY, wish.viewpoint ? true : undefined)
  const blob = drawSnapshot(wish, tools)
  drawing.fadeWalls(Number.POSITIVE_INFINITY)
  showHandles()
  drawing.drawNow()
  return blob
}

/** Hide the rest of a scene; the function that is returned shows it again. */
function hideAllBut(parts: readonly Object3D[], scene: Scene): Close {
  const others = scene.children.filter((child) => child.visible && !parts.includes(child))
  for (const other of others) other.visible = false
  return () => {
    for (const other of others) other.visible = true
  }
}

/** Draw at full rate while the person does something, or the size changes. */
function wakeOnInput(element: HTMLElement, { wake }: Turns): Close {
  const observer = new ResizeObserver(wake)
  observer.observe(element)
  return closeAll([
    () => observer.disconnect(),
    ...(['pointermove', 'pointerdown', 'wheel', 'keydown'] as const).map((type) =>
      listen(window, type, wake, { passive: true }),
    ),
  ])
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
