import { Matrix4, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import { CLEAR } from '../layers'
import type { OverlayKind } from './overlay'

const SCALE = 0.3 // m drawn for 1 m/s
const THINNEST = 0.002 // m: a flat ellipsoid is still a body

/** How fast the tip can move in each direction, joints at unit speed: live. */
export const ellipsoid: OverlayKind = {
  name: 'ellipsoid',
  title: 'Velocity ellipsoid',
  icon: 'ellipsoid',
  isOnAtFirst: false,
  start({ room, stage, selection }) {
    const geometry = new SphereGeometry(1, 36, 24)
    const material = new MeshBasicMaterial({
      color: '#38b6c9',
      transparent: true,
      opacity: 0.28,
      depthWrite: false,
    })
    const lines = new MeshBasicMaterial({
      color: '#12707f',
      wireframe: true,
      transparent: true,
      opacity: 0.18,
      depthWrite: false,
    })
    const body = new Mesh(geometry, material)
    body.add(new Mesh(new SphereGeometry(1.002, 18, 10), lines))
    body.matrixAutoUpdate = false
    body.traverse((part) => part.layers.set(CLEAR))
    room.root.add(body)
    const axes = [new Vector3(), new Vector3(), new Vector3()] as const
    const close = stage.onFrame(() => {
      const state = room.states.get(selection.robot?.name ?? '')
      body.visible = state?.ellipsoid.length === 3
      if (!state || !body.visible) return
      for (const [k, axis] of axes.entries()) setAxis(axis, state.ellipsoid[k], k)
      body.matrix.copy(new Matrix4().makeBasis(...axes)).setPosition(...state.tip)
      body.matrixWorldNeedsUpdate = true
    })
    return () => {
      close()
      body.removeFromParent()
      geometry.dispose()
      material.dispose()
      lines.dispose()
    }
  },
}

function setAxis(axis: Vector3, half: [number, number, number] | undefined, index: number): void {
  axis.fromArray(half ?? [0, 0, 0]).multiplyScalar(SCALE)
  if (axis.length() < THINNEST) axis.setComponent(index, THINNEST)
}
