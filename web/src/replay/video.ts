// A video of what is seen, made by the browser while the recording plays.

import type { App } from '../app'
import { download } from './download'
import type { Playback } from './playback'
import type { Range } from './scale'

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4']
const RATE = 30 // pictures a second
const PART_MS = 250 // after which the browser hands out what it has
const NEAR_S = 0.02 // two times that are the same
const BITS_PER_SECOND = 8_000_000

export interface Video {
  readonly isRunning: boolean
  start(range: Range): void
  /** End it early; what was recorded so far is saved. */
  stop(): void
}

/** Plays a range of the recording once, and saves what is drawn meanwhile. */
export function makeVideo(app: App, playback: Playback, onChange: () => void): Video {
  let recorder: MediaRecorder | undefined
  const end = () => {
    if (recorder?.state === 'recording') recorder.stop()
    else if (recorder) recorder.onstop?.(new Event('stop')) // before it began
  }
  return {
    get isRunning() {
      return recorder !== undefined
    },
    start(range) {
      if (recorder) return
      const type = TYPES.find((each) => globalThis.MediaRecorder?.isTypeSupported(each))
      if (!type) {
        app.shell.toast('This browser cannot record a video of the page.', 'problem')
        return
      }
      const parts: Blob[] = []
      const stream = app.stage.canvas.captureStream(RATE)
      const made = new MediaRecorder(stream, {
        mimeType: type,
        videoBitsPerSecond: BITS_PER_SECOND,
      })
      recorder = made
      made.ondataavailable = ({ data }) => parts.push(data)
      let phase: 'seeks' | 'starts' | 'plays' = 'seeks'
      const closeFrames = app.stage.onFrame(() => {
        app.stage.redraw() // a video has pictures at all times
        if (phase === 'seeks' && Math.abs(app.room.time - range.start) < NEAR_S) {
          phase = 'starts'
          made.start(PART_MS)
          playback.play()
        } else if (phase === 'starts') {
          if (!playback.isPaused) phase = 'plays'
        } else if (phase === 'plays')
          if (playback.isPaused || app.room.time >= range.end - NEAR_S) end()
      })
      made.onstop = () => {
        closeFrames()
        for (const track of stream.getTracks()) track.stop()
        recorder = undefined
        playback.pause()
        const suffix = type.startsWith('video/mp4') ? 'mp4' : 'webm'
        download(new Blob(parts, { type }), `${app.connection.welcome?.room || 'room'}.${suffix}`)
        app.shell.toast('The video was saved with your downloads.')
        onChange()
      }
      playback.pause()
      playback.seek(range.start)
      onChange()
    },
    stop: end,
  }
}
