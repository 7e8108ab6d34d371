import type { WebGLRenderer } from 'three'

const LIVELY = 700 // ms at full rate after something happened
// Whoever changes something asks for pictures; the few that come without are for what was forgotten.
const IDLE_PERIOD = 250 // ms between pictures when nothing happens
const IDLE_SHARE = 8 // and so many times what a picture takes, but for
const IDLE_MOST = 1000 // ms

/** Decides when to draw, and how long pictures really take. */
export interface Turns {
  readonly rate: number // pictures a second
  readonly drawTime: number // s
  readonly isLively: boolean
  /** Something happened: draw at full rate for a while. */
  wake(): void
  /** Whether to draw now. Never while the last picture is still being made. */
  isDue(now: number): boolean
  begin(now: number): void
  end(): void
}

export function makeTurns(renderer: WebGLRenderer, onDrawn: (drawTime: number) => void): Turns {
  const context = renderer.getContext() as WebGL2RenderingContext
  let fence: WebGLSync | null = null
  let livelyUntil = 0
  let began = 0
  let before = 0
  let drawTime = 0
  let rate = 0

  /** Ask the graphics card: pictures pile up unseen if one does not. */
  const isDone = (now: number) => {
    if (!fence) return true
    const state = context.clientWaitSync(fence, 0, 0)
    if (state === context.TIMEOUT_EXPIRED) return false
    context.deleteSync(fence)
    fence = null
    drawTime = (now - began) / 1000
    onDrawn(drawTime)
    return true
  }
  return {
    get rate() {
      return rate
    },
    get drawTime() {
      return drawTime
    },
    get isLively() {
      return performance.now() < livelyUntil
    },
    wake() {
      livelyUntil = performance.now() + LIVELY
    },
    isDue(now) {
      if (renderer.xr.isPresenting) return true
      if (!isDone(now)) return false
      if (now < livelyUntil) return true
      const wait = Math.min(IDLE_MOST, IDLE_SHARE * 1000 * drawTime)
      return now - began >= Math.max(IDLE_PERIOD, wait)
    },
    begin(now) {
      before = began
      began = now
      const period = (began - before) / 1000
      if (period > 0) rate = rate ? 0.9 * rate + 0.1 / period : 1 / period
    },
    end() {
      if (!renderer.xr.isPresenting)
        fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0)
    },
  }
}
