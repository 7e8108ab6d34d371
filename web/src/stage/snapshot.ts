import type { WebGLRenderer } from 'three'
import type { RoomView } from '../app'
import type { Cameras } from '../cameras/cameras'
import { apply, makeView } from '../cameras/view'
import type { Picture } from './picture'

export interface SnapshotTools {
  renderer: WebGLRenderer
  picture: Picture
  cameras: Cameras
  room: RoomView
}

export interface SnapshotSize {
  width: number // pixels
  height: number
  viewpoint: string // '' for where the camera is
}

/** Draw one picture on the canvas at another size, and take it as PNG. */
export function drawSnapshot(
  wish: SnapshotSize,
  { renderer, picture, cameras, room }: SnapshotTools,
): Promise<Blob> {
  const camera = cameras.camera.clone()
  camera.clearViewOffset()
  camera.aspect = wish.width / wish.height
  cameras.camera.updateWorldMatrix(true, false)
  camera.matrixWorld.copy(cameras.camera.matrixWorld)
  camera.matrixWorld.decompose(camera.position, camera.quaternion, camera.scale)
  const node = wish.viewpoint ? room.node(wish.viewpoint) : undefined
  if (node) {
    const view = makeView()
    cameras.viewFrom(node, view)
    apply(view, camera)
  }
  camera.updateProjectionMatrix()
  camera.updateMatrixWorld()
  picture.setSize(wish.width, wish.height, 1)
  renderer.shadowMap.needsUpdate = true
  picture.draw(camera)
  // The canvas is read before this turn ends: later, its picture may be gone.
  return new Promise((resolve, reject) =>
    renderer.domElement.toBlob(
      (made) => (made ? resolve(made) : reject(new Error('The picture could not be made.'))),
      'image/png',
    ),
  )
}
