// Rooms are open above, so that one can look into them. Who sits inside with a headset on gets a
// ceiling on the walls, seen from below only.

import { Box3, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3 } from 'three'
import type { App, Close } from '../../app'

const MIN_HEIGHT = 1.9 // m, of a wall
const MIN_LENGTH = 1.2 // m
const MAX_THICKNESS = 0.4 // m
const COLOUR = 0xe9e6e0

/** The level rectangle on the walls among some boxes (three's world); none without two at an angle. */
export function ceilingOf(boxes: readonly Box3[]): Box3 | undefined {
  const walls = boxes.filter((box) => directionOf(box) !== undefined)
  const directions = new Set(walls.map(directionOf))
  if (directions.size < 2) return undefined
  const whole = walls.reduce((all, wall) => all.union(wall), new Box3())
  whole.min.y = whole.max.y
  return whole
}

function directionOf(box: Box3): 'x' | 'z' | undefined {
  const { x, y, z } = box.getSize(new Vector3())
  const isWall = y >= MIN_HEIGHT && Math.min(x, z) <= MAX_THICKNESS && Math.max(x, z) >= MIN_LENGTH
  return isWall ? (x > z ? 'x' : 'z') : undefined
}

export function makeCeiling(app: App): Close {
  const parts = app.room.nodes
    .filter(({ info, object }) => object.visible && !info.is_region && !info.robot)
    .flatMap(({ object }) => object.children.filter((part) => part instanceof Mesh))
  const found = ceilingOf(parts.map((part) => new Box3().setFromObject(part)))
  if (!found) return () => {}
  const size = found.getSize(new Vector3())
  const ceiling = new Mesh(
    new PlaneGeometry(size.x, size.z),
    new MeshBasicMaterial({ color: COLOUR }),
  )
  ceiling.name = 'ceiling'
  ceiling.rotation.x = Math.PI / 2 // it faces down
  found.getCenter(ceiling.position)
  app.stage.scene.add(ceiling)
  return () => {
    ceiling.removeFromParent()
    ceiling.geometry.dispose()
    ceiling.material.dispose()
  }
}
