import type { App, Close } from './app'

const PAUSE = 0.04 // s between two words; the room sends some pictures ahead

/** Tell the room which tick is on the screen, so that it sends no more than can be drawn. */
export function confirmFrames({
  stage,
  room,
  connection,
}: Pick<App, 'stage' | 'room' | 'connection'>): Close {
  let frames = stage.frames
  let coming = -1 // the tick that the picture under way shows
  let told = -1
  let toldAt = Number.NEGATIVE_INFINITY
  return stage.onFrame((_, now) => {
    if (stage.frames !== frames && coming !== told && now - toldAt >= PAUSE) {
      told = coming
      toldAt = now
      connection.send({ kind: 'moved', tick: told })
    }
    frames = stage.frames
    coming = room.tick
  })
}
