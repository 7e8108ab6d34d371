// A small panel that floats beside the person in a headset: stop, control, back to the start.

import {
  CanvasTexture,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Raycaster,
  SRGBColorSpace,
  type Vector3,
} from 'three'
import type { App, Close } from '../app'

const WIDTH = 512
const HEIGHT = 288
const METRES = 0.36 // wide
const AT = [-0.42, 1.05, -0.6] as const // in the rig: left of the middle, at the height of a table
const FONT = '600 30px system-ui, sans-serif'

export interface PanelButton {
  words: () => string
  colour: string
  onPress: () => void
}

export interface XrPanel {
  readonly mesh: Mesh
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
    new MeshBasicMaterial({ map: texture, transparent: true, toneMapped: false }),
  )
  mesh.position.set(...AT)
  mesh.rotation.set(-0.5, 0.5, 0, 'YXZ')
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
  return {
    mesh,
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
