// What the room says, before the eyes of who wears a headset, for a few seconds each.

import type { Matrix4 } from 'three'
import type { App, Close } from '../../app'
import { keepBefore, makeSign } from './signs'

const SHOWN_S = 5
const MAX_WAITING = 4 // older ones are dropped: the menu keeps the last
const PIXEL_SIZE = 0.00085 // m
const WIDTH_PX = 760

export interface Notice {
  say(text: string): void
  update(dt: number, head: Matrix4): void
  readonly close: Close
}

export function makeNotice(app: App): Notice {
  const sign = makeSign(app.stage.rig, PIXEL_SIZE, WIDTH_PX)
  sign.mesh.name = 'notice'
  const waiting: string[] = []
  let left = 0 // s
  return {
    say(text) {
      if (text === sign.text) left = SHOWN_S
      else if (!waiting.includes(text)) waiting.push(text)
      while (waiting.length > MAX_WAITING) waiting.shift()
    },
    update(dt, head) {
      left -= dt
      const isNew = left <= 0
      if (isNew) {
        sign.text = waiting.shift() ?? ''
        left = sign.text ? SHOWN_S : 0
      }
      if (sign.text) keepBefore(sign, head, isNew)
    },
    close: sign.close,
  }
}
