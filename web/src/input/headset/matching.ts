// Matching the room with real things. Points of the room (landmarks) are touched one after another
// where they really are; then the person's room is turned and moved so that they agree.

import { Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import type { App, Close, RoomNode } from '../../app'
import { fitRigid } from '../../rigid_fit'
import type { XrHand } from './hands'
import type { XrRig } from './rig'

const MARK_RADIUS = 0.015 // m
const MARK_COLOUR = 0xff9f1a
const ON_TOP = 700 // order of drawing
const UP = new Vector3(0, 1, 0)

export interface Matching {
  readonly isOn: boolean
  /** The points that can be matched, by name. */
  readonly landmarks: readonly string[]
  begin(): void
  /** The hand is at the real place of the point that is asked for. */
  measure(hand: XrHand): void
  readonly close: Close
}

/** Nodes that the address names (`?landmarks=a,b,c`), or whose names begin with “landmark”. */
export function landmarksOf(nodes: readonly RoomNode[], query: string): string[] {
  const wished = new URLSearchParams(query).get('landmarks')
  const names = nodes.map((node) => node.info.name)
  if (wished) return wished.split(',').filter((name) => names.includes(name))
  return names.filter((name) => name.startsWith('landmark'))
}

export function makeMatching(app: App, rig: XrRig, say: (words: string) => void): Matching {
  const mark = new Mesh(
    new SphereGeometry(MARK_RADIUS, 20, 14),
    new MeshBasicMaterial({ color: MARK_COLOUR, depthTest: false, transparent: true }),
  )
  mark.renderOrder = ON_TOP
  mark.visible = false
  app.stage.scene.add(mark)
  let names: string[] = []
  let measured: Vector3[] = [] // in the rig
  const placeOf = (name: string) =>
    app.room.node(name)?.object.getWorldPosition(new Vector3()) ?? new Vector3()
  const ask = () => {
    const name = names[measured.length]
    mark.visible = name !== undefined
    if (!name) return
    mark.position.copy(placeOf(name))
    say(
      `Hold your hand at the real ${name}; pull the trigger, or pinch (${measured.length + 1} of ${names.length}).`,
    )
  }
  const finish = () => {
    try {
      const fit = fitRigid(measured, names.map(placeOf), UP)
      const yaw = 2 * Math.atan2(fit.rotation.y, fit.rotation.w)
      rig.put(fit.translation, yaw)
      const worst = Math.max(...fit.residuals)
      say(`Matched: ${millimetres(fit.rms)} off, at most ${millimetres(worst)}.`)
    } catch (error) {
      say(`Not matched: ${error instanceof Error ? error.message : String(error)}.`)
    }
    names = []
  }
  return {
    get isOn() {
      return names.length > 0
    },
    get landmarks() {
      return landmarksOf(app.room.nodes, window.location.search)
    },
    begin() {
      names = landmarksOf(app.room.nodes, window.location.search)
      measured = []
      ask()
    },
    measure(hand) {
      measured.push(hand.point.clone())
      if (measured.length === names.length) {
        finish()
        mark.visible = false
      } else ask()
    },
    close() {
      mark.removeFromParent()
      mark.geometry.dispose()
      mark.material.dispose()
    },
  }
}

function millimetres(metres: number): string {
  return `${(1000 * metres).toFixed(0)} mm`
}
