// What hands feel: a pulse when they take hold, and when what they drive or carry touches something.

import type { App, Close } from '../../app'
import type { Side, XrHand } from './hands'

export type Pulse = 'touch' | 'bump'

const STRENGTH: Record<Pulse, number> = { touch: 0.5, bump: 0.9 }
const DURATION_MS: Record<Pulse, number> = { touch: 30, bump: 60 }
const REST_MS = 150 // between two pulses: a thing that rattles does not hum

/** Let a hand feel something; a bare one cannot. */
export function pulse({ gamepad }: XrHand, kind: Pulse): void {
  void gamepad?.hapticActuators?.[0]?.pulse(STRENGTH[kind], DURATION_MS[kind])
}

/** Hands feel the contacts that the room tells of: the one that holds something, or else the one that drives. */
export function feelContacts(app: App, hands: Record<Side, XrHand>): Close {
  let feltAt = Number.NEGATIVE_INFINITY
  let known = new Set<string>()
  const feel = () => {
    const now = performance.now()
    if (!app.control.isMine || now - feltAt < REST_MS) return
    feltAt = now
    const both = Object.values(hands).filter((hand) => hand.isSeen)
    const holding = both.filter((hand) => hand.isHolding)
    for (const hand of holding.length ? holding : both.filter((each) => each.role === 'right'))
      pulse(hand, 'bump')
  }
  const closeHappened = app.connection.on('happened', ({ what, state }) => {
    if (state && (what === 'collision' || what === 'end_of_stroke')) feel()
  })
  const closeTouches = app.connection.on('touches', ({ contacts }) => {
    const pairs = new Set(contacts.map(({ first, second }) => `${first}|${second}`))
    if ([...pairs].some((pair) => !known.has(pair))) feel()
    known = pairs
  })
  return () => {
    closeHappened()
    closeTouches()
  }
}
