import { AxesHelper } from 'three'
import type { Close, Label } from '../app'
import { CLEAR } from '../layers'
import { addLegend, makeKey } from './legend'
import type { OverlayContext } from './overlay'

const LENGTH = 0.12 // m
const AXES = { x: '#ff3b30', y: '#34c759', z: '#2f7bff' } as const

interface Shown {
  axes: AxesHelper
  name: Label
}

/** The axes of the chosen robot's control points, with their names: x red, y green, z blue. */
export function drawFrames({ room, stage, selection, shell, labels }: OverlayContext): Close {
  const shown = new Map<string, Shown>() // by node
  const keys = Object.entries(AXES).map(([axis, colour]) => {
    const key = makeKey(colour)
    key.say(axis)
    return key.element
  })
  const closeLegend = addLegend(shell, `Control points, axes of ${100 * LENGTH} cm`, ...keys)
  const clear = () => {
    for (const { axes, name } of shown.values()) {
      axes.removeFromParent()
      axes.dispose()
      name.close()
    }
    shown.clear()
  }
  let owner: string | undefined
  const find = () => {
    clear()
    owner = selection.robot?.name
    const robot = selection.robot
    for (const name of new Set(robot ? [...robot.points, robot.tip] : []))
      if (room.node(name)) shown.set(name, { axes: makeAxes(), name: labels.add(name) })
    for (const { axes } of shown.values()) room.root.add(axes)
  }
  const closes = [
    room.onChange(find),
    selection.onChange(() => {
      if (selection.robot?.name !== owner) find()
    }),
    stage.onFrame(() => {
      for (const [node, { axes, name }] of shown) {
        const object = room.node(node)?.object
        name.isVisible = object !== undefined
        if (!object) continue
        axes.matrix.copy(object.matrix)
        axes.matrixWorldNeedsUpdate = true
        name.at.copy(object.position)
      }
    }),
  ]
  find()
  return () => {
    for (const close of closes) close()
    closeLegend()
    clear()
  }
}

function makeAxes(): AxesHelper {
  const axes = new AxesHelper(LENGTH).setColors(AXES.x, AXES.y, AXES.z)
  axes.matrixAutoUpdate = false
  axes.renderOrder = 10
  axes.layers.set(CLEAR)
  for (const material of [axes.material].flat())
    Object.assign(material, { depthTest: false, transparent: true })
  return axes
}
