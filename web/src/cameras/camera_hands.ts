import { type PerspectiveCamera, Vector2, Vector3 } from 'three'
import type { Close } from '../app'
import { closeAll, listen } from '../listeners'
import type { Manner } from './view'

/** Mouse and touch move the camera: drag turns, right or middle drag shifts, wheel or pinch zooms. */
export function makeCameraHands(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  manner: () => Manner | undefined, // none while something else is dragged
): Close {
  const fingers = new Map<number, Vector2>()
  const direction = new Vector3()
  let button = 0

  const towards = (x: number, y: number) => {
    const box = canvas.getBoundingClientRect()
    direction.set(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5)
    return direction.unproject(camera).sub(camera.position).normalize()
  }
  const spread = () => {
    const [a, b] = [...fingers.values()] as [Vector2, Vector2]
    return { middle: a.clone().add(b).multiplyScalar(0.5), length: Math.max(10, a.distanceTo(b)) }
  }
  const press = (event: PointerEvent) => {
    if (fingers.size === 0) button = event.shiftKey ? 2 : event.button
    fingers.set(event.pointerId, new Vector2(event.clientX, event.clientY))
    canvas.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    const height = canvas.clientHeight
    const before = fingers.size === 2 ? spread() : undefined
    const dx = (event.clientX - finger.x) / height
    const dy = (event.clientY - finger.y) / height
    finger.set(event.clientX, event.clientY)
    const by = manner()
    if (!by) return
    if (before) {
      const { middle, length } = spread()
      by.zoom(before.length / length, towards(middle.x, middle.y))
      by.shift((middle.x - before.middle.x) / height, (middle.y - before.middle.y) / height)
    } else if (fingers.size === 1) {
      if (button === 0) by.turn(dx, dy)
      else by.shift(dx, dy)
    }
  }
  const release = (event: PointerEvent) => fingers.delete(event.pointerId)
  const roll = (event: WheelEvent) => {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 33 : 1
    const factor = Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0018)
    manner()?.zoom(factor, towards(event.clientX, event.clientY))
  }
  return closeAll([
    listen(canvas, 'pointerdown', press),
    listen(canvas, 'pointermove', move),
    listen(canvas, 'pointerup', release),
    listen(canvas, 'pointercancel', release),
    listen(canvas, 'wheel', roll, { passive: false }),
    listen(canvas, 'contextmenu', (event) => event.preventDefault()),
  ])
}
