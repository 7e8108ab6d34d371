// Taking hold in a headset. A hand at a thing holds it itself, as the logical device `right_glove` or
// `left_glove`; a ray from afar holds it by the cursor. In free air the right hand is a clutch:
// while it is closed, the end-effector moves as the hand does.

import { Matrix4, Quaternion, Vector3 } from 'three'
import type { App, RoomNode } from '../../app'
import type { Cursor } from '../cursor'
import { guidedOf, isMovable, linkOf } from '../movable'
import { isByHand } from '../participant'
import { type Met, touch } from '../ray'
import type { XrHand } from './hands'
import { pulse } from './haptics'

const CLUTCH_DELAY = 2 // pictures; by then the room has received the closed hand

export interface XrGrab {
  /** What this hand holds now, in words; empty when nothing. */
  readonly holds: string
  update(hand: XrHand, met: Met | undefined): void
  release(): void
}

export function makeXrGrab(
  app: App,
  cursor: Cursor,
  options: { mayDrive: () => boolean; say: (words: string) => void },
): XrGrab {
  let wasHolding = false
  let isFar = false
  let release: (() => void) | undefined
  let holds = ''
  let wait = 0 // pictures until the clutch engages
  const handFromPoint = new Matrix4()

  const command = async (line: string): Promise<boolean> => {
    const answer = await app.connection.command(line)
    if (!answer.ok) options.say(answer.text)
    return answer.ok
  }
  const byCursor = (verb: string, node: RoomNode, at: Vector3, hand: XrHand) => {
    if (cursor.isHolding) return options.say('The other hand holds something already.')
    const world = worldOf(app, hand)
    const turn = inRoom(app, world).turn
    handFromPoint.copy(world).invert().multiply(new Matrix4().makeTranslation(at))
    isFar = true
    const onLost = () => end()
    cursor.hold(`${verb} ${node.info.name}; cursor`, app.room.root.worldToLocal(at.clone()), {
      turn,
      onLost,
    })
    release = () => cursor.letGo()
  }
  const byGlove = async (verb: string, node: RoomNode, at: Vector3, hand: XrHand) => {
    const glove = `${hand.role}_glove`
    const mine = () => void app.connection.command(`let_go ${glove}`)
    release = mine
    const isHeld = (await app.connection.command(`${verb} ${node.info.name}; ${glove}`)).ok
    // A hand that was never at rest is not trusted yet; the cursor always is.
    if (!isHeld && release === mine) byCursor(verb, node, at, hand)
  }
  const take = (hand: XrHand, met: Met | undefined) => {
    const at = hand.point.clone().applyMatrix4(app.stage.rig.matrixWorld)
    // In a task the arm does the work, or the room has rules by which hands take things.
    const near = app.room.task ? undefined : touch(app, at)
    const node = app.room.task ? undefined : (near ?? met?.node)
    const { held, verb } = node ? graspOf(app, node) : {}
    if (held && verb) {
      holds = held.info.name
      pulse(hand, 'touch')
      if (near) void byGlove(verb, held, at, hand)
      else if (met) byCursor(verb, held, met.point, hand)
    } else if (hand.role === 'right' && options.mayDrive() && !isByHand(app)) wait = CLUTCH_DELAY
  }
  const drive = async () => {
    holds = 'the end-effector'
    release = () => void app.connection.command('track_toggle off')
    if (await command('track_init mover; turn')) await command('track_toggle')
  }
  const end = () => {
    release?.()
    release = undefined
    holds = ''
    isFar = false
    wait = 0
  }
  return {
    get holds() {
      return holds
    },
    update(hand, met) {
      const isHolding = hand.isSeen && hand.isHolding && app.control.isMine
      if (isHolding && !wasHolding) take(hand, met)
      if (!isHolding && wasHolding) end()
      wasHolding = isHolding
      if (wait > 0 && --wait === 0) void drive()
      if (!isFar) return
      const { at, turn } = inRoom(app, worldOf(app, hand), handFromPoint)
      cursor.moveTo(at, turn)
    },
    release: end,
  }
}

/** What moves when a node is grasped, and the command for it: a link is dragged, all else grabbed. */
function graspOf(app: App, node: RoomNode): { held?: RoomNode; verb?: 'drag' | 'grab' } {
  const link = linkOf(app, node)
  if (link) return { held: link, verb: 'drag' }
  const held = guidedOf(app, node) ?? (isMovable(node) ? node : undefined)
  return held ? { held, verb: 'grab' } : {}
}

/** A hand in three's world: its ray, for that is what one aims with. */
function worldOf(app: App, hand: XrHand): Matrix4 {
  return app.stage.rig.matrixWorld.clone().multiply(hand.ray)
}

/** Where the hand is in the room, and a point that moves with it. */
function inRoom(
  app: App,
  world: Matrix4,
  handFromPoint?: Matrix4,
): { at: Vector3; turn: Quaternion } {
  const pose = app.room.root.matrixWorld.clone().invert().multiply(world)
  const turn = new Quaternion().setFromRotationMatrix(pose)
  if (handFromPoint) pose.multiply(handFromPoint)
  return { at: new Vector3().setFromMatrixPosition(pose), turn }
}
