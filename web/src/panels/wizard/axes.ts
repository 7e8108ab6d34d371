// The axes of joints as they are drawn: a line through each, and for the chosen one three arrows to
// be clicked.

import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  TorusGeometry,
  Vector3,
} from 'three'
import { type Draft, heldParts, type Joint, type Joints, placeParts, type Triple } from './draft'

const LENGTH = 0.18 // m of an arrow
const COLOURS: readonly [Triple, number][] = [
  [[1, 0, 0], 0xe5484d],
  [[0, 1, 0], 0x46a758],
  [[0, 0, 1], 0x3e82f7],
]
const CHOSEN = 0xff8a1f
const OTHERS = 0x8b95a5

export interface Axes {
  readonly group: Group
  show(draft: Draft, joints: Joints, chosen: string): void
  /** The axis that an arrow stands for, or the part of the joint that a line does. */
  meaning(object: Object3D): { axis?: Triple; part?: string } | undefined
}

export function makeAxes(parent: Group): Axes {
  const group = new Group()
  parent.add(group)
  const meanings = new WeakMap<Object3D, { axis?: Triple; part?: string }>()
  const add = (object: Mesh, meaning: { axis?: Triple; part?: string }, onto: Group) => {
    object.renderOrder = 10
    meanings.set(object, meaning)
    onto.add(object)
  }
  const line = (held: Joint, part: string, isChosen: boolean): Group => {
    const holder = new Group()
    const colour = isChosen ? CHOSEN : OTHERS
    add(
      new Mesh(new CylinderGeometry(0.005, 0.005, LENGTH * (isChosen ? 2.2 : 1), 8), look(colour)),
      { part },
      holder,
    )
    const head = new Mesh(new ConeGeometry(0.016, 0.04, 16), look(colour))
    head.position.y = (LENGTH * (isChosen ? 2.2 : 1)) / 2
    add(head, { part }, holder)
    if (held.type === 'revolute') {
      const ring = new Mesh(
        new TorusGeometry(isChosen ? 0.07 : 0.05, 0.004, 8, 40, 1.6 * Math.PI),
        look(colour),
      )
      ring.rotation.x = Math.PI / 2
      add(ring, { part }, holder)
    }
    holder.quaternion.setFromUnitVectors(
      new Vector3(0, 1, 0),
      new Vector3(...held.axis).normalize(),
    )
    return holder
  }
  const arrows = (held: Joint): Group => {
    const holder = new Group()
    for (const [axis, colour] of COLOURS) {
      if (Math.abs(new Vector3(...held.axis).normalize().dot(new Vector3(...axis))) > 0.999)
        continue
      const arrow = new Group()
      const shaft = new Mesh(new CylinderGeometry(0.006, 0.006, LENGTH, 8), look(colour))
      shaft.position.y = LENGTH / 2
      const tip = new Mesh(new ConeGeometry(0.022, 0.055, 16), look(colour))
      tip.position.y = LENGTH
      add(shaft, { axis }, arrow)
      add(tip, { axis }, arrow)
      arrow.quaternion.copy(
        new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...axis)),
      )
      holder.add(arrow)
    }
    return holder
  }
  return {
    group,
    show(draft, joints, chosen) {
      group.clear()
      const places = placeParts(draft, joints)
      for (const part of heldParts(draft)) {
        const isChosen = part.name === chosen
        if (part.held.type === 'fixed' && !isChosen) continue
        const at = new Group()
        at.matrixAutoUpdate = false
        at.matrix
          .copy(places.get(part.held.parent) ?? new Matrix4())
          .multiply(new Matrix4().makeTranslation(...part.held.point))
        if (part.held.type !== 'fixed') at.add(line(part.held, part.name, isChosen))
        if (isChosen && part.held.type !== 'fixed') at.add(arrows(part.held))
        group.add(at)
      }
      group.updateMatrixWorld(true)
    },
    meaning: (object) => meanings.get(object),
  }
}

function look(color: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 })
}
