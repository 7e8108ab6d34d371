import { AdditiveBlending, Color, Group, Mesh, MeshBasicMaterial } from 'three'
import type { Close, RoomNode, RoomView } from '../app'
import { CLEAR } from '../layers'

/** Light on a node's shapes. */
export interface Glow {
  strength: number // 0..1
  /** Follow the node; call with each picture. */
  update(): void
  close: Close
}

export function makeGlow(room: RoomView, node: RoomNode, colour: string): Glow {
  const material = new MeshBasicMaterial({
    color: new Color(colour),
    transparent: true,
    depthWrite: false,
    blending: AdditiveBlending,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
    opacity: 0,
  })
  const group = new Group()
  group.name = `glow of ${node.info.name}`
  group.matrixAutoUpdate = false
  for (const child of node.object.children) {
    if (!(child instanceof Mesh) || child.userData.isOwn) continue
    const copy = new Mesh(child.geometry, material)
    copy.matrixAutoUpdate = false
    copy.matrix.copy(child.matrix)
    copy.layers.set(CLEAR)
    group.add(copy)
  }
  room.root.add(group)
  const glow: Glow = {
    strength: 0,
    update() {
      group.visible = glow.strength > 0.01 && node.object.visible
      material.opacity = glow.strength
      group.matrix.copy(node.object.matrix)
      group.matrixWorldNeedsUpdate = true
    },
    close() {
      group.removeFromParent()
      material.dispose()
    },
  }
  return glow
}
