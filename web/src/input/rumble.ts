// What a gamepad lets its holder feel: a bump when something in the room is touched.

import type { App, Close } from '../app'

const BUMP = { duration: 120, strongMagnitude: 0.8, weakMagnitude: 0.5 }
const REST_MS = 100 // between two bumps: a thing that rattles does not hum

export function feelRumble(app: App, pads: () => Gamepad[]): Close {
  let feltAt = Number.NEGATIVE_INFINITY
  return app.connection.on('happened', ({ what, state }) => {
    const now = performance.now()
    if (!state || (what !== 'collision' && what !== 'end_of_stroke')) return
    if (!app.control.isMine || now - feltAt < REST_MS) return
    feltAt = now
    for (const pad of pads()) void pad.vibrationActuator?.playEffect('dual-rumble', BUMP)
  })
}
