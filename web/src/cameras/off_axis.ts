// The picture on a screen that stands somewhere, for an eye that is somewhere else: the pyramid from
// the eye through the corners of the screen (an off-axis frustum). Drawn so, what is shown is as
// large, and where, as if the screen were a window.

import { Matrix4, type PerspectiveCamera, Vector3 } from 'three'

/** Three corners of a rectangle in three's world; the fourth follows. */
export interface ScreenCorners {
  lowerLeft: Vector3
  lowerRight: Vector3
  upperLeft: Vector3
}

export interface Frustum {
  left: number // m, at the near plane
  right: number
  bottom: number
  top: number
}

/** A frustum and the axes of the screen: x right, y up, z towards who looks. */
export interface OffAxis {
  frustum: Frustum
  worldFromEye: Matrix4
}

const MIN_DISTANCE = 0.02 // m: nearer to the screen, or behind it, nothing can be drawn

/** The frustum of an eye before a screen; undefined if it is behind the screen, or in it. */
export function offAxis(eye: Vector3, corners: ScreenCorners, near: number): OffAxis | undefined {
  const { lowerLeft, lowerRight, upperLeft } = corners
  const right = lowerRight.clone().sub(lowerLeft)
  const up = upperLeft.clone().sub(lowerLeft)
  const [width, height] = [right.length(), up.length()]
  right.divideScalar(width)
  up.divideScalar(height)
  const normal = right.clone().cross(up)
  const fromEye = lowerLeft.clone().sub(eye)
  const distance = -fromEye.dot(normal)
  if (!(distance > MIN_DISTANCE)) return undefined
  const scale = near / distance
  const [left, bottom] = [fromEye.dot(right), fromEye.dot(up)]
  return {
    frustum: {
      left: left * scale,
      right: (left + width) * scale,
      bottom: bottom * scale,
      top: (bottom + height) * scale,
    },
    worldFromEye: new Matrix4().makeBasis(right, up, normal).setPosition(eye),
  }
}

/** The corners of a screen of some size (m) whose middle has a pose: x right, y up, z to who looks. */
export function cornersOf(pose: Matrix4, width: number, height: number): ScreenCorners {
  const corner = (x: number, y: number) =>
    new Vector3((x * width) / 2, (y * height) / 2, 0).applyMatrix4(pose)
  return { lowerLeft: corner(-1, -1), lowerRight: corner(1, -1), upperLeft: corner(-1, 1) }
}

/** Let a camera be an eye before a screen; false, and no change, where nothing can be drawn. */
export function aimAtScreen(
  camera: PerspectiveCamera,
  eye: Vector3,
  corners: ScreenCorners,
): boolean {
  const found = offAxis(eye, corners, camera.near)
  if (!found) return false
  const { left, right, top, bottom } = found.frustum
  camera.projectionMatrix.makePerspective(left, right, top, bottom, camera.near, camera.far)
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert()
  camera.matrixWorld.copy(found.worldFromEye)
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert()
  camera.matrixWorld.decompose(camera.position, camera.quaternion, camera.scale)
  return true
}
