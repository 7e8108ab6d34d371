// A video of what is seen, made by the browser while the recording plays.

import type { App } from '../app'
import { download } from './download'
import type { Playback } from './playback'
import type { Range } from './scale'

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4']
const RATE = 30 // pictures a second
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
      const closeFrames = app.stage.onFrame(() => {
        app.stage.redraw() // a video has pictures at all times
        const isPast = playback.time >= range.end - 1e-6
        if (hasBegun(playback, range) && (isPast || playback.isPaused)) end()
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
      playback.seek(range.start)
      made.start(250)
      window.setTimeout(() => playback.play(), 100) // the first picture is that of the start
      onChange()
    },
    stop: end,
  }
}

/** Whether playback left the start: until then it is paused because it has not begun. */
function hasBegun(playback: Playback, range: Range): boolean {
  return playback.time > range.start + 1e-3
}
