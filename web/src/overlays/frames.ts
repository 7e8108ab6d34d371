import { AxesHelper } from 'three'
import type { Close } from '../app'
import { CLEAR } from '../layers'
import type { OverlayContext } from './overlay'

const LENGTH = 0.12 // m

/** The axes of the chosen robot's control points: x red, y green, z blue. */
export function drawFrames({ room, stage, selection }: OverlayContext): Close {
  const shown = new Map<string, AxesHelper>() // by node
  const clear = () => {
    for (const axes of shown.values()) {
      axes.removeFromParent()
      axes.dispose()
    }
    shown.clear()
  }
  let owner: string | undefined
  const find = () => {
    clear()
    owner = selection.robot?.name
    const robot = selection.robot
    for (const name of new Set(robot ? [...robot.points, robot.tip] : []))
      if (room.node(name)) shown.set(name, makeAxes())
    for (const axes of shown.values()) room.root.add(axes)
  }
  const closes = [
    room.onChange(find),
    selection.onChange(() => {
      if (selection.robot?.name !== owner) find()
    }),
    stage.onFrame(() => {
      for (const [name, axes] of shown) {
        const node = room.node(name)
        if (node) axes.matrix.copy(node.object.matrix)
        axes.matrixWorldNeedsUpdate = true
      }
    }),
  ]
  find()
  return () => {
    for (const close of closes) close()
    clear()
  }
}

function makeAxes(): AxesHelper {
  const axes = new AxesHelper(LENGTH)
  axes.matrixAutoUpdate = false
  axes.renderOrder = 10
  axes.layers.set(CLEAR)
  for (const material of [axes.material].flat())
    Object.assign(material, { depthTest: false, transparent: true })
  return axes
}
