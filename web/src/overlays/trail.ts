import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from 'three'
import type { Close } from '../app'
import { CLEAR } from '../layers'
import type { OverlayContext } from './overlay'

const MAX_POINTS = 1500
const STEP = 0.003 // m between points

/** The path of the robot's tip. */
export function drawTrail({ room, stage, selection }: OverlayContext): Close {
  const points = new Float32Array(3 * MAX_POINTS)
  const colours = new Float32Array(4 * MAX_POINTS)
  const geometry = new BufferGeometry()
  const position = new BufferAttribute(points, 3)
  const colour = new BufferAttribute(colours, 4)
  geometry.setAttribute('position', position)
  geometry.setAttribute('color', colour)
  const material = new LineBasicMaterial({
    vertexColors: true,
    transparent: true,
    depthWrite: false,
  })
  const line = new Line(geometry, material)
  line.frustumCulled = false
  line.layers.set(CLEAR)
  room.root.add(line)
  let count = 0
  let robot = ''

  const add = (tip: readonly number[]) => {
    const last = points.subarray(3 * (count - 1), 3 * count)
    if (count && Math.hypot(...tip.map((x, k) => x - (last[k] ?? 0))) < STEP) return
    if (count === MAX_POINTS) {
      points.copyWithin(0, 3)
      count -= 1
    }
    points.set(tip, 3 * count)
    count += 1
    for (let k = 0; k < count; k++) colours.set([1, 0.45, 0.15, (k + 1) / count], 4 * k)
    position.needsUpdate = colour.needsUpdate = true
    geometry.setDrawRange(0, count)
    stage.redraw()
  }
  const close = room.onStates(() => {
    const state = room.states.get(selection.robot?.name ?? '')
    if (!state) return
    if (state.name !== robot) count = 0
    robot = state.name
    add(state.tip)
  })
  geometry.setDrawRange(0, 0)
  return () => {
    close()
    line.removeFromParent()
    geometry.dispose()
    material.dispose()
  }
}
