import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from 'three'
import type { Close } from '../app'
import { CLEAR } from '../layers'
import type { BackLimits, BackState } from '../net/protocol'

const WIDTH = 176 // pixels of its picture
const HEIGHT = 416
const SIZE = 0.66 // m high
const COLOURS = ['#22b573', '#f0a02c', '#f04a5d']

/** The load of a back as an upright bar with its limits, which faces the camera. */
interface LoadBar {
  readonly object: Sprite
  show(back: BackState | null, limits: BackLimits | undefined, isDark: boolean): void
  close: Close
}

export function makeLoadBar(): LoadBar {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  const material = new SpriteMaterial({
    map: texture,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  })
  const object = new Sprite(material)
  object.name = 'back load'
  object.scale.set((SIZE * WIDTH) / HEIGHT, SIZE, 1)
  object.layers.set(CLEAR)
  object.renderOrder = 12
  let before = ''
  return {
    object,
    show(back, limits, isDark) {
      object.visible = back !== null && limits !== undefined
      if (!back || !limits) return
      const words = `${Math.round(back.compression / 10)} ${back.level} ${isDark}`
      if (words === before) return
      before = words
      draw(canvas, back, limits.compression, isDark)
      texture.needsUpdate = true
    },
    close() {
      object.removeFromParent()
      texture.dispose()
      material.dispose()
    },
  }
}

function draw(
  canvas: HTMLCanvasElement,
  { compression, level }: BackState,
  [action, maximum]: readonly [number, number],
  isDark: boolean,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const text = isDark ? '#eceff4' : '#1b2029'
  const soft = isDark ? '#a2abbb' : '#586172'
  context.clearRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = isDark ? 'rgb(28 31 38 / 0.84)' : 'rgb(255 255 255 / 0.86)'
  rounded(context, 0, 0, WIDTH, HEIGHT, 28)

  context.textAlign = 'center'
  context.fillStyle = text
  context.font = '600 46px system-ui, sans-serif'
  context.fillText((compression / 1000).toFixed(1), WIDTH / 2, 56)
  context.fillStyle = soft
  context.font = '25px system-ui, sans-serif'
  context.fillText('kN on L5/S1', WIDTH / 2, 90)

  const rail = { x: 34, y: 116, width: 44, height: HEIGHT - 116 - 26 }
  const top = 1.2 * maximum
  const height = (force: number) => rail.height * Math.min(Math.max(force / top, 0), 1)
  context.fillStyle = isDark ? 'rgb(255 255 255 / 0.14)' : 'rgb(20 30 50 / 0.12)'
  rounded(context, rail.x, rail.y, rail.width, rail.height, 22)
  context.save()
  context.beginPath()
  context.roundRect(rail.x, rail.y, rail.width, rail.height, 22)
  context.clip()
  context.fillStyle = COLOURS[level - 1] ?? text
  const fill = height(compression)
  context.fillRect(rail.x, rail.y + rail.height - fill, rail.width, fill)
  context.restore()

  context.textAlign = 'left'
  context.lineWidth = 4
  context.font = '600 25px system-ui, sans-serif'
  for (const [force, colour] of [
    [action, COLOURS[1]],
    [maximum, COLOURS[2]],
  ] as const) {
    const y = rail.y + rail.height - height(force)
    context.strokeStyle = colour ?? text
    context.beginPath()
    context.moveTo(rail.x - 8, y)
    context.lineTo(rail.x + rail.width + 8, y)
    context.stroke()
    context.fillStyle = text
    context.fillText((force / 1000).toFixed(1), rail.x + rail.width + 18, y + 9)
  }
}

function rounded(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): void {
  context.beginPath()
  context.roundRect(x, y, width, height, radius)
  context.fill()
}
