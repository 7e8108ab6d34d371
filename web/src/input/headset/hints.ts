// What the buttons of the controllers do, on plates beside them, as long as one wishes.

import { type Matrix4, Vector3 } from 'three'
import type { App, Close } from '../../app'
import { isByHand } from '../participant'
import type { Side, XrHand } from './hands'
import type { Settings } from './settings'
import { face, makeSign, type Sign } from './signs'

const PIXEL_SIZE = 0.00022 // m
const WIDTH_PX = 480
const BESIDE = 0.1 // m from the grip
const BELOW = 0.05 // m

export interface Hints {
  update(hands: Record<Side, XrHand>, head: Matrix4): void
  readonly close: Close
}

export function makeHints(app: App, settings: Settings): Hints {
  const signs: Record<Side, Sign> = {
    left: makeSign(app.stage.rig, PIXEL_SIZE, WIDTH_PX),
    right: makeSign(app.stage.rig, PIXEL_SIZE, WIDTH_PX),
  }
  for (const side of ['left', 'right'] as const) signs[side].mesh.name = `hint-${side}`
  return {
    update(hands, head) {
      const main = settings.isLeftHanded ? 'left' : 'right'
      const hasWheels = Object.values(app.room.devices).includes('drive2')
      for (const side of ['left', 'right'] as const) {
        const hand = hands[side]
        const isShown = settings.hasHints && hand.isSeen
        const hint = isByHand(app)
          ? handHint(hand.isBare, side === main)
          : hintOf(hand, settings, side === main, hasWheels, app.room.task !== null)
        signs[side].text = isShown ? hint : ''
        if (!isShown) continue
        const outwards = side === 'left' ? -BESIDE : BESIDE
        const { position } = signs[side].mesh
        position.setFromMatrixPosition(hand.grip)
        const eye = new Vector3().setFromMatrixPosition(head)
        const right = new Vector3(1, 0, 0).transformDirection(head)
        position.addScaledVector(right, outwards).setY(position.y - BELOW)
        face(signs[side].mesh, eye)
      }
    },
    close() {
      signs.left.close()
      signs.right.close()
    },
  }
}

/** What a hand does, in a few lines. */
export function hintOf(
  { isBare }: { isBare: boolean },
  settings: Settings,
  isMain: boolean,
  hasWheels: boolean,
  hasTask = false,
): string {
  if (hasTask && !isBare) return taskHint(isMain, hasWheels)
  if (isBare)
    return isMain
      ? 'Pinch at a thing: take it\nPinch in the air: the arm follows'
      : 'Pinch at a thing: take it\nThe menu is above this wrist'
  const go = settings.moving === 'teleport' ? 'jump' : 'go'
  if (isMain) return `Grip: take, or lead the arm\nTrigger: press\nStick: ${go}, turn`
  return `Grip: take${hasWheels ? '\nStick: drive the chair' : ''}\nThe menu is above this wrist`
}

/** What a hand does while people work by their own hands. */
export function handHint(isBare: boolean, isMain: boolean): string {
  const take = `${isBare ? 'Pinch' : 'Grip'} at a thing: take it`
  return isMain ? take : `${take}\nThe menu is above this wrist`
}

/** What a controller does while the room sets a task. */
function taskHint(isMain: boolean, hasWheels: boolean): string {
  if (!isMain) return `${hasWheels ? 'Stick: drive the chair\n' : ''}The menu is above this wrist`
  return hasWheels ? 'Grip: lead the arm\nTrigger: grip, or let go' : 'Grip: lead the arm'
}
