// What the room asks for, in the headset: what to do now, what was wrong, what is left. The board
// stands above what one works at, and comes along when one turns away from it.

import { type Matrix4, Vector3 } from 'three'
import type { App, Close } from '../../app'
import type { TaskInfo } from '../../net/protocol'
import { face, makeSign } from './signs'

const PIXEL_SIZE = 0.0009 // m
const WIDTH_PX = 760
const AHEAD = 1.25 // m
const ABOVE = 0.42 // m over the eyes
const MAX_ANGLE = 0.6 // rad between the eyes and the board, before it comes along
const FOLLOW = 0.08 // of the way, at each picture

export interface TaskBoard {
  update(head: Matrix4): void
  readonly close: Close
}

/** The words of the board. */
export function taskWords(task: TaskInfo | null): string {
  if (!task) return ''
  if (task.is_stopped) return 'Stopped by the experimenter.'
  const left = task.total > 1 || task.left === 0 ? `${task.left} of ${task.total} left` : ''
  return [task.now, task.wrong && `! ${task.wrong}`, left].filter(Boolean).join('\n')
}

export function makeTaskBoard(app: App): TaskBoard {
  const sign = makeSign(app.stage.rig, PIXEL_SIZE, WIDTH_PX)
  sign.mesh.name = 'task'
  const eye = new Vector3()
  const place = new Vector3()
  const from = new Vector3()
  let isComing = true
  return {
    update(head) {
      const wasShown = sign.text !== ''
      sign.text = taskWords(app.room.task)
      if (!sign.text) return
      eye.setFromMatrixPosition(head)
      place.set(0, 0, -1).transformDirection(head).setY(0)
      if (place.lengthSq() < 1e-4) place.set(0, 0, -1)
      place.normalize().multiplyScalar(AHEAD).add(eye)
      place.y = eye.y + ABOVE
      from.copy(sign.mesh.position).sub(eye).setY(0)
      const angle = from.angleTo(new Vector3().copy(place).sub(eye).setY(0))
      if (angle > MAX_ANGLE || from.length() > 2 * AHEAD) isComing = true
      else if (angle < 0.02) isComing = false
      if (!wasShown || isComing) sign.mesh.position.lerp(place, wasShown ? FOLLOW : 1)
      face(sign.mesh, eye)
    },
    close: sign.close,
  }
}
