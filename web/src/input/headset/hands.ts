// What the two hands in a headset do: read from WebXR at every picture, and sent to the room.

import { Matrix4, Quaternion, Vector3 } from 'three'
import type { DeviceName, Feed } from '../feed'

export type Side = 'left' | 'right'

const N_JOINTS = 25
const NUMBERS = 7 // of a joint: place and turn
const THUMB_TIP = 4
const INDEX_TIP = 9
const PINCH_DISTANCE = 0.0195 // m between the tips; the room sees it the same way
const OPEN_DISTANCE = 0.031 // m
const DOWN = 0.5
const USUAL_RADIUS = 0.009 // m, of a finger, where the headset does not say

export interface XrHand {
  readonly side: Side
  role: Side // which of the room's devices it is: the right one drives, whichever hand that is
  /** Whether the hand is tracked. */
  isSeen: boolean
  isBare: boolean // a hand, not a controller
  readonly grip: Matrix4 // in the rig
  readonly ray: Matrix4 // in the rig; it points along -z
  readonly point: Vector3 // that takes hold, in the rig
  readonly joints: Float32Array // of a bare hand
  readonly radii: Float32Array // m, of its joints
  isHolding: boolean // squeezes, or pinches
  isSelecting: boolean // pulls the trigger, or pinches
  stick: { x: number; y: number }
  gamepad: Gamepad | undefined
}

export function makeXrHand(side: Side): XrHand {
  return {
    side,
    role: side,
    isSeen: false,
    isBare: false,
    grip: new Matrix4(),
    ray: new Matrix4(),
    point: new Vector3(),
    joints: new Float32Array(N_JOINTS * NUMBERS),
    radii: new Float32Array(N_JOINTS).fill(USUAL_RADIUS),
    isHolding: false,
    isSelecting: false,
    stick: { x: 0, y: 0 },
    gamepad: undefined,
  }
}

/** Read both hands as they are in this frame; controllers may have become hands since the last. */
export function readHands(
  hands: Record<Side, XrHand>,
  session: XRSession,
  frame: XRFrame,
  space: XRReferenceSpace,
): void {
  for (const hand of Object.values(hands)) hand.isSeen = false
  for (const source of session.inputSources) {
    if (source.handedness === 'none') continue
    const hand = hands[source.handedness]
    if (hand.isSeen) continue // the first one of a side counts
    const ray = frame.getPose(source.targetRaySpace, space)
    if (ray) hand.ray.fromArray(ray.transform.matrix)
    hand.isBare = source.hand !== undefined
    hand.gamepad = source.gamepad
    if (source.hand) readBareHand(hand, source.hand, frame, space)
    else
      readController(hand, source, frame.getPose(source.gripSpace ?? source.targetRaySpace, space))
  }
  for (const hand of Object.values(hands)) if (!hand.isSeen) rest(hand)
}

function rest(hand: XrHand): void {
  hand.isHolding = hand.isSelecting = false
  hand.stick = { x: 0, y: 0 }
}

function readController(hand: XrHand, source: XRInputSource, pose: XRPose | undefined): void {
  if (!pose) return
  hand.isSeen = true
  hand.grip.fromArray(pose.transform.matrix)
  hand.point.setFromMatrixPosition(hand.grip)
  const [trigger, squeeze] = source.gamepad?.buttons ?? []
  hand.isSelecting = (trigger?.value ?? 0) > DOWN
  hand.isHolding = (squeeze?.value ?? 0) > DOWN
  const axes = source.gamepad?.axes ?? []
  hand.stick = { x: axes[2] ?? axes[0] ?? 0, y: axes[3] ?? axes[1] ?? 0 }
}

function readBareHand(hand: XrHand, joints: XRHand, frame: XRFrame, space: XRReferenceSpace): void {
  let index = 0
  for (const joint of joints.values()) {
    const pose = frame.getJointPose?.(joint, space)
    if (!pose) return
    const { position: p, orientation: q } = pose.transform
    hand.joints.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w], index * NUMBERS)
    hand.radii[index] = pose.radius || USUAL_RADIUS
    if (index === 0) hand.grip.fromArray(pose.transform.matrix)
    index += 1
  }
  if (index !== N_JOINTS) return
  hand.isSeen = true
  const thumb = jointPlace(hand, THUMB_TIP)
  const tip = jointPlace(hand, INDEX_TIP)
  hand.isHolding = thumb.distanceTo(tip) < (hand.isHolding ? OPEN_DISTANCE : PINCH_DISTANCE)
  hand.isSelecting = hand.isHolding
  hand.point.addVectors(thumb, tip).multiplyScalar(0.5)
  hand.stick = { x: 0, y: 0 }
}

export function jointPlace(hand: XrHand, index: number, out = new Vector3()): Vector3 {
  return out.fromArray(hand.joints, index * NUMBERS)
}

/** Send a hand to the room; nothing while it is not tracked. */
export function tellHand(feed: Feed, hand: XrHand): void {
  const controller: DeviceName = `${hand.role}_controller`
  const bare: DeviceName = `${hand.role}_tracked_hand`
  const isThere = hand.isSeen
  feed.setPresent(controller, isThere && !hand.isBare ? `${title(hand)} controller` : undefined)
  feed.setPresent(bare, isThere && hand.isBare ? `${title(hand)} hand` : undefined)
  if (!isThere) return
  if (hand.isBare) feed.send(bare, { joints: Array.from(hand.joints) })
  else feed.send(controller, controllerData(hand))
}

function controllerData({ grip, gamepad }: XrHand): Record<string, unknown> {
  return {
    ...poseData(grip),
    axes: (gamepad?.axes ?? []).map((value) => value || 0), // one that is not there may be NaN
    buttons: gamepad?.buttons.map((button) => button.value) ?? [],
  }
}

/** A pose as WebXR has it. */
export function poseData(pose: Matrix4): { position: number[]; orientation: number[] } {
  const position = new Vector3()
  const orientation = new Quaternion()
  pose.decompose(position, orientation, new Vector3())
  return { position: position.toArray(), orientation: orientation.toArray() }
}

function title(hand: XrHand): string {
  return hand.role === 'left' ? 'Left' : 'Right'
}
