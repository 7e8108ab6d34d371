import { MathUtils, type PerspectiveCamera, Quaternion, Vector3 } from 'three'

export const FIELD_OF_VIEW = 42 // degrees, vertical, unless a viewpoint says otherwise

/** Where a camera is and how wide it looks. */
export interface View {
  position: Vector3
  quaternion: Quaternion
  fieldOfView: number // degrees
}

/** A way to move the camera. */
export interface Manner {
  /** Begin where the camera is now. */
  start(from: View): void
  update(dt: number, out: View): void
  turn(dx: number, dy: number): void // by a drag, in heights of the picture
  shift(dx: number, dy: number): void
  zoom(factor: number, towards: Vector3): void // a direction in the world
  readonly isMoving: boolean
}

export function makeView(): View {
  return { position: new Vector3(), quaternion: new Quaternion(), fieldOfView: FIELD_OF_VIEW }
}

export function copyView(source: View, out: View): void {
  out.position.copy(source.position)
  out.quaternion.copy(source.quaternion)
  out.fieldOfView = source.fieldOfView
}

export function mixViews(from: View, to: View, share: number): void {
  to.position.lerpVectors(from.position, to.position, share)
  to.quaternion.copy(from.quaternion.clone().slerp(to.quaternion, share))
  to.fieldOfView = MathUtils.lerp(from.fieldOfView, to.fieldOfView, share)
}

/** Smoothstep: 0 at 0, 1 at 1, without a jump in velocity. */
export const smoothly = (t: number) => t * t * (3 - 2 * t)

/** Pixels of a picture that are covered, from its edges inwards. */
export interface Covered {
  left: number
  right: number
  bottom: number
}

/** The part of a picture that is not covered: its aspect, and its share of the whole height. */
export interface FreePart {
  aspect: number
  share: number
}

const MIN_SHARE = 0.3

export function freePart(width: number, height: number, covered: Covered): FreePart {
  const free = Math.max(MIN_SHARE * height, height - covered.bottom) || 1
  const across = Math.max(MIN_SHARE * width, width - covered.left - covered.right)
  return { aspect: across / free, share: height ? free / height : 1 }
}

/**
 * Apply a view to a camera: what it shows from top to bottom fills the part that is free. Tall
 * pictures get a wider view, so that the width shown stays similar.
 */
export function apply(
  view: View,
  camera: PerspectiveCamera,
  free: FreePart = { aspect: camera.aspect, share: 1 },
): void {
  camera.position.copy(view.position)
  camera.quaternion.copy(view.quaternion)
  const across = Math.tan(MathUtils.degToRad(view.fieldOfView) / 2)
  const wish = 2 * Math.atan(across / Math.min(1, free.aspect ** 0.6) / free.share)
  const fov = Math.min(100, MathUtils.radToDeg(wish))
  if (fov !== camera.fov) {
    camera.fov = fov
    camera.updateProjectionMatrix()
  }
}
