// How a person wants to be in the room with a headset on. It is kept from one visit to the next.

import { recall, remember } from '../../remembered'

const REMEMBERED = 'headset'
const MAX_HEIGHT = 0.6 // m by which somebody can be lifted or lowered

export type Turning = 'steps_30' | 'steps_45' | 'smooth'
export type Moving = 'teleport' | 'smooth'

export interface Settings {
  isLeftHanded: boolean // the left hand drives, points and travels; the menu is at the right wrist
  turning: Turning
  moving: Moving
  hasVignette: boolean // the rim is dark while one moves
  hasHints: boolean // what the buttons do, beside the controllers
  isSeated: boolean // one sits, and is lifted to the eyes of somebody who stands
  height: number // m, added to one's own
}

export const DEFAULTS: Settings = {
  isLeftHanded: false,
  turning: 'steps_30',
  moving: 'teleport',
  hasVignette: true,
  hasHints: true,
  isSeated: false,
  height: 0,
}

export interface KeptSettings extends Readonly<Settings> {
  set<K extends keyof Settings>(name: K, value: Settings[K]): void
}

export function makeSettings(): KeptSettings {
  const kept: Settings = { ...DEFAULTS, ...recall<Partial<Settings>>(REMEMBERED) }
  return Object.assign(kept, {
    set<K extends keyof Settings>(name: K, value: Settings[K]) {
      kept[name] = value
      kept.height = Math.max(-MAX_HEIGHT, Math.min(MAX_HEIGHT, kept.height))
      remember(REMEMBERED, { ...kept })
    },
  })
}

const STANDING_EYES = 1.62 // m above the floor: between the means of women and of men

/** How far the floor of the headset lies below that of the room, for eyes at a height of their own. */
export function liftOf({ isSeated, height }: Settings, eyes: number): number {
  return height + (isSeated ? Math.max(0, STANDING_EYES - eyes) : 0)
}

/** The value after this one, in a ring. */
export function nextOf<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length] ?? value
}
