import {
  Matrix3,
  Mesh,
  type Object3D,
  type PerspectiveCamera,
  Raycaster,
  Vector2,
  Vector3,
} from 'three'
import type { Picked, RoomView } from '../app'
import { CLEAR } from '../layers'

/** Finds what is under the mouse. */
interface Picking {
  raycaster(event: { clientX: number; clientY: number }): Raycaster
  pick(event: { clientX: number; clientY: number }): Picked | undefined
}

export function makePicking(
  canvas: HTMLCanvasElement,
  camera: PerspectiveCamera,
  room: RoomView,
): Picking {
  const caster = new Raycaster()
  caster.layers.enable(CLEAR)
  const at = new Vector2()
  const aim = (event: { clientX: number; clientY: number }) => {
    const box = canvas.getBoundingClientRect()
    at.x = ((event.clientX - box.left) / box.width) * 2 - 1
    at.y = 1 - ((event.clientY - box.top) / box.height) * 2
    caster.setFromCamera(at, camera)
    return caster
  }
  return {
    raycaster: aim,
    pick(event) {
      const hits = aim(event).intersectObjects(pickable(room), false)
      const hit = hits[0]
      const node = hit && room.nodeOf(hit.object)
      if (!hit || !node) return undefined
      const normal = hit.face?.normal.clone() ?? new Vector3(0, 0, 1)
      normal.applyNormalMatrix(new Matrix3().getNormalMatrix(hit.object.matrixWorld))
      const toRoom = room.root.matrixWorld.clone().invert()
      return {
        node,
        point: room.root.worldToLocal(hit.point.clone()),
        normal: normal.transformDirection(toRoom).normalize(),
      }
    },
  }
}

/** Meshes that are seen and may be picked; what has faded away is neither. */
function pickable(room: RoomView): Object3D[] {
  const out: Object3D[] = []
  for (const { info, object } of room.nodes) {
    if (!object.visible || !info.pickable || info.is_region) continue
    for (const child of object.children)
      if (child instanceof Mesh && child.visible && !child.userData.isFaded) out.push(child)
  }
  for (const child of room.root.children) if (child.userData.isSkin) out.push(child)
  return out
}
