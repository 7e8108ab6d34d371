import { type Glow, makeGlow } from './glow'
import type { OverlayKind } from './overlay'

const TOUCHING = 0.45
const FADE = 2 // 1/s

/** Things that touch glow red. */
export const contacts: OverlayKind = {
  name: 'contacts',
  title: 'Contacts',
  icon: 'contact',
  isOnAtFirst: true,
  start({ connection, room, stage }) {
    const lit = new Map<string, { glow: Glow; touches: number }>() // by node
    const touch = (name: string, isTouching: boolean) => {
      const node = room.node(name)
      const entry = lit.get(name) ?? (node && { glow: makeGlow(room, node, '#ff3b3b'), touches: 0 })
      if (!entry) return
      lit.set(name, entry)
      entry.touches = Math.max(0, entry.touches + (isTouching ? 1 : -1))
      if (isTouching) entry.glow.strength = 1
      stage.redraw()
    }
    const clear = () => {
      for (const { glow } of lit.values()) glow.close()
      lit.clear()
    }
    const closes = [
      connection.on('happened', ({ what, names, state }) => {
        if (what === 'collision') for (const name of names) touch(name, state)
      }),
      connection.on('room', clear),
      stage.onFrame((dt) => {
        for (const [name, { glow, touches }] of lit) {
          const goal = touches > 0 ? TOUCHING : 0
          glow.strength = Math.max(goal, glow.strength - FADE * dt)
          glow.update()
          if (glow.strength !== goal) stage.redraw()
          if (glow.strength > 0) continue
          glow.close()
          lit.delete(name)
        }
      }),
    ]
    return () => {
      for (const close of closes) close()
      clear()
    }
  },
}
