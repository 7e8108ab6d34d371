import type { RoomView } from '../app'
import { type Glow, makeGlow } from './glow'
import type { OverlayKind } from './overlay'

const FLASH = 0.85
const STEADY = 0.3
const FADE = 2.2 // 1/s

/** A link flashes when its joint comes to the end of its stroke, and glows while it is there. */
export const stops: OverlayKind = {
  name: 'stops',
  title: 'Ends of stroke',
  icon: 'warning',
  isOnAtFirst: true,
  start({ room, stage }) {
    const lit = new Map<string, Glow & { isThere: boolean }>() // by node
    const light = () => {
      const there = bodiesAtStop(room)
      for (const name of there) {
        const node = room.node(name)
        if (!node || lit.get(name)?.isThere) continue
        lit.get(name)?.close()
        lit.set(
          name,
          Object.assign(makeGlow(room, node, '#ff9d2e'), { strength: FLASH, isThere: true }),
        )
      }
      for (const [name, glow] of lit) glow.isThere = there.has(name)
    }
    const fade = (dt: number) => {
      for (const [name, glow] of lit) {
        const goal = glow.isThere ? STEADY : 0
        glow.strength = Math.max(goal, glow.strength - FADE * dt)
        glow.update()
        if (glow.strength !== goal) stage.redraw()
        if (glow.strength > 0) continue
        glow.close()
        lit.delete(name)
      }
    }
    const closes = [room.onStates(light), stage.onFrame(fade)]
    return () => {
      for (const close of closes) close()
      for (const glow of lit.values()) glow.close()
    }
  },
}

function bodiesAtStop(room: RoomView): Set<string> {
  const bodies = new Set<string>()
  for (const state of room.states.values())
    state.at_stop.forEach((isAt, k) => {
      const body = isAt ? room.joint(state.name, k)?.body : undefined
      if (body) bodies.add(body)
    })
  return bodies
}
