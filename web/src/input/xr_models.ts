// Controllers, hands and rays as they are drawn in a headset; all made here, nothing is fetched.

import {
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import type { Close } from '../app'
import { jointPlace, type XrHand } from './xr_hands'

const SKIN = 0xd8b49c
const SHELL = 0x2b3038
const ACCENT = 0x4c8dff
const HOLDING = 0xff9f1a
const RAY_LENGTH = 2.5 // m, of a ray that meets nothing
// Bones between joints of WebXR's order: the wrist to each finger, and along it.
const FINGERS = [
  [1, 2, 3, 4],
  ...[5, 10, 15, 20].map((first) => [0, 1, 2, 3, 4].map((i) => first + i)),
]
const BONES = FINGERS.flatMap((finger) =>
  finger.map((joint, index) => [index === 0 ? 0 : (finger[index - 1] ?? 0), joint] as const),
)
const N_JOINTS = 25
const Y = new Vector3(0, 1, 0)

export interface HandModel {
  readonly group: Group // in the rig
  /** Draw a hand as it is; `reach` is how far its ray goes until it meets something. */
  draw(hand: XrHand, reach: number | undefined): void
  readonly close: Close
}

export function makeHandModel(): HandModel {
  const group = new Group()
  const controller = makeController()
  const bare = makeBareHand()
  const ray = makeRay()
  group.add(controller.group, bare.group, ray.group)
  group.matrixAutoUpdate = true
  return {
    group,
    draw(hand, reach) {
      controller.group.visible = hand.isSeen && !hand.isBare
      bare.group.visible = hand.isSeen && hand.isBare
      ray.group.visible = hand.isSeen
      if (!hand.isSeen) return
      if (hand.isBare) bare.draw(hand)
      else place(controller.group, hand.grip)
      place(ray.group, hand.ray)
      ray.draw(reach, hand.isHolding)
    },
    close() {
      group.removeFromParent()
      group.traverse((part) => {
        if (part instanceof Mesh || part instanceof Line) {
          part.geometry.dispose()
          ;[part.material].flat().forEach((material) => void material.dispose())
        }
      })
    },
  }
}

function place(group: Group, pose: Matrix4): void {
  pose.decompose(group.position, group.quaternion, new Vector3())
}

function makeController(): { group: Group } {
  const group = new Group()
  const shell = new MeshStandardMaterial({ color: SHELL, roughness: 0.5 })
  const accent = new MeshStandardMaterial({ color: ACCENT, roughness: 0.4 })
  const grip = new Mesh(new CapsuleGeometry(0.015, 0.075, 6, 16), shell)
  grip.rotation.x = Math.PI / 2
  const ring = new Mesh(new TorusGeometry(0.03, 0.006, 10, 32), shell)
  ring.position.set(0, 0.012, -0.055)
  ring.rotation.x = -0.9
  const pad = new Mesh(new CylinderGeometry(0.009, 0.009, 0.008, 20), accent)
  pad.position.set(0, 0.019, -0.03)
  group.add(grip, ring, pad)
  return { group }
}

/** Joints as balls and bones between them. */
function makeBareHand(): { group: Group; draw(hand: XrHand): void } {
  const skin = new MeshStandardMaterial({ color: SKIN, roughness: 0.7 })
  const balls = new InstancedMesh(new SphereGeometry(0.0095, 12, 10), skin, N_JOINTS)
  const bones = new InstancedMesh(new CylinderGeometry(0.008, 0.008, 1, 10), skin, BONES.length)
  balls.frustumCulled = bones.frustumCulled = false
  const group = new Group()
  group.add(balls, bones)
  const [start, end, middle] = [new Vector3(), new Vector3(), new Vector3()]
  const turn = new Quaternion()
  const matrix = new Matrix4()
  return {
    group,
    draw(hand) {
      for (let index = 0; index < N_JOINTS; index++) {
        balls.setMatrixAt(index, matrix.makeTranslation(jointPlace(hand, index, start)))
      }
      BONES.forEach(([one, other], index) => {
        jointPlace(hand, one, start)
        jointPlace(hand, other, end)
        middle.addVectors(start, end).multiplyScalar(0.5)
        const length = start.distanceTo(end)
        turn.setFromUnitVectors(Y, end.sub(start).normalize())
        bones.setMatrixAt(index, matrix.compose(middle, turn, new Vector3(1, length, 1)))
      })
      balls.instanceMatrix.needsUpdate = bones.instanceMatrix.needsUpdate = true
    },
  }
}

function makeRay(): { group: Group; draw(reach: number | undefined, isHolding: boolean): void } {
  const group = new Group()
  const paint = new LineBasicMaterial({ color: ACCENT, transparent: true, opacity: 0.6 })
  const ends = new Float32BufferAttribute([0, 0, 0, 0, 0, -1], 3)
  const line = new Line(new BufferGeometry().setAttribute('position', ends), paint)
  line.frustumCulled = false
  const dot = new Mesh(new SphereGeometry(0.007, 12, 10), new MeshBasicMaterial({ color: ACCENT }))
  group.add(line, dot)
  return {
    group,
    draw(reach, isHolding) {
      line.scale.z = reach ?? RAY_LENGTH
      dot.visible = reach !== undefined
      dot.position.z = -(reach ?? 0)
      const colour = isHolding ? HOLDING : ACCENT
      paint.color.setHex(colour)
      dot.material.color.setHex(colour)
    },
  }
}
