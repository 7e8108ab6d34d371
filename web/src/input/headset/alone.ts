// With passthrough one's own room is the room: walls, floors and furniture of ours are hidden, robots
// and what can be carried stay.

import { Box3, type Group, Vector3 } from 'three'
import type { App, Close, RoomNode } from '../../app'
import { isMovable } from '../movable'

const MAX_SIZE = 0.6 // m, of things that stay

/** Let the person's own room be seen behind ours; `isWhole` shows all of ours. */
export function showOwnRoom(app: App, isWhole: () => boolean): { update(): void; close: Close } {
  const { scene, renderer } = app.stage
  const { background } = scene
  const backdrop = scene.children.find((child) => child.name === 'backdrop')
  const alpha = renderer.getClearAlpha()
  const hidden = new Set<Group>()
  scene.background = null
  if (backdrop) backdrop.visible = false
  renderer.setClearAlpha(0)
  const show = () => {
    for (const object of hidden) object.visible = true
    hidden.clear()
  }
  const update = () => {
    if (isWhole()) return show()
    for (const node of app.room.nodes) {
      if (!node.object.visible || stays(app, node)) continue
      node.object.visible = false
      hidden.add(node.object)
    }
  }
  const closeChange = app.room.onChange(update)
  return {
    update,
    close() {
      closeChange()
      show()
      scene.background = background
      if (backdrop) backdrop.visible = true
      renderer.setClearAlpha(alpha)
    },
  }
}

function stays(app: App, node: RoomNode): boolean {
  for (let one: RoomNode | undefined = node; one; one = app.room.nodes[one.info.parent])
    if (app.room.robots.has(one.info.robot)) return true
  if (!isMovable(node)) return false
  const size = new Box3().setFromObject(node.object).getSize(new Vector3())
  return Math.max(size.x, size.y, size.z) <= MAX_SIZE
}
