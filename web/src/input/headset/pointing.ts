// What both hands point at: buttons are pressed, planes are moved, things are grabbed, and the ray
// ends there.

import { type Matrix4, Vector3 } from 'three'
import type { App } from '../../app'
import { type Met, meet } from '../ray'
import type { XrGrab } from './grab'
import type { Side, XrHand } from './hands'
import type { Menu } from './menu'
import type { HandModel } from './models'
import type { PlaneHit, Planes } from './planes'

export const SIDES: readonly Side[] = ['left', 'right']
const RAY_PERIOD = 3 // pictures between two looks along the same ray
const SCROLL_THRESHOLD = 0.3 // of the stick

export interface Pointers {
  hands: Record<Side, XrHand>
  models: Record<Side, HandModel>
  grabs: Record<Side, XrGrab>
  menu: Menu
  planes: Planes
  /** The side that wears the menu: it cannot press it. */
  wearer: () => Side
  /** A trigger is pulled at nothing in particular; says whether it was of use. */
  onTrigger: (hand: XrHand) => boolean
}

interface State {
  met: Met | undefined
  wasSelecting: boolean
  wasHolding: boolean
  pressed: boolean // a button of the menu
  isUsed: boolean // what the hand does now says a place, and takes nothing
  carry: ((pose: Matrix4) => void) | undefined // a plane
}

export interface Pointing {
  update(pictures: number, dt: number): void
  /** Whether a hand points at a plane or the menu: its stick is for that. */
  isReading(side: Side): boolean
}

export function makePointing(app: App, pointers: Pointers): Pointing {
  const states: Record<Side, State> = { left: noState(), right: noState() }
  const reading: Record<Side, boolean> = { left: false, right: false }
  const point = (side: Side, isDue: boolean, dt: number) => {
    const { menu, planes, hands, grabs, models } = pointers
    const [hand, state] = [hands[side], states[side]]
    const [origin, direction] = rayOf(app, hand)
    const mayPress = hand.isSeen && side !== pointers.wearer()
    const onMenu = mayPress ? menu.meet(origin, direction) : undefined
    const plane = hand.isSeen && onMenu === undefined ? planes.meet(origin, direction) : undefined
    if (!hand.isSeen) state.met = undefined
    else if ((isDue || hand.isHolding) && !grabs[side].holds)
      state.met = meet(app, origin, direction)
    pressAndCarry(app, pointers, { hand, state, onMenu, plane, dt })
    reading[side] = plane !== undefined
    const isFree = onMenu === undefined && !plane && !state.carry && !state.isUsed
    if (isFree || grabs[side].holds) grabs[side].update(hand, state.met)
    models[side].draw(hand, onMenu ?? plane?.distance ?? state.met?.distance)
  }
  return {
    update(pictures, dt) {
      for (const [index, side] of SIDES.entries()) point(side, pictures % RAY_PERIOD === index, dt)
    },
    isReading: (side) => reading[side],
  }
}

interface Turn {
  hand: XrHand
  state: State
  onMenu: number | undefined
  plane: PlaneHit | undefined
  dt: number
}

/** Triggers press and release, squeezes carry planes, sticks scroll them. */
function pressAndCarry(app: App, { menu, onTrigger }: Pointers, turn: Turn): void {
  const { hand, state, onMenu, plane, dt } = turn
  const isPulled = hand.isSelecting && !state.wasSelecting
  if (isPulled && onMenu !== undefined) {
    state.pressed = true
    menu.press()
  } else if (isPulled && plane) plane.press()
  else if (isPulled && onTrigger(hand)) state.isUsed = true
  if (!hand.isSelecting) state.isUsed = false
  if (!hand.isSelecting && state.pressed) {
    state.pressed = false
    menu.release()
  }
  const pose = app.stage.rig.matrixWorld.clone().multiply(hand.ray)
  const isSqueezed = hand.isHolding && !state.wasHolding
  if (isSqueezed && plane && !hand.isBare) state.carry = plane.hold(pose)
  if (!hand.isHolding) state.carry = undefined
  state.carry?.(pose)
  if (plane && Math.abs(hand.stick.y) > SCROLL_THRESHOLD) plane.scroll(hand.stick.y, dt)
  state.wasSelecting = hand.isSelecting
  state.wasHolding = hand.isHolding
}

function noState(): State {
  return {
    met: undefined,
    wasSelecting: false,
    wasHolding: false,
    pressed: false,
    isUsed: false,
    carry: undefined,
  }
}

function rayOf(app: App, hand: XrHand): [Vector3, Vector3] {
  const world = app.stage.rig.matrixWorld.clone().multiply(hand.ray)
  const direction = new Vector3(0, 0, -1).transformDirection(world)
  return [new Vector3().setFromMatrixPosition(world), direction]
}
