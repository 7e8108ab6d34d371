import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
  Vector3,
} from 'three'
import type { Close } from '../app'
import { CLEAR } from '../layers'
import type { PersonState } from '../net/protocol'
import { makeLine } from '../room/lines'
import { makeLoadBar } from './load_bar'
import type { OverlayContext } from './overlay'

const FLOOR_GAP = 0.006 // m over the floor, so that both are seen
const BAR_DISTANCE = 0.55 // m from the centre of mass to the bar
const BAR_LIFT = 0.1 // m
const MIN_SIDE_SINE = 0.25 // sine of the angle between where a person looks and us
const SAFE_MARGIN = 0.03 // m
const MIN_MARGIN = 0.01 // m
const GOOD = '#22b573'
const WARN = '#f0a02c'
const BAD = '#f04a5d'

/** What is drawn of one person. */
export interface BalanceMarks {
  /** Draw a state; nothing without one. */
  show(state: PersonState | undefined): void
  /** Turn to the camera; call with each picture. */
  follow(): void
  close: Close
}

export function makeBalanceMarks(
  { room, stage, shell, people }: OverlayContext,
  name: string,
): BalanceMarks {
  const group = new Group()
  group.name = `balance of ${name}`
  const area = makeFlat(new BufferGeometry(), 0.34)
  const cop = makeFlat(new CircleGeometry(0.024, 28), 1)
  const rim = makeFlat(new RingGeometry(0.024, 0.033, 28), 1)
  const com = new Mesh(new SphereGeometry(0.022, 20, 14), makeMaterial(1))
  const under = makeFlat(new RingGeometry(0.014, 0.02, 24), 0.9) // the centre of mass, on the floor
  const edge = makeLine({ colour: GOOD, width: 2.5 })
  const plumb = makeLine({ colour: GOOD, width: 1.5, isDashed: true })
  const bar = makeLoadBar()
  rim.material.color.set('#ffffff')
  const meshes = [area, under, cop, rim, com]
  for (const [k, mesh] of meshes.entries()) {
    mesh.layers.set(CLEAR)
    mesh.renderOrder = 11 + k / 10 // over the lines, each over the one before
  }
  group.add(...meshes, edge.object, plumb.object, bar.object)
  group.visible = false
  room.root.add(group)
  const at = new Vector3() // centre of mass
  const right = new Vector3() // of the camera, in the room
  const ahead = new Vector3() // where the person looks
  let side = 1

  const follow = () => {
    if (!group.visible) return
    const { x, z } = right.setFromMatrixColumn(stage.camera.matrixWorld, 0)
    right.set(x, -z, 0).normalize() // the axes of three into those of the room
    const pelvis = room.node(`${name}/pelvis`)?.object
    if (pelvis) {
      const across = ahead.setFromMatrixColumn(pelvis.matrix, 0).setZ(0).normalize().dot(right)
      if (Math.abs(across) > MIN_SIDE_SINE) side = -Math.sign(across) // behind: hands are in front
    }
    bar.object.position
      .copy(right)
      .multiplyScalar(side * BAR_DISTANCE)
      .add(at)
    bar.object.position.z += BAR_LIFT
  }
  return {
    show(state) {
      group.visible = state?.com !== null && state !== undefined
      if (!group.visible || !state?.com) return
      const colour = colourOf(state)
      for (const { material } of [area, cop, com, under]) material.color.set(colour)
      for (const { object } of [edge, plumb]) object.material.color.set(colour)
      at.fromArray(state.com)
      const floor = (state.polygon[0]?.[2] ?? at.z - 1) + FLOOR_GAP
      const corners = state.polygon.map(([x, y]) => [x, y, floor] as const)
      setFan(area, corners)
      const first = corners[0]
      edge.set(first ? [...corners, first] : [])
      plumb.set([state.com, [at.x, at.y, floor]])
      com.position.copy(at)
      under.position.set(at.x, at.y, floor + 0.001)
      cop.visible = rim.visible = state.cop !== null
      if (state.cop)
        for (const mesh of [cop, rim])
          mesh.position.set(state.cop[0], state.cop[1], state.cop[2] + FLOOR_GAP + 0.002)
      bar.show(state.back, people.limits, shell.isDark)
      follow()
    },
    follow,
    close() {
      group.removeFromParent()
      for (const mesh of meshes) {
        mesh.geometry.dispose()
        mesh.material.dispose()
      }
      edge.close()
      plumb.close()
      bar.close()
    },
  }
}

function colourOf({ margin, is_supported: isSupported }: PersonState): string {
  if (margin === null || !isSupported || margin < MIN_MARGIN) return BAD
  return margin < SAFE_MARGIN ? WARN : GOOD
}

function makeMaterial(opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({
    transparent: true,
    opacity,
    depthTest: false, // feet stand on it
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
  })
}

/** Something that lies on the floor. */
function makeFlat<G extends BufferGeometry>(geometry: G, opacity: number) {
  const mesh = new Mesh<BufferGeometry, MeshBasicMaterial>(geometry, makeMaterial(opacity))
  mesh.frustumCulled = false
  return mesh
}

/** Make a mesh the area of a convex polygon. */
function setFan(mesh: Mesh, corners: readonly (readonly [number, number, number])[]): void {
  const index: number[] = []
  for (let k = 1; k + 1 < corners.length; k++) index.push(0, k, k + 1)
  mesh.geometry.dispose()
  mesh.geometry = new BufferGeometry()
  mesh.geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners.flat()), 3))
  mesh.geometry.setIndex(index)
  mesh.visible = index.length > 0
}
