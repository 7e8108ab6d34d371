import type { Close, RoomView } from '../app'
import { closeAll } from '../listeners'
import { makeGlows } from './glows'
import type { OverlayContext } from './overlay'

/** A link flashes when its joint comes to the end of its stroke, and glows while it is there. */
export function drawStops(context: OverlayContext): Close {
  const { room } = context
  const glows = makeGlows(context, { colour: '#ff9d2e', flash: 0.85, steady: 0.3, fade: 2.2 })
  let before = new Set<string>()
  const light = () => {
    const there = bodiesAtStop(room)
    for (const name of there) if (!before.has(name)) glows.set(name, true)
    for (const name of before) if (!there.has(name)) glows.set(name, false)
    before = there
  }
  light()
  return closeAll([glows.close, room.onStates(light)])
}

function bodiesAtStop(room: RoomView): Set<string> {
  const bodies = new Set<string>()
  for (const state of room.states.values())
    state.at_stop.forEach((isAt, k) => {
      const body = isAt ? room.joint(state.name, k)?.body : undefined
      if (body && room.node(body)) bodies.add(body)
    })
  return bodies
}
