import { type Camera, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import type { App, Close, Measure } from '../app'
import { CLEAR } from '../layers'
import { closeAll, listen, makeListeners } from '../listeners'
import { makeLine } from '../room/lines'

const MAX_CLICK_MOVE = 5 // pixels
const MARK_SIZE = 0.004 // of the distance to the eye

type Parts = Pick<App, 'room' | 'stage' | 'selection' | 'labels' | 'shell'>

/** Two clicks measure the distance between the points; a third starts again. */
export function makeMeasure({
  room,
  stage,
  selection,
  labels,
  shell,
}: Parts): Measure & { close: Close } {
  const changes = makeListeners()
  const label = labels.add('', { tone: 'strong' })
  const line = makeLine({ colour: '#4d8dff', width: 3 })
  const marks = [makeMark(), makeMark()] as const
  room.root.add(line.object, ...marks)
  let points: Vector3[] = []
  let isOn = false
  let pressed: { x: number; y: number } | undefined

  const update = () => {
    const [a, b] = points
    marks.forEach((mark, k) => {
      mark.visible = points[k] !== undefined
      if (points[k]) mark.position.copy(points[k])
    })
    line.set(a && b ? [a.toArray(), b.toArray()] : [])
    label.isVisible = a !== undefined && b !== undefined
    if (a && b) {
      label.text = wordsFor(a, b)
      label.at.copy(a).lerp(b, 0.5)
    }
    stage.redraw()
    changes.tell()
  }
  const click = (event: PointerEvent) => {
    const isClick =
      pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < MAX_CLICK_MOVE
    pressed = undefined
    const picked = isOn && isClick ? stage.pick(event) : undefined
    if (!picked) return
    points = points.length === 2 ? [picked.point] : [...points, picked.point]
    update()
  }
  const set = (next: boolean) => {
    if (next === isOn) return
    isOn = next
    selection.isOn = !next
    stage.canvas.style.cursor = next ? 'crosshair' : ''
    points = []
    if (next) shell.toast('Click two points to measure between them.')
    update()
  }
  const close = closeAll([
    listen(stage.canvas, 'pointerdown', (event) => {
      pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined
    }),
    listen(stage.canvas, 'pointerup', click),
    stage.onFrame(() => {
      for (const mark of marks) keepSize(mark, stage.camera)
    }),
    shell.key('Escape', 'end measuring; choose nothing', () => {
      if (isOn) set(false)
      else selection.choose('')
    }),
    line.close,
    label.close,
  ])
  update()
  return {
    get isOn() {
      return isOn
    },
    set isOn(next) {
      set(next)
    },
    get distance() {
      const [a, b] = points
      return a && b ? a.distanceTo(b) : undefined
    },
    onChange: changes.on,
    close,
  }
}

function makeMark(): Mesh {
  const mark = new Mesh(
    new SphereGeometry(1, 16, 12),
    new MeshBasicMaterial({ color: '#4d8dff', depthTest: false, transparent: true }),
  )
  mark.layers.set(CLEAR)
  mark.renderOrder = 11
  mark.visible = false
  return mark
}

/** The same size on the screen, however far away it is. */
function keepSize(mark: Mesh, camera: Camera): void {
  const distance = camera.position.distanceTo(mark.getWorldPosition(new Vector3()))
  mark.scale.setScalar(MARK_SIZE * distance)
}

function wordsFor(a: Vector3, b: Vector3): string {
  const parts = b.clone().sub(a).toArray()
  const [x, y, z] = parts.map((part) => part.toFixed(3))
  return `${a.distanceTo(b).toFixed(3)} m\nΔx ${x}  Δy ${y}  Δz ${z}`
}
