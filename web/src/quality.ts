import type { Quality } from './app'

/** What draws: a graphics card, or the processor in its place. */
export interface Gpu {
  name: string
  isSoftware: boolean
}

/** What is spent on a picture. */
export interface Level {
  shading: 'full' | 'plain' // with reflections, or daylight alone
  relief: boolean // normal maps
  pixelRatio: number // the most
  shadowSize: number
  shadowPeriod: number // s between shadows of what moves
  lamps: number // the most; each costs every surface
  hasOcclusion: boolean // soft darkness in corners
  smoothing: number // samples a pixel, where the canvas has none itself
}

export const LEVELS: Record<Exclude<Quality, 'auto'>, Level> = {
  low: {
    shading: 'plain',
    relief: false,
    pixelRatio: 1,
    shadowSize: 1024,
    shadowPeriod: 0.25,
    lamps: 2,
    hasOcclusion: false,
    smoothing: 0,
  },
  medium: {
    shading: 'full',
    relief: true,
    pixelRatio: 1.5,
    shadowSize: 2048,
    shadowPeriod: 0,
    lamps: 4,
    hasOcclusion: false,
    smoothing: 4,
  },
  high: {
    shading: 'full',
    relief: true,
    pixelRatio: 2,
    shadowSize: 4096,
    shadowPeriod: 0,
    lamps: 4,
    hasOcclusion: true,
    smoothing: 4,
  },
}

const STEPS = ['high', 'medium', 'low'] as const
const MAX_DRAW_TIME_S = 1 / 38 // of a picture; a longer one for a while means too much is asked
const SLOW_TIMEOUT_S = 2
const MIN_COARSENESS = 0.5 // of a pixel
const MAX_MOTION_DRAW_TIME_S = 0.12 // when drawn without a graphics card

/** Finds out what the machine can do. */
export interface Pace {
  wish: Quality
  readonly level: Level
  /** How coarse pictures in motion are, in 0..1; still ones are always sharp. */
  readonly coarseness: number
  /** Report how long a picture took, in s. */
  tell(drawTime: number): void
}

export function makePace(gpu: Gpu, onChange: () => void): Pace {
  let wish: Quality = 'auto'
  let found: (typeof STEPS)[number] = gpu.isSoftware ? 'low' : 'high'
  let slowFor = 0
  let usual = 0 // s a picture
  let coarseness = 1
  const slowDown = () => {
    const next = STEPS[STEPS.indexOf(found) + 1]
    if (!next) return
    found = next
    onChange()
  }
  return {
    get wish() {
      return wish
    },
    set wish(next) {
      wish = next
      slowFor = 0
      if (next === 'auto') found = gpu.isSoftware ? 'low' : 'high'
      onChange()
    },
    get level() {
      return LEVELS[wish === 'auto' ? found : wish]
    },
    get coarseness() {
      return wish === 'auto' ? coarseness : 1
    },
    tell(drawTime) {
      usual = usual ? usual * 0.8 + drawTime * 0.2 : drawTime
      slowFor = usual > MAX_DRAW_TIME_S ? slowFor + drawTime : 0
      if (wish === 'auto' && !gpu.isSoftware && slowFor > SLOW_TIMEOUT_S) {
        slowFor = usual = 0
        slowDown()
      }
      if (gpu.isSoftware) coarseness = nextCoarseness(coarseness, usual)
    },
  }
}

/** Steps of a quarter, with a gap between going down and up, so that it does not oscillate. */
function nextCoarseness(now: number, usual: number): number {
  if (usual > MAX_MOTION_DRAW_TIME_S) return Math.max(MIN_COARSENESS, now - 0.25)
  return usual < MAX_MOTION_DRAW_TIME_S / 3 ? Math.min(1, now + 0.25) : now
}
