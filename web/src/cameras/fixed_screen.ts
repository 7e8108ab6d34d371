import { type PerspectiveCamera, Vector3 } from 'three'
import type { FixedScreen, SeenView } from '../app'
import { aimAtScreen, cornersOf } from './off_axis'
import { apply } from './view'

/** A screen that stands somewhere, or the eyes of somebody else. */
export interface Elsewhere {
  fixedScreen?: FixedScreen | undefined
  followed?: SeenView | undefined
}

/** Put a camera there; false if it is to be moved as ever. */
export function goElsewhere(
  camera: PerspectiveCamera,
  { fixedScreen, followed }: Elsewhere,
): boolean {
  if (fixedScreen && lookThrough(camera, fixedScreen)) return true
  if (followed) apply(followed, camera)
  return followed !== undefined
}

/** Let a camera be an eye of a head before a screen, `aside` (m) to the right of its middle. */
export function lookThrough(
  camera: PerspectiveCamera,
  { pose, width, height, head }: FixedScreen,
  aside = 0,
): boolean {
  const eye = new Vector3(aside, 0, 0).applyMatrix4(head)
  return aimAtScreen(camera, eye, cornersOf(pose, width, height))
}
