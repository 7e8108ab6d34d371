import type { App, Close } from './app'

/** Tell the room which tick is on the screen, so that it sends no more than can be drawn. */
export function confirmFrames({
  stage,
  room,
  connection,
}: Pick<App, 'stage' | 'room' | 'connection'>): Close {
  let frames = stage.frames
  let coming = -1 // the tick that the picture under way shows
  let told = -1
  return stage.onFrame(() => {
    if (stage.frames !== frames && coming !== told) {
      told = coming
      connection.send({ kind: 'moved', tick: told })
    }
    frames = stage.frames
    coming = room.tick
  })
}
