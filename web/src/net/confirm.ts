import type { App, Close } from '../app'

const CONFIRM_PERIOD_S = 0.04 // the server sends some frames ahead

/** Tell the room which tick is on the screen, so that it sends no more than can be drawn. */
export function confirmFrames({
  stage,
  room,
  connection,
}: Pick<App, 'stage' | 'room' | 'connection'>): Close {
  let frames = stage.frames
  let coming = -1 // the tick that the picture under way shows
  let confirmed = -1
  let confirmedAt = Number.NEGATIVE_INFINITY
  return stage.onFrame((_, now) => {
    if (stage.frames !== frames && coming !== confirmed && now - confirmedAt >= CONFIRM_PERIOD_S) {
      confirmed = coming
      confirmedAt = now
      connection.send({ kind: 'moved', tick: confirmed })
    }
    frames = stage.frames
    coming = room.tick
  })
}
