// The second take is seen through, in one colour, so that both can be told apart.

import { Mesh, MeshStandardMaterial, type Object3D } from 'three'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'

const COLOUR = 0xe08a1e // of its curves, too
const OPACITY = 0.45
const SAME_M = 0.001 // nearer than that, both takes are the same
const SAME_RAD = 0.005
const LOOK_AGAIN_S = 0.5 // shapes come later than the nodes they belong to

export function tintSecondTake({ room, stage }: App, prefix: string): Close {
  if (!prefix) return () => {}
  const material = new MeshStandardMaterial({
    color: COLOUR,
    transparent: true,
    opacity: OPACITY,
    depthWrite: false,
  })
  const tint = (object: Object3D) => {
    object.traverse((part) => {
      if (!(part instanceof Mesh) || part.material === material) return
      part.material = material
      part.castShadow = false
    })
  }
  const tintAll = () => {
    for (const child of room.root.children) {
      const name: unknown = child.userData.node // nodes and skins
      if (typeof name === 'string' && name.startsWith(prefix)) tint(child)
    }
  }
  const hideSame = () => {
    for (const child of room.root.children) {
      const name: unknown = child.userData.node
      if (typeof name !== 'string' || !name.startsWith(prefix)) continue
      const first = name.slice(prefix.length)
      child.visible = child.userData.isSkin
        ? !isSamePosture(room, name, first)
        : !isSame(child, room.node(first)?.object)
    }
  }
  let lookedAt = 0
  tintAll()
  return closeAll([
    room.onChange(tintAll),
    stage.onFrame((_, now) => {
      hideSame()
      if (now - lookedAt < LOOK_AGAIN_S) return
      lookedAt = now
      tintAll()
    }),
    () => material.dispose(),
  ])
}

/** Whether a node is where its counterpart of the first take is: it would only cover that. */
function isSame(node: Object3D, first: Object3D | undefined): boolean {
  if (!first) return false
  return (
    node.position.distanceTo(first.position) < SAME_M &&
    node.quaternion.angleTo(first.quaternion) < SAME_RAD
  )
}

function isSamePosture(room: App['room'], name: string, first: string): boolean {
  const a = room.states.get(name)?.q
  const b = room.states.get(first)?.q
  if (!a || !b) return false
  const isThere = isSame(
    room.node(name)?.object ?? room.root,
    room.node(first)?.object ?? undefined,
  )
  return isThere && a.every((value, k) => Math.abs(value - (b[k] ?? 0)) < SAME_RAD)
}
