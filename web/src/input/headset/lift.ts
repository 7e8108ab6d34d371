// How high one is: “I sit”, “I stand” and the height one wishes act at once, wherever one is.

import { liftOf, type Settings } from './settings'

/** One stands on the floor, sits in a seat of the room, or is where real things are (then only the height acts). */
export type Stance = 'standing' | 'sitting' | 'matched'

export interface Lift {
  /** Be at another place, with one's own eyes so high (m); returns the lift of the floor there, m. */
  begin(stance: Stance, eyes: number): number
  /** Follow the settings. */
  update(eyes: number): void
}

/** `raise` lifts the floor of the headset by some metres. */
export function makeLift(settings: Readonly<Settings>, raise: (by: number) => void): Lift {
  let stance: Stance = 'matched'
  let followed = { isSeated: settings.isSeated, height: settings.height }
  let lift = 0 // m, of the floor, where one stands
  let calibrated = 0 // m, one's own eyes when the seat was taken

  const follow = () => {
    const { isSeated, height } = settings
    const change = { pose: isSeated !== followed.isSeated, height: height - followed.height }
    followed = { isSeated, height }
    return change
  }
  return {
    begin(next, eyes) {
      follow()
      stance = next
      calibrated = eyes
      lift = next === 'standing' ? liftOf(settings, eyes) : 0
      return lift
    },
    update(eyes) {
      const change = follow()
      if (!change.pose && change.height === 0) return
      if (stance === 'standing') {
        const before = lift
        lift = liftOf(settings, eyes)
        return raise(lift - before)
      }
      // In a seat eyes belong where those of its viewpoint are, however high one's own have become.
      const sunk = stance === 'sitting' && change.pose ? calibrated - eyes : 0
      if (stance === 'sitting' && change.pose) calibrated = eyes
      raise(change.height + sunk)
    },
  }
}
