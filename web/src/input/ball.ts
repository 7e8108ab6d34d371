// A pink ball at the end-effector of the active robot: what a hand reaches for first.

import { Mesh, MeshBasicMaterial, type PerspectiveCamera, SphereGeometry, Vector3 } from 'three'
import type { App, Close, RoomNode } from '../app'

const COLOUR = 0xf0288c // of nothing else in a room
const RADIUS = 10 // pixels
const REACH = { mouse: 14, touch: 26 } // pixels from its middle

export interface Ball {
  /** The end-effector whose ball is there on the screen. */
  at(event: PointerEvent): RoomNode | undefined
  readonly close: Close
}

export function makeBall(app: App, isWanted: () => boolean): Ball {
  const { stage, room, control } = app
  const ball = new Mesh(
    new SphereGeometry(1, 24, 16),
    new MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.85, depthTest: false }),
  )
  ball.renderOrder = 9
  stage.scene.add(ball) // beside the room, so that nobody picks it
  const eye = new Vector3()
  const seen = new Vector3()
  let tip: RoomNode | undefined

  const update = () => {
    const robot = room.robots.get(room.active) ?? [...room.robots.values()][0]
    const isShown = control.isMine && isWanted() && !stage.renderer.xr.isPresenting
    tip = isShown && robot && robot.joints.length > 0 ? room.node(robot.tip) : undefined
    ball.visible = tip !== undefined
    if (!tip) return
    room.root.localToWorld(ball.position.copy(tip.object.position))
    const distance = ball.position.distanceTo(stage.camera.getWorldPosition(eye))
    const { fov } = stage.camera as PerspectiveCamera
    const pixel = (2 * distance * Math.tan((fov * Math.PI) / 360)) / stage.canvas.clientHeight
    ball.scale.setScalar(RADIUS * pixel)
  }
  const closeFrame = stage.onFrame(update)
  return {
    at(event) {
      if (!tip) return undefined
      const box = stage.canvas.getBoundingClientRect()
      seen.copy(ball.position).project(stage.camera)
      const x = box.left + ((seen.x + 1) / 2) * box.width
      const y = box.top + ((1 - seen.y) / 2) * box.height
      const reach = event.pointerType === 'touch' ? REACH.touch : REACH.mouse
      const isThere = Math.hypot(event.clientX - x, event.clientY - y) < reach && seen.z < 1
      return isThere ? tip : undefined
    },
    close() {
      closeFrame()
      ball.removeFromParent()
      ball.geometry.dispose()
      ball.material.dispose()
    },
  }
}
