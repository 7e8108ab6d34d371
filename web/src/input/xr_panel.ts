// A small panel in the headset, at the left wrist: stop, control, back to the start, and what the
// room says. Without a left hand it floats beside the person. It is drawn on top of everything, so
// that no table hides it.

import {
  CanvasTexture,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Raycaster,
  SRGBColorSpace,
  Vector3,
} from 'three'
import type { App, Close } from '../app'

const WIDTH = 512
const HEIGHT = 288
const METRES = 0.36 // wide
const AT = [-0.42, 1.05, -0.6] as const // in the rig: left of the middle, at the height of a table
const ABOVE_WRIST = 0.11 // m
const WRIST_SCALE = 0.6
const ON_TOP = 1000 // order of drawing
const FONT = '600 30px system-ui, sans-serif'

export interface PanelButton {
  words: () => string
  colour: string
  onPress: () => void
}

export interface XrPanel {
  readonly mesh: Mesh
  /** Stand at a wrist (its pose in the rig), turned to the head; or beside the person. */
  place(wrist: Matrix4 | undefined, head: Matrix4): void
  /** How far along a ray the panel is; undefined if it is not met. */
  meet(origin: Vector3, direction: Vector3): number | undefined
  /** Press what the last ray met. */
  press(): void
  say(words: string): void
  update(): void
  readonly close: Close
}

export function makeXrPanel(app: App, buttons: readonly PanelButton[]): XrPanel {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  const size = METRES * (HEIGHT / WIDTH)
  const mesh = new Mesh(
    new PlaneGeometry(METRES, size),
    new MeshBasicMaterial({ map: texture, transparent: true, toneMapped: false, depthTest: false }),
  )
  mesh.renderOrder = ON_TOP
  app.stage.rig.add(mesh)
  const raycaster = new Raycaster()
  let said = ''
  let hovered = -1
  let drawn = ''

  const draw = () => {
    const words = [said, hovered, ...buttons.map((button) => button.words())].join('|')
    if (words === drawn) return
    drawn = words
    paint(canvas, buttons, { said, hovered })
    texture.needsUpdate = true
  }
  draw()
  placeBeside(mesh)
  return {
    mesh,
    place(wrist, head) {
      if (wrist) placeAtWrist(mesh, wrist, head)
      else placeBeside(mesh)
    },
    meet(origin, direction) {
      raycaster.set(origin, direction)
      mesh.updateWorldMatrix(true, false)
      const [hit] = raycaster.intersectObject(mesh, false)
      const index = hit?.uv ? buttonAt(hit.uv, buttons.length) : -1
      if (hit || hovered >= 0) hovered = index
      return hit?.distance
    },
    press() {
      buttons[hovered]?.onPress()
    },
    say(words) {
      said = words
    },
    update: draw,
    close() {
      mesh.removeFromParent()
      mesh.geometry.dispose()
      texture.dispose()
      mesh.material.dispose()
    },
  }
}

function placeBeside(mesh: Mesh): void {
  mesh.position.set(...AT)
  mesh.rotation.set(-0.5, 0.5, 0, 'YXZ')
  mesh.scale.setScalar(1)
}

const UP = new Vector3(0, 1, 0)
const eye = new Vector3()
const facing = new Matrix4()

function placeAtWrist(mesh: Mesh, wrist: Matrix4, head: Matrix4): void {
  mesh.position.setFromMatrixPosition(wrist).addScaledVector(UP, ABOVE_WRIST)
  facing.lookAt(eye.setFromMatrixPosition(head), mesh.position, UP)
  mesh.quaternion.setFromRotationMatrix(facing)
  mesh.scale.setScalar(WRIST_SCALE)
}

const TOP = 84 // pixels, above which words stand
const GAP = 16

function boxOf(index: number, count: number): [number, number, number, number] {
  const rows = Math.ceil(count / 2)
  const width = (WIDTH - 3 * GAP) / 2
  const height = (HEIGHT - TOP - GAP * rows) / rows
  return [
    GAP + (index % 2) * (width + GAP),
    TOP + Math.floor(index / 2) * (height + GAP),
    width,
    height,
  ]
}

function buttonAt(uv: { x: number; y: number }, count: number): number {
  const [px, py] = [uv.x * WIDTH, (1 - uv.y) * HEIGHT]
  for (let index = 0; index < count; index++) {
    const [x, y, width, height] = boxOf(index, count)
    if (px >= x && px <= x + width && py >= y && py <= y + height) return index
  }
  return -1
}

function paint(
  canvas: HTMLCanvasElement,
  buttons: readonly PanelButton[],
  state: { said: string; hovered: number },
): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.clearRect(0, 0, WIDTH, HEIGHT)
  pen.fillStyle = 'rgba(20, 24, 30, 0.92)'
  pen.beginPath()
  pen.roundRect(0, 0, WIDTH, HEIGHT, 28)
  pen.fill()
  pen.font = '26px system-ui, sans-serif'
  pen.fillStyle = '#e8ecf2'
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  pen.fillText(state.said, 24, TOP / 2, WIDTH - 48)
  pen.font = FONT
  pen.textAlign = 'center'
  buttons.forEach((button, index) => {
    const [x, y, width, height] = boxOf(index, buttons.length)
    pen.fillStyle = button.colour
    pen.globalAlpha = state.hovered === index ? 1 : 0.8
    pen.beginPath()
    pen.roundRect(x, y, width, height, 16)
    pen.fill()
    pen.globalAlpha = 1
    pen.fillStyle = '#ffffff'
    pen.fillText(button.words(), x + width / 2, y + height / 2, width - 16)
  })
}
