// The menu at the wrist, with what the room said last. Without a hand it floats beside the person.

import { Matrix4, type Mesh, type Vector3 as Point, Vector3 } from 'three'
import type { App, Close } from '../../app'
import { makeBoard } from './board'
import { contentOf, type MenuState, type MenuTools } from './menu_pages'

const METRES = 0.36 // wide, when it floats
const AT_LEFT = -0.42 // m in the rig, left of the middle
const AT_HEIGHT = 1.05 // m, that of a table
const AT_FRONT = -0.6 // m
const ABOVE_WRIST = 0.16 // m
const WRIST_SCALE = 0.68
const MAX_MESSAGES = 2

export interface Menu {
  readonly mesh: Mesh
  readonly words: readonly string[] // of the buttons, for tests
  /** Stand at a wrist (its pose in the rig), turned to the head; or beside the person. */
  place(wrist: Matrix4 | undefined, head: Matrix4): void
  meet(origin: Point, direction: Point): number | undefined
  press(): void
  release(): void
  /** Keep what the room said. */
  say(text: string): void
  /** Draw what has changed; `status` stands below what the room said. */
  update(status: string): void
  readonly close: Close
}

export function makeMenu(app: App, tools: MenuTools): Menu {
  const board = makeBoard(METRES)
  const state: MenuState = { page: 'home', first: 0 }
  const said: string[] = []
  app.stage.rig.add(board.mesh)
  board.mesh.name = 'menu'
  board.mesh.userData.placeOf = (words: string) => {
    const index = board.content.buttons.findIndex((button) => button.words === words)
    return index < 0 ? undefined : board.placeOf(index)
  }
  placeBeside(board.mesh)
  return {
    mesh: board.mesh,
    get words() {
      return board.content.buttons.map((button) => button.words)
    },
    place(wrist, head) {
      if (wrist) placeAtWrist(board.mesh, wrist, head)
      else placeBeside(board.mesh)
    },
    meet: board.meet,
    press: board.press,
    release: board.release,
    say(text) {
      if (said.at(-1) !== text) said.push(text)
      while (said.length > MAX_MESSAGES) said.shift()
    },
    update(status) {
      board.show(contentOf(state, tools, [...said, status].join('\n')))
      board.mesh.userData.content = board.content // for tests
    },
    close: board.close,
  }
}

function placeBeside(mesh: Mesh): void {
  mesh.position.set(AT_LEFT, AT_HEIGHT, AT_FRONT)
  mesh.rotation.set(-0.5, 0.5, 0, 'YXZ')
  mesh.scale.setScalar(1)
}

const UP = new Vector3(0, 1, 0)
const eye = new Vector3()
const facing = new Matrix4()

function placeAtWrist(mesh: Mesh, wrist: Matrix4, head: Matrix4): void {
  mesh.position.setFromMatrixPosition(wrist).addScaledVector(UP, ABOVE_WRIST)
  facing.lookAt(eye.setFromMatrixPosition(head), mesh.position, UP)
  mesh.quaternion.setFromRotationMatrix(facing)
  mesh.scale.setScalar(WRIST_SCALE)
}
