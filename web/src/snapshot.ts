import type { WebGLRenderer } from 'three'
import type { RoomView } from './app'
import { apply, type Cameras, makeView } from './cameras'
import type { Picture } from './picture'

interface Parts {
  renderer: WebGLRenderer
  picture: Picture
  cameras: Cameras
  room: RoomView
}

/** Draw one picture on the canvas at another size, and take it as PNG. */
export function drawSnapshot(
  wish: { width: number; height: number; viewpoint: string },
  { renderer, picture, cameras, room }: Parts,
): Promise<Blob> {
  const camera = cameras.camera.clone()
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
