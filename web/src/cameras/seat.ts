import { Euler, MathUtils, Matrix4, Quaternion, Vector3 } from 'three'
import type { RoomNode } from '../app'
import type { Manner, View } from './view'

/** Look out of a node of the room: along its x axis, its z axis up. */
export interface Seat extends Manner {
  viewFrom(node: RoomNode, out: View): void
}

// A camera looks along its -z with y up: its axes in those of a viewpoint.
const VIEWPOINT_FROM_CAMERA = new Quaternion().setFromRotationMatrix(
  new Matrix4().makeBasis(new Vector3(0, -1, 0), new Vector3(0, 0, 1), new Vector3(-1, 0, 0)),
)

export function makeSeat(node: () => RoomNode | undefined): Seat {
  const turned = new Euler(0, 0, 0, 'YXZ')
  const look = new Quaternion()
  const scale = new Vector3()
  let zoomed = 1

  const viewFrom = (at: RoomNode, out: View) => {
    at.object.updateWorldMatrix(true, false)
    at.object.matrixWorld.decompose(out.position, out.quaternion, scale)
    out.quaternion.multiply(VIEWPOINT_FROM_CAMERA)
    out.fieldOfView = MathUtils.radToDeg(at.info.field_of_view) || 60
  }
  return {
    isMoving: false,
    viewFrom,
    start() {
      turned.set(0, 0, 0)
      zoomed = 1
    },
    update(_dt, out) {
      const at = node()
      if (!at) return
      viewFrom(at, out)
      out.quaternion.multiply(look.setFromEuler(turned))
      out.fieldOfView *= zoomed
    },
    turn(dx, dy) {
      turned.y += dx * 1.6
      turned.x = MathUtils.clamp(turned.x + dy * 1.6, -1.5, 1.5)
    },
    shift() {}, // one sits
    zoom(factor) {
      zoomed = MathUtils.clamp(zoomed * factor, 0.25, 1.3)
    },
  }
}
