import { Vector3 } from 'three'
import type { Close, RoomNode, RoomView } from '../app'
import { closeAll } from '../listeners'
import { boundsOf } from '../room/bounds'
import { followNode } from '../shell/labels'
import type { OverlayContext } from './overlay'

const MAX_THING_SIZE = 3.6 // m: what is larger belongs to the building

/** The name of each thing above it; where they would cover each other, larger things are named. */
export function drawNames({ room, stage, labels, selection }: OverlayContext): Close {
  let shown: { node: RoomNode; name: ReturnType<typeof followNode> }[] = []
  const clear = () => {
    for (const { name } of shown) name.close()
    shown = []
  }
  const find = () => {
    clear()
    const sizes = new Map(room.nodes.filter((n) => isThing(room, n)).map((n) => [n, sizeOf(n)]))
    shown = [...sizes.keys()]
      .sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
      .map((node) => ({ node, name: followNode(labels.add('', { yields: true })) }))
    stage.redraw()
  }
  find()
  return closeAll([
    clear,
    room.onChange(find),
    stage.onFrame(() => {
      for (const { node, name } of shown) {
        const isNamed = node === selection.node || node === selection.hovered // already
        name.follow(node.object.visible && !isNamed ? node : undefined)
      }
    }),
  ])
}

/** Robots, people, and what stands alone in the room, except for its walls. */
function isThing(room: RoomView, node: RoomNode): boolean {
  const { info } = node
  const isRobot = room.robots.get(info.robot)?.row === info.row
  const isPerson = room.skins.some(({ name }) => name === info.name)
  if (isRobot || isPerson) return true
  const isOnGround = room.nodes[info.parent]?.info.parent === -1
  if (!isOnGround || !info.pickable || info.is_region || !info.visuals.length) return false
  return sizeOf(node) < MAX_THING_SIZE
}

/** The length of the box around it, from corner to corner; infinite for endless things. */
function sizeOf(node: RoomNode): number {
  const box = boundsOf([node])
  return box.isEmpty() ? Number.POSITIVE_INFINITY : box.getSize(new Vector3()).length()
}
