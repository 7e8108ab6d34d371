import type { Close } from '../app'
import { closeAll } from '../listeners'
import { makeGlows } from './glows'
import type { OverlayContext } from './overlay'
import { drawRobotTouches } from './touches'

/** Things that touch flash red, and red dots mark where robots touch what stops them. */
export function drawContacts(context: OverlayContext): Close {
  const { connection } = context
  const glows = makeGlows(context, { colour: '#ff3b3b', flash: 1, steady: 0.1, fade: 2 })
  const touches = new Map<string, number>() // by node: with how many things
  const touch = (name: string, isTouching: boolean) => {
    const count = Math.max(0, (touches.get(name) ?? 0) + (isTouching ? 1 : -1))
    touches.set(name, count)
    if (isTouching || count === 0) glows.set(name, isTouching)
  }
  return closeAll([
    glows.close,
    drawRobotTouches(context),
    connection.on('happened', ({ what, names, state }) => {
      if (what === 'collision') for (const name of names) touch(name, state)
    }),
    connection.on('room', () => {
      touches.clear()
      glows.clear()
    }),
  ])
}
