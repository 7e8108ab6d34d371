// A board in the headset: words above, buttons below, drawn on a canvas and on top of everything, so
// that no table hides it.

import {
  CanvasTexture,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Raycaster,
  SRGBColorSpace,
  type Vector3,
} from 'three'
import type { Close } from '../../app'
import { type Box, boxAt, gridOf, wrapWords } from './layout'

const WIDTH = 640 // pixels
const HEIGHT = 600
const EDGE = 20
const GAP = 14
const WORDS_HEIGHT = 150
const LINE_HEIGHT = 34
const MAX_LINES = 4
const ON_TOP = 1000 // order of drawing
const WORDS_FONT = '26px system-ui, sans-serif'
const BUTTON_FONT = '600 30px system-ui, sans-serif'
const TEXT_FONT = '27px system-ui, sans-serif'

export interface BoardButton {
  words: string
  colour: string
  onPress: () => void
  onRelease?: () => void
}

/** What a board shows: a few words, then buttons in two columns; or a longer text above them. */
export interface BoardContent {
  words: string
  text?: readonly string[]
  buttons: readonly BoardButton[]
}

export interface Board {
  readonly mesh: Mesh
  readonly content: BoardContent
  /** Show this, if it is not what is shown already. */
  show(content: BoardContent): void
  /** How far along a ray the board is; undefined if it is not met. */
  meet(origin: Vector3, direction: Vector3): number | undefined
  press(): void
  release(): void
  /** Where the middle of a button is, in metres from the middle of the board. */
  placeOf(index: number): { x: number; y: number }
  readonly close: Close
}

/** `metres` is how wide it is. */
export function makeBoard(metres: number): Board {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  const height = metres * (HEIGHT / WIDTH)
  const mesh = new Mesh(
    new PlaneGeometry(metres, height),
    new MeshBasicMaterial({ map: texture, transparent: true, toneMapped: false, depthTest: false }),
  )
  mesh.renderOrder = ON_TOP
  const raycaster = new Raycaster()
  let content: BoardContent = { words: '', buttons: [] }
  let boxes: Box[] = []
  let hovered = -1
  let held: BoardButton | undefined
  let drawn = ''

  const draw = () => {
    const state = JSON.stringify([content, hovered])
    if (state === drawn) return
    drawn = state
    boxes = buttonBoxes(content)
    paint(canvas, content, boxes, hovered)
    texture.needsUpdate = true
  }
  return {
    mesh,
    get content() {
      return content
    },
    show(next) {
      content = next
      draw()
    },
    meet(origin, direction) {
      raycaster.set(origin, direction)
      mesh.updateWorldMatrix(true, false)
      const [hit] = raycaster.intersectObject(mesh, false)
      if (hit?.uv) hovered = boxAt(boxes, hit.uv.x * WIDTH, (1 - hit.uv.y) * HEIGHT)
      else if (!held) hovered = -1
      return hit?.distance
    },
    press() {
      held = content.buttons[hovered]
      held?.onPress()
    },
    release() {
      held?.onRelease?.()
      held = undefined
    },
    placeOf(index) {
      const box = boxes[index] ?? { x: 0, y: 0, width: 0, height: 0 }
      return {
        x: ((box.x + box.width / 2) / WIDTH - 0.5) * metres,
        y: (0.5 - (box.y + box.height / 2) / HEIGHT) * height,
      }
    },
    close() {
      held?.onRelease?.()
      mesh.removeFromParent()
      mesh.geometry.dispose()
      texture.dispose()
      mesh.material.dispose()
    },
  }
}

function buttonBoxes({ text, buttons }: BoardContent): Box[] {
  const top = WORDS_HEIGHT + (text ? textHeight(text) : 0)
  const area = { x: EDGE, y: top, width: WIDTH - 2 * EDGE, height: HEIGHT - EDGE - top }
  return gridOf(buttons.length, 2, area, GAP)
}

function textHeight(text: readonly string[]): number {
  return text.length * LINE_HEIGHT + GAP
}

function paint(
  canvas: HTMLCanvasElement,
  { words, text, buttons }: BoardContent,
  boxes: readonly Box[],
  hovered: number,
): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.clearRect(0, 0, WIDTH, HEIGHT)
  pen.fillStyle = 'rgba(20, 24, 30, 0.94)'
  pen.beginPath()
  pen.roundRect(0, 0, WIDTH, HEIGHT, 28)
  pen.fill()
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  pen.fillStyle = '#e8ecf2'
  pen.font = WORDS_FONT
  const wide = WIDTH - 2 * EDGE
  const lines = wrapWords(words, wide, (line) => pen.measureText(line).width).slice(-MAX_LINES)
  lines.forEach((line, index) => {
    pen.fillText(line, EDGE, EDGE + LINE_HEIGHT * (index + 0.3), wide)
  })
  pen.font = TEXT_FONT
  pen.fillStyle = '#c5cedb'
  text?.forEach((line, index) => {
    pen.fillText(line, EDGE, WORDS_HEIGHT + LINE_HEIGHT * (index + 0.5), wide)
  })
  buttons.forEach((button, index) => {
    const box = boxes[index]
    if (box) paintButton(pen, button, box, hovered === index)
  })
}

function paintButton(
  pen: CanvasRenderingContext2D,
  { words, colour }: BoardButton,
  { x, y, width, height }: Box,
  isHovered: boolean,
): void {
  pen.fillStyle = colour
  pen.globalAlpha = isHovered ? 1 : 0.82
  pen.beginPath()
  pen.roundRect(x, y, width, height, 16)
  pen.fill()
  pen.globalAlpha = 1
  if (isHovered) {
    pen.strokeStyle = '#ffffff'
    pen.lineWidth = 4
    pen.stroke()
  }
  pen.font = BUTTON_FONT
  pen.textAlign = 'center'
  pen.fillStyle = '#ffffff'
  const lines = wrapWords(words, width - 16, (line) => pen.measureText(line).width).slice(0, 2)
  lines.forEach((line, index) => {
    const at = y + height / 2 + (index - (lines.length - 1) / 2) * LINE_HEIGHT
    pen.fillText(line, x + width / 2, at, width - 16)
  })
  pen.textAlign = 'left'
}
