import type { WebGLRenderer } from 'three'
import { makeLiveliness } from './liveliness'

// When nothing happens, few pictures are drawn: only for changes that did not ask for one.
const MIN_IDLE_PERIOD_MS = 250
const MAX_IDLE_PERIOD_MS = 1000
const IDLE_DRAW_TIME_RATIO = 8 // idle period over the time a picture takes, within these limits

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
  const liveliness = makeLiveliness()
  let began = 0
  let before = 0
  let drawTime = 0
  let rate = 0

  /** Ask the graphics card; otherwise unfinished pictures would pile up. */
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
      return liveliness.isLively(performance.now())
    },
    wake() {
      liveliness.wake(performance.now())
    },
    isDue(now) {
      liveliness.turn()
      if (renderer.xr.isPresenting) return true
      if (!isDone(now)) return false
      if (liveliness.isLively(now)) return true
      const wait = Math.min(MAX_IDLE_PERIOD_MS, IDLE_DRAW_TIME_RATIO * 1000 * drawTime)
      return now - began >= Math.max(MIN_IDLE_PERIOD_MS, wait)
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
