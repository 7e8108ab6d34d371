// Moving an object by hand: the page shows at once where it will be, and sends it to the room when it is
// released, so that one drag is one undo step.

import { Matrix4, type Quaternion, Vector3 } from 'three'
import type { App, RoomNode } from '../app'
import { branchOf } from './movable'

export interface Placing {
  /** Show the object where this motion, from where it was at the start, brings it. */
  move(motion: Matrix4): void
  /** Put it there for good. */
  drop(): Promise<void>
  cancel(): void
}

export function startPlacing(app: App, node: RoomNode): Placing {
  const branch = branchOf(app, node)
  const starts = branch.map((one) => placeOf(one))
  const motion = new Matrix4()
  const show = () => {
    branch.forEach((one, index) => {
      const place = motion.clone().multiply(starts[index] ?? new Matrix4())
      place.decompose(one.object.position, one.object.quaternion, new Vector3())
    })
    app.stage.redraw()
  }
  const cancel = () => {
    motion.identity()
    show()
  }
  return {
    move(next) {
      motion.copy(next)
      show()
    },
    async drop() {
      const { position, quaternion } = node.object
      const answer = await app.connection.command(placeLine(node.info.name, position, quaternion))
      if (answer.ok) return
      app.shell.toast(answer.text, 'problem')
      cancel()
    },
    cancel,
  }
}

function placeOf(node: RoomNode): Matrix4 {
  const { position, quaternion, scale } = node.object
  return new Matrix4().compose(position, quaternion, scale)
}

function placeLine(name: string, at: Vector3, turn: Quaternion): string {
  const place = at.toArray().map((value) => value.toFixed(5))
  const { x, y, z, w } = turn
  const how = [w, x, y, z].map((value) => value.toFixed(6))
  return `place ${name}; (${place.join(', ')}); (${how.join(', ')})`
}
