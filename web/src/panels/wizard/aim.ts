// What the pointer is over in the workshop.

import { type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from 'three'
import type { Axes } from './axes'
import type { Bodies } from './bodies'
import { snap, type Triple } from './draft'
import type { Place } from './place'
import type { Hit, WorkPlane, WorkshopState } from './workshop_state'

const GRID = 0.05 // m, to which clicked points go
const MAX_DISTANCE = 10 // m; clicks farther away are ignored

export interface AimTools {
  canvas: HTMLCanvasElement
  camera: PerspectiveCamera
  bodies: Bodies
  axes: Axes
  stage: Place
}

export type PointerPlace = Pick<PointerEvent, 'clientX' | 'clientY'>

interface Aim {
  /** Where the pointer meets a plane, in the robot. */
  onPlane(event: PointerPlace, plane: Plane): Vector3 | undefined
  /** The point that a click would add, on the grid. */
  workPoint(event: PointerPlace, state: WorkshopState): Triple | undefined
  /** The arrow or part under the pointer. */
  hit(event: PointerPlace): Hit | undefined
}

export function makeAim(tools: AimTools): Aim {
  const { axes, bodies } = tools
  const { root } = tools.stage
  const rays = new Raycaster()
  const aim = ({ clientX, clientY }: PointerPlace) => {
    const box = tools.canvas.getBoundingClientRect()
    const x = (2 * (clientX - box.left)) / box.width - 1
    const y = 1 - (2 * (clientY - box.top)) / box.height
    rays.setFromCamera(new Vector2(x, y), tools.camera)
  }
  const inRobot = (point: Vector3) => root.worldToLocal(point.clone())
  const hitAxis = (): Hit | undefined => {
    const found = axes.group.visible ? rays.intersectObject(axes.group, true)[0] : undefined
    const meaning = found && axes.meaning(found.object)
    if (!found || !meaning) return undefined
    const { axis, part: joint } = meaning
    return { axis, joint, point: inRobot(found.point).toArray(), normal: [0, 0, 1] }
  }
  const hitBody = (): Hit | undefined => {
    const found = rays.intersectObject(bodies.group, true)[0]
    const owner = found && bodies.owner(found.object)
    if (!found || !owner) return undefined
    const normal = found.face
      ? found.face.normal.clone().transformDirection(found.object.matrixWorld)
      : new Vector3(0, 1, 0)
    const robotFromWorld = root.matrixWorld.clone().invert()
    return {
      ...owner,
      point: inRobot(found.point).toArray(),
      normal: normal.transformDirection(robotFromWorld).toArray(),
    }
  }
  return {
    onPlane(event, plane) {
      aim(event)
      const point = rays.ray.intersectPlane(plane, new Vector3())
      return point ? inRobot(point) : undefined
    },
    workPoint(event, state) {
      aim(event)
      const point = rays.ray.intersectPlane(workPlane(state, tools), new Vector3())
      if (!point || point.length() > MAX_DISTANCE) return undefined
      const [x = 0, y = 0, z = 0] = inRobot(point)
        .toArray()
        .map((value) => snap(value, GRID))
      return [x, y, state.draft.parts.length === 0 ? 0 : Math.max(z, 0)]
    },
    hit(event) {
      aim(event)
      return hitAxis() ?? hitBody()
    },
  }
}

/** The plane that clicks go to: the floor at first, then one through the end of what there is. */
function workPlane(state: WorkshopState, tools: AimTools): Plane {
  const tip = state.draft.tip?.point
  return facingPlane(tip ?? [0, 0, 0], tip ? state.plane : 'flat', tools)
}

/** A plane through a point: level, or the upright one that faces us most; level from above. */
export function facingPlane(point: Triple, kind: WorkPlane, tools: AimTools): Plane {
  const at = tools.stage.root.localToWorld(new Vector3(...point))
  const ahead = tools.camera.getWorldDirection(new Vector3())
  const isFlat = kind === 'flat' || Math.abs(ahead.y) > 0.9
  const isAside = Math.abs(ahead.x) > Math.abs(ahead.z)
  const normal = isFlat ? [0, 1, 0] : isAside ? [1, 0, 0] : [0, 0, 1]
  return new Plane().setFromNormalAndCoplanarPoint(new Vector3().fromArray(normal), at)
}
