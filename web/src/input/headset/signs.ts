// Words in the headset that are no buttons: what the room just said, before the eyes; labels at
// things; and what the buttons of a controller do, beside it.

import {
  CanvasTexture,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PlaneGeometry,
  SRGBColorSpace,
  Vector3,
} from 'three'
import type { Close } from '../../app'
import { wrapWords } from './layout'

const ON_TOP = 900 // order of drawing: below menus
const FONT_PX = 30
const LINE_PX = 38
const EDGE_PX = 16
const FONT = `500 ${FONT_PX}px system-ui, sans-serif`

/** A plate with words that can be put anywhere. */
export interface Sign {
  readonly mesh: Mesh
  text: string
  zoom: number // how much larger than its letters say
  readonly close: Close
}

/** `pixelSize` is m a pixel, so it says how large letters are; `width` in pixels breaks lines. */
export function makeSign(parent: Object3D, pixelSize: number, width: number): Sign {
  const canvas = document.createElement('canvas')
  let texture = new CanvasTexture(canvas)
  const material = new MeshBasicMaterial({ transparent: true, toneMapped: false, depthTest: false })
  const mesh = new Mesh(new PlaneGeometry(1, 1), material)
  mesh.renderOrder = ON_TOP
  mesh.visible = false
  parent.add(mesh)
  let shown = ''
  let zoom = 1
  let size = { width: 1, height: 1 } // pixels
  const resize = () =>
    mesh.scale.set(size.width * pixelSize * zoom, size.height * pixelSize * zoom, 1)
  const draw = () => {
    size = paint(canvas, shown, width)
    texture.dispose() // a texture keeps the size that it was made with
    texture = new CanvasTexture(canvas)
    texture.colorSpace = SRGBColorSpace
    material.map = texture
    material.needsUpdate = true
    resize()
  }
  return {
    mesh,
    get text() {
      return shown
    },
    set text(next) {
      mesh.visible = next !== ''
      if (next === shown) return
      shown = next
      mesh.userData.text = next // for tests
      if (next) draw()
    },
    get zoom() {
      return zoom
    },
    set zoom(next) {
      zoom = next
      resize()
    },
    close() {
      mesh.removeFromParent()
      mesh.geometry.dispose()
      material.dispose()
      texture.dispose()
    },
  }
}

function paint(
  canvas: HTMLCanvasElement,
  text: string,
  maxWidth: number,
): { width: number; height: number } {
  const pen = canvas.getContext('2d')
  if (!pen) return { width: 1, height: 1 }
  pen.font = FONT
  const measure = (line: string) => pen.measureText(line).width
  const lines = wrapWords(text, maxWidth, measure)
  canvas.width = Math.ceil(Math.max(...lines.map(measure)) + 2 * EDGE_PX)
  canvas.height = lines.length * LINE_PX + 2 * EDGE_PX
  pen.fillStyle = 'rgba(20, 24, 30, 0.86)'
  pen.beginPath()
  pen.roundRect(0, 0, canvas.width, canvas.height, 14)
  pen.fill()
  pen.font = FONT
  pen.fillStyle = '#f2f5f9'
  pen.textBaseline = 'middle'
  lines.forEach((line, index) => {
    pen.fillText(line, EDGE_PX, EDGE_PX + LINE_PX * (index + 0.5))
  })
  return { width: canvas.width, height: canvas.height }
}

const UP = new Vector3(0, 1, 0)
const place = new Vector3()
const facing = new Matrix4()

/** Turn something to a point, both in the frame of its parent. */
export function face(object: Object3D, eye: Vector3): void {
  facing.lookAt(eye, object.position, UP)
  object.quaternion.setFromRotationMatrix(facing)
}

const AHEAD = 1.1 // m
const BELOW = 0.34 // m
const FOLLOW = 0.06 // of the way, at each picture: it comes along lazily

/** Let a sign stay before a head (in the rig), a little below, without sticking to it once it is there. */
export function keepBefore(sign: Sign, head: Matrix4, isNew: boolean): void {
  const eye = new Vector3().setFromMatrixPosition(head)
  place.set(0, 0, -1).transformDirection(head).setY(0)
  if (place.lengthSq() < 1e-4) place.set(0, 0, -1)
  place
    .normalize()
    .multiplyScalar(AHEAD)
    .add(eye)
    .setY(eye.y - BELOW)
  sign.mesh.position.lerp(place, isNew ? 1 : FOLLOW)
  face(sign.mesh, eye)
}
