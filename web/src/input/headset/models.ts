// Controllers, hands and rays as they are drawn in a headset; all made here, nothing is fetched.

import {
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import type { Close } from '../../app'
import { jointPlace, type XrHand } from './hands'

const SKIN = 0xd8b49c
const SHELL = 0x2b3038
const ACCENT = 0x4c8dff
const HOLDING = 0xff9f1a
const RAY_RADIUS = 0.0012 // m
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
const [INDEX_KNUCKLE, MIDDLE_KNUCKLE, LITTLE_KNUCKLE] = [6, 11, 21]
const PALM_RIM = [0, 1, 2, 6, 11, 16, 21, 20] // joints round the palm
const PALM_HALF = 0.0105 // m, half its thickness
const WRIST_RADIUS = 0.017 // m
const THINNER = 0.92 // headsets give the radii of the skin, and balls bulge
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
        if (part instanceof Mesh) {
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

/** Joints as balls, bones between them as thick as the hand is, and a palm. */
function makeBareHand(): { group: Group; draw(hand: XrHand): void } {
  const skin = new MeshStandardMaterial({ color: SKIN, roughness: 0.65 })
  const balls = new InstancedMesh(new SphereGeometry(1, 16, 12), skin, N_JOINTS)
  const bones = new InstancedMesh(new CylinderGeometry(1, 1, 1, 16, 1, true), skin, BONES.length)
  const palm = makePalm(skin)
  balls.frustumCulled = bones.frustumCulled = false
  const group = new Group()
  group.add(balls, bones, palm.mesh)
  const [start, end, middle, size] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()]
  const turn = new Quaternion()
  const matrix = new Matrix4()
  const radiusOf = (hand: XrHand, joint: number) => THINNER * (hand.radii[joint] ?? 0)
  return {
    group,
    draw(hand) {
      for (let index = 0; index < N_JOINTS; index++) {
        size.setScalar(index === 0 ? WRIST_RADIUS : radiusOf(hand, index))
        matrix.compose(jointPlace(hand, index, start), turn.identity(), size)
        balls.setMatrixAt(index, matrix)
      }
      BONES.forEach(([one, other], index) => {
        jointPlace(hand, one, start)
        jointPlace(hand, other, end)
        middle.addVectors(start, end).multiplyScalar(0.5)
        const length = start.distanceTo(end)
        const radius = one === 0 ? PALM_HALF : (radiusOf(hand, one) + radiusOf(hand, other)) / 2
        turn.setFromUnitVectors(Y, end.sub(start).normalize())
        bones.setMatrixAt(index, matrix.compose(middle, turn, size.set(radius, length, radius)))
      })
      palm.draw(hand)
      balls.instanceMatrix.needsUpdate = bones.instanceMatrix.needsUpdate = true
    },
  }
}

/** The palm: a slab between the wrist and the knuckles, round which the bones of the hand lie. */
function makePalm(skin: MeshStandardMaterial): { mesh: Mesh; draw(hand: XrHand): void } {
  const n = PALM_RIM.length
  const places = new Float32BufferAttribute(2 * n * 3, 3)
  const geometry = new BufferGeometry().setAttribute('position', places)
  const fan = Array.from({ length: n - 2 }, (_, k) => [0, k + 1, k + 2])
  const sides = PALM_RIM.flatMap((_, k) => {
    const next = (k + 1) % n
    return [k, k + n, next, next, k + n, next + n]
  })
  geometry.setIndex([
    ...fan.flatMap(([a = 0, b = 0, c = 0]) => [a, c, b, a + n, b + n, c + n]),
    ...sides,
  ])
  const mesh = new Mesh(geometry, skin.clone())
  mesh.material.side = DoubleSide
  mesh.frustumCulled = false
  const [at, across, along] = [new Vector3(), new Vector3(), new Vector3()]
  return {
    mesh,
    draw(hand) {
      const wrist = jointPlace(hand, 0, at).clone()
      along.subVectors(jointPlace(hand, MIDDLE_KNUCKLE), wrist)
      across.subVectors(jointPlace(hand, INDEX_KNUCKLE), jointPlace(hand, LITTLE_KNUCKLE))
      const up = along.cross(across).normalize().multiplyScalar(PALM_HALF)
      PALM_RIM.forEach((joint, k) => {
        jointPlace(hand, joint, at)
        places.setXYZ(k, at.x + up.x, at.y + up.y, at.z + up.z)
        places.setXYZ(k + n, at.x - up.x, at.y - up.y, at.z - up.z)
      })
      places.needsUpdate = true
      geometry.computeVertexNormals()
    },
  }
}

function makeRay(): { group: Group; draw(reach: number | undefined, isHolding: boolean): void } {
  const group = new Group()
  const paint = new MeshBasicMaterial({ color: ACCENT, transparent: true, opacity: 0.6 })
  // A line of one pixel is hardly seen in a headset: this is a thin rod, from the hand along -z.
  const rod = new CylinderGeometry(RAY_RADIUS, RAY_RADIUS, 1, 6, 1, true)
  const line = new Mesh(rod.translate(0, 0.5, 0).rotateX(-Math.PI / 2), paint)
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
