// Several windows of one wall in step: each shows a moment of the room the same time after it was,
// however long its way to the window took. How the clocks differ need not be known: of all messages
// the one that took least time tells when a moment of the room is, here.

const WINDOW_S = 2 // in which the quickest message is looked for

export interface Playout<T> {
  /** Keep something until it is due; `time` is that of the room, `now` ours, both in s. */
  put(item: T, time: number, now: number): void
  /** What is due now, oldest first. */
  take(now: number): T[]
}

export function makePlayout<T>(delay: number): Playout<T> {
  const waiting: { item: T; time: number }[] = []
  let lags: { lag: number; at: number }[] = [] // of the messages of the last seconds
  let last = Number.NEGATIVE_INFINITY
  return {
    put(item, time, now) {
      if (time < last) {
        waiting.length = 0 // the room was started anew
        lags = []
      }
      last = time
      lags = lags.filter(({ at }) => now - at < WINDOW_S)
      lags.push({ lag: now - time, at: now })
      waiting.push({ item, time })
    },
    take(now) {
      const quickest = Math.min(...lags.map(({ lag }) => lag))
      const due: T[] = []
      while (waiting[0] && waiting[0].time + quickest + delay <= now + 1e-9) {
        const next = waiting.shift()
        if (next) due.push(next.item)
      }
      return due
    },
  }
}

type OnBinary = (handler: (buffer: ArrayBuffer) => void) => () => void

/** Frames as they come, each `delay` s after the moment of the room that it shows. */
export function delayFrames(
  onBinary: OnBinary,
  delay: number,
  timeOf: (buffer: ArrayBuffer) => number | undefined,
): OnBinary {
  if (!(delay > 0)) return onBinary
  return (handler) => {
    const playout = makePlayout<ArrayBuffer>(delay)
    let request = 0
    const turn = () => {
      for (const buffer of playout.take(performance.now() / 1000)) handler(buffer)
      request = requestAnimationFrame(turn)
    }
    request = requestAnimationFrame(turn)
    const close = onBinary((buffer) => {
      const time = timeOf(buffer)
      if (time !== undefined) playout.put(buffer, time, performance.now() / 1000)
    })
    return () => {
      cancelAnimationFrame(request)
      close()
    }
  }
}
