import { Raycaster, Vector2, type Vector3 } from 'three'
import type { RoomView, Stage } from '../app'

const FARTHEST = 8 // m
const LEVEL_DISTANCE = 2 // m ahead, when one does not look down

/** The place on the floor of the room that the person looks at: x and y, to a tenth of a metre. */
export function lookedAt({ stage, room }: { stage: Stage; room: RoomView }): [number, number] {
  const rays = new Raycaster()
  rays.setFromCamera(new Vector2(0, 0), stage.camera)
  const { origin, direction } = rays.ray
  const far = direction.y < -0.05 ? Math.min(-origin.y / direction.y, FARTHEST) : LEVEL_DISTANCE
  const point = room.root.worldToLocal(origin.clone().addScaledVector(direction, far) as Vector3)
  return [Math.round(10 * point.x) / 10 + 0, Math.round(10 * point.y) / 10 + 0]
}
