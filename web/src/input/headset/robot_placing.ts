// With passthrough: the robot comes along with the hand, until a trigger leaves it there, say on the
// real table.

import { Vector3 } from 'three'
import type { App, RoomNode } from '../../app'
import type { XrHand } from './hands'
import type { XrRig } from './rig'

const UP = new Vector3(0, 1, 0)

export interface RobotPlacing {
  readonly isOn: boolean
  /** Let the robot come along, or leave it where it is. */
  toggle(): void
  /** Bring the robot to the hand, if it comes along. */
  follow(hand: XrHand): void
}

export function makeRobotPlacing(
  app: App,
  rig: Pick<XrRig, 'put'>,
  say: (words: string) => void,
): RobotPlacing {
  let isOn = false
  return {
    get isOn() {
      return isOn
    },
    toggle() {
      if (!footOf(app)) return say('There is no robot in this room.')
      isOn = !isOn
      say(
        isOn
          ? 'The robot comes along with your hand: bring it to your table, pull the trigger or pinch.'
          : 'The robot stands here.',
      )
    },
    follow(hand) {
      const foot = footOf(app)
      if (isOn && foot && hand.isSeen) putFootAt(foot, rig, hand)
    },
  }
}

/** The foot of the robot that commands mean. */
function footOf({ room }: App): RoomNode | undefined {
  const robot = room.robots.get(room.active) ?? [...room.robots.values()][0]
  return robot && room.nodes[robot.row]
}

/** Be where a foot is at the hand, and looks where the hand points. */
function putFootAt(foot: RoomNode, rig: Pick<XrRig, 'put'>, hand: XrHand): void {
  foot.object.updateWorldMatrix(true, false)
  const at = foot.object.getWorldPosition(new Vector3())
  const ahead = new Vector3(1, 0, 0).transformDirection(foot.object.matrixWorld)
  const pointing = new Vector3(0, 0, -1).transformDirection(hand.ray)
  const yaw = Math.atan2(-ahead.x, -ahead.z) - Math.atan2(-pointing.x, -pointing.z)
  rig.put(at.sub(hand.point.clone().applyAxisAngle(UP, yaw)), yaw)
}
