// Where the person stands in the room. Tracked devices are reported relative to it, so the room hears of
// every change.

import { Euler, type Group, Matrix4, Quaternion, Vector3 } from 'three'
import type { App, RoomNode } from '../../app'
import { makeLift } from './lift'
import type { Settings } from './settings'

const ROBOT_DISTANCE = 1.1 // m from a robot, for want of a better place
const REPEAT_PERIOD_S = 1 // after which an unchanged position is sent again

export interface XrRig {
  /** Go where the room wants to be seen from; `head` is where the head is in the rig. */
  goHome(head: Matrix4): void
  /** Stand so that the head is above a point of the floor. */
  standAt(point: Vector3, head: Matrix4): void
  turn(angle: number, head: Matrix4): void // rad, to the left
  /** Go by a step in three's world; who sat gets up. */
  move(step: Vector3, head: Matrix4): void
  /** Be where the tracking space has this pose: turned about the vertical, and moved. */
  put(position: Vector3, yaw: number): void
  /** Follow the settings and the seat, if we sit in one, and tell the room; `head` is in the rig. */
  update(head: Matrix4, now: number): void
  restore(): void
}

export function makeXrRig(app: App, settings: Settings, options: { isAr: boolean }): XrRig {
  const { stage, room } = app
  const { rig } = stage
  const before = { position: rig.position.clone(), quaternion: rig.quaternion.clone() }
  const seat = makeSeat(rig)
  const tell = makeTeller(app)
  const eye = new Vector3(0, 0, 0)

  const set = (position: Vector3, yaw: number) => {
    rig.position.copy(position)
    rig.rotation.set(0, yaw, 0)
    rig.updateMatrixWorld(true)
  }
  const lift = makeLift(settings, (by) => {
    set(rig.position.clone().setY(rig.position.y + by), rig.rotation.y)
    seat.fasten()
  })
  const sitIn = (node: RoomNode, head: Matrix4) => {
    const { position, yaw } = viewOf(node)
    const shift = eye.setFromMatrixPosition(head).clone()
    shift.applyAxisAngle(UP, yaw - yawOf(head))
    const at = position.sub(shift)
    if (options.isAr) at.y = 0
    else at.y += settings.height
    set(at, yaw - yawOf(head))
    seat.take(node)
    lift.begin(options.isAr ? 'matched' : 'sitting', eyesOf(head))
  }
  const standBy = (foot: Vector3, head: Matrix4) => {
    const { from, yaw } = standingPlace(app, foot)
    set(new Vector3(), yaw - yawOf(head))
    self.standAt(foot.clone().addScaledVector(from.normalize(), ROBOT_DISTANCE), head)
  }
  const self: XrRig = {
    goHome(head) {
      seat.leave()
      const node = room.node(stage.viewpoint || homeOf(stage.viewpoints))
      if (node) return sitIn(node, head)
      standBy(footOf(app), head)
    },
    standAt(point, head) {
      seat.leave()
      const shift = eye.setFromMatrixPosition(head).setY(0).clone()
      shift.applyAxisAngle(UP, rig.rotation.y)
      const at = point.clone().sub(shift)
      at.y += lift.begin(options.isAr ? 'matched' : 'standing', eyesOf(head))
      set(at, rig.rotation.y)
    },
    move(step, head) {
      const at = rig.position.clone().add(step)
      if (seat.leave() && !options.isAr) at.y = lift.begin('standing', eyesOf(head))
      set(at, rig.rotation.y)
    },
    put(position, yaw) {
      seat.leave()
      lift.begin('matched', 0)
      set(position, yaw)
    },
    turn(angle, head) {
      const at = eye.setFromMatrixPosition(head).clone().applyMatrix4(rig.matrixWorld)
      const arm = rig.position.clone().sub(at).applyAxisAngle(UP, angle)
      set(at.add(arm), rig.rotation.y + angle)
      seat.fasten()
    },
    update(head, now) {
      lift.update(eyesOf(head))
      const place = seat.place()
      if (place) set(new Vector3().setFromMatrixPosition(place), yawOf(place))
      tell(rig, now)
    },
    restore() {
      rig.position.copy(before.position)
      rig.quaternion.copy(before.quaternion)
      rig.updateMatrixWorld(true)
    },
  }
  return self
}

const UP = new Vector3(0, 1, 0)

/** How high eyes are above the floor of the headset, m. */
function eyesOf(head: Matrix4): number {
  return head.elements[13] ?? 0
}

/** The foot of the robot that commands mean, on the floor. */
function footOf({ room }: App): Vector3 {
  const robot = room.robots.get(room.active) ?? [...room.robots.values()][0]
  const foot = new Vector3()
  if (robot) room.nodes[robot.row]?.object.getWorldPosition(foot)
  return foot.setY(0)
}

/** Where somebody stands who was looking on: on that side, facing the foot. */
function standingPlace({ stage }: App, foot: Vector3): { from: Vector3; yaw: number } {
  const from = stage.camera.getWorldPosition(new Vector3()).sub(foot).setY(0)
  if (from.length() < 1e-3) from.set(0, 0, 1)
  return { from, yaw: Math.atan2(from.x, from.z) }
}

/** A node that carries the rig along. */
function makeSeat(rig: Group) {
  let seat: { node: RoomNode; from: Matrix4 } | undefined // and the rig in its frame
  const fasten = () => {
    if (seat) seat.from = seat.node.object.matrixWorld.clone().invert().multiply(rig.matrixWorld)
  }
  return {
    fasten,
    take(node: RoomNode) {
      node.object.updateWorldMatrix(true, false)
      seat = { node, from: new Matrix4() }
      fasten()
    },
    /** Returns whether there was one. */
    leave(): boolean {
      const hadSeat = seat !== undefined
      seat = undefined
      return hadSeat
    },
    /** Where the rig is now, if something carries it. */
    place(): Matrix4 | undefined {
      seat?.node.object.updateWorldMatrix(true, false)
      return seat?.node.object.matrixWorld.clone().multiply(seat.from)
    },
  }
}

/** Tells the room where the tracking space is, when it has changed and from time to time. */
function makeTeller(app: App): (rig: Group, now: number) => void {
  let sent = ''
  let sentAt = Number.NEGATIVE_INFINITY
  return (rig, now) => {
    const look = lookOf(rig.position, rig.rotation.y)
    const words = JSON.stringify([look, app.control.isMine]) // a new driver's room is unknown
    if (words === sent && now - sentAt < REPEAT_PERIOD_S) return
    sent = words
    sentAt = now
    app.connection.send({ kind: 'look', ...look })
  }
}

/** The seat, or the first viewpoint there is. */
function homeOf(viewpoints: readonly string[]): string {
  return viewpoints.find((name) => /seat|chair/i.test(name)) ?? viewpoints[0] ?? ''
}

/** Where a viewpoint is in three's world, and which way it looks: along its x axis. */
function viewOf(node: RoomNode): { position: Vector3; yaw: number } {
  node.object.updateWorldMatrix(true, false)
  const ahead = new Vector3(1, 0, 0).transformDirection(node.object.matrixWorld)
  const position = new Vector3().setFromMatrixPosition(node.object.matrixWorld)
  return { position, yaw: Math.atan2(-ahead.x, -ahead.z) }
}

/** How far a pose is turned to the left about the vertical. */
function yawOf(pose: Matrix4): number {
  return new Euler().setFromRotationMatrix(pose, 'YXZ').y
}

/**
 * The person's room in the world, as the room wants it: there x is forwards and z up, and a rig that
 * is not turned looks along three's -z, which is the room's y.
 */
function lookOf(
  position: Vector3,
  yaw: number,
): { position: [number, number, number]; quaternion: [number, number, number, number] } {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), yaw + Math.PI / 2)
  return {
    position: [position.x, -position.z, position.y],
    quaternion: [turn.x, turn.y, turn.z, turn.w],
  }
}
