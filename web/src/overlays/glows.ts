import type { Close } from '../app'
import { type Glow, makeGlow } from './glow'
import type { OverlayContext } from './overlay'

interface Light {
  colour: string
  flash: number // 0..1, when it begins
  steady: number // 0..1, while it lasts
  fade: number // 1/s
}

/** Nodes that light up when something happens to them, and glow for as long as it lasts. */
interface Glows {
  /** Start (or restart, with a new flash) or end the glow of a node. */
  set(name: string, isOn: boolean): void
  clear(): void
  close: Close
}

interface Lit {
  glow: Glow
  isOn: boolean
}

export function makeGlows(
  { room, stage }: Pick<OverlayContext, 'room' | 'stage'>,
  { colour, flash, steady, fade }: Light,
): Glows {
  const lit = new Map<string, Lit>() // by node
  const begin = (name: string) => {
    const node = room.node(name)
    if (!node) return
    lit.get(name)?.glow.close() // its shapes may have changed since
    lit.set(name, {
      glow: Object.assign(makeGlow(room, node, colour), { strength: flash }),
      isOn: true,
    })
    stage.redraw()
  }
  const clear = () => {
    for (const { glow } of lit.values()) glow.close()
    lit.clear()
  }
  const closeFrame = stage.onFrame((dt) => {
    for (const [name, { glow, isOn }] of lit) {
      const goal = isOn ? steady : 0
      glow.strength = Math.max(goal, glow.strength - fade * dt)
      glow.update()
      if (glow.strength !== goal) stage.redraw()
      if (glow.strength > 0) continue
      glow.close()
      lit.delete(name)
    }
  })
  return {
    set(name, isOn) {
      const entry = lit.get(name)
      if (isOn) begin(name)
      else if (entry) entry.isOn = false
    },
    clear,
    close() {
      closeFrame()
      clear()
    },
  }
}
