// The line from where something is held to where it is pulled.

import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
  Vector3,
} from 'three'
import type { App, Close } from '../app'

const COLOUR = 0xff9f1a
const DOT_RADIUS = 0.009 // m, at 1 m from the eye

interface Tether {
  /** Hold an object at a point of the room; the line goes from there to `to`. */
  tie(object: Object3D, point: Vector3, to: Vector3): void
  untie(): void
  readonly held: Vector3 // where the point is now, in the room
  readonly close: Close
}

export function makeTether(app: App): Tether {
  const { stage, room } = app
  const line = new Line(
    new BufferGeometry().setAttribute('position', new Float32BufferAttribute(6, 3)),
    new LineDashedMaterial({ color: COLOUR, dashSize: 0.02, gapSize: 0.012, depthTest: false }),
  )
  const dot = new SphereGeometry(DOT_RADIUS, 16, 12)
  const paint = new MeshBasicMaterial({ color: COLOUR, depthTest: false })
  const ends = [new Mesh(dot, paint), new Mesh(dot, paint)]
  const group = new Group()
  group.add(line, ...ends)
  group.visible = false
  group.traverse((part) => {
    part.renderOrder = 10
    part.frustumCulled = false
  })
  stage.scene.add(group) // beside the room, so that nobody picks it

  const held = new Vector3()
  const local = new Vector3()
  const eye = new Vector3()
  const point = new Vector3()
  let tied: { object: Object3D; to: Vector3 } | undefined

  const draw = () => {
    if (!tied) return
    tied.object.updateWorldMatrix(true, false)
    tied.object.localToWorld(held.copy(local))
    const places = line.geometry.getAttribute('position')
    const worlds = [point.copy(held).clone(), room.root.localToWorld(point.copy(tied.to)).clone()]
    stage.camera.getWorldPosition(eye)
    worlds.forEach((world, index) => {
      places.setXYZ(index, world.x, world.y, world.z)
      ends[index]?.position.copy(world)
      ends[index]?.scale.setScalar(Math.max(0.3, world.distanceTo(eye)))
    })
    places.needsUpdate = true
    line.computeLineDistances()
    room.root.worldToLocal(held)
  }
  const closeFrame = stage.onFrame(draw)
  return {
    held,
    tie(object, where, to) {
      object.updateWorldMatrix(true, false)
      object.worldToLocal(room.root.localToWorld(local.copy(where)))
      tied = { object, to }
      group.visible = true
      draw()
    },
    untie() {
      tied = undefined
      group.visible = false
      stage.redraw()
    },
    close() {
      closeFrame()
      group.removeFromParent()
      dot.dispose()
      paint.dispose()
      line.geometry.dispose()
      line.material.dispose()
    },
  }
}
