// What can be taken hold of: links of robots, doors and drawers, and objects that are no part of the
// building.

import { Box3, Vector3 } from 'three'
import type { App, RoomNode } from '../app'

const MAX_SIZE = 2.5 // m; what is larger is a wall or a floor, and stays

/** The link that a node is, or hangs on; none if it is the foot of a robot, or no part of one. */
export function linkOf(app: App, node: RoomNode): RoomNode | undefined {
  for (let one: RoomNode | undefined = node; one; one = app.room.nodes[one.info.parent]) {
    const robot = app.room.robots.get(one.info.robot)
    if (!robot) continue
    const isMoved = robot.joints.length > 0 && one.info.row !== robot.row
    return isMoved ? one : undefined
  }
  return undefined
}

/** The door or drawer that a node is, or is a part of. */
export function guidedOf(app: App, node: RoomNode): RoomNode | undefined {
  let one: RoomNode | undefined = node
  while (one && !one.info.is_guided) one = app.room.nodes[one.info.parent]
  return one
}

/** Whether a node can be put elsewhere by hand. */
export function isMovable(node: RoomNode): boolean {
  const { info, object } = node
  if (info.robot || info.parent < 0 || !info.pickable || info.visuals.length === 0) return false
  if (info.visuals.some((visual) => visual.shape.kind === 'plane')) return false
  const size = new Box3().setFromObject(object).getSize(new Vector3())
  return Math.max(size.x, size.y, size.z) <= MAX_SIZE
}

/** A node and all that hangs on it. */
export function branchOf(app: App, node: RoomNode): RoomNode[] {
  const rows = new Set([node.info.row])
  const branch = [node]
  for (const one of app.room.nodes) {
    if (rows.has(one.info.parent) && !rows.has(one.info.row)) {
      rows.add(one.info.row)
      branch.push(one)
    }
  }
  return branch
}

const POSE_JOINTS = 6 // with fewer, an arm cannot keep its hand turned as it is

/** The line by which the cursor holds a control point of a robot. */
export function tipLine(app: App, point: RoomNode): string {
  const robot = app.room.robots.get(point.info.robot)
  const isWhole = robot?.tip === point.info.name && robot.joints.length >= POSE_JOINTS
  return `${isWhole ? 'drag_pose' : 'drag'} ${point.info.name}; cursor`
}
