// Joints as people read them: degrees and millimetres, where the room has radians and metres.

import type { JointInfo } from '../net/protocol'
import { tidy } from './dom'

const DEGREE = Math.PI / 180
const FULL_TURN = 360 // degrees each way, of a joint without end
const FREE_STROKE = 1000 // mm each way, of a slide without end

export interface JointScale {
  readonly unit: string
  readonly digits: number
  readonly lower: number // of the slider
  readonly upper: number
  readonly isEndless: boolean
  shown(value: number): number // of what the room says
  /** A shown number as the console wants it: degrees or metres. */
  typed(shown: number): string
}

export function jointScale(joint: JointInfo): JointScale {
  const isSlide = joint.unit === 'm'
  const factor = isSlide ? 1000 : 1 / DEGREE
  const far = isSlide ? FREE_STROKE : FULL_TURN
  return {
    unit: isSlide ? 'mm' : '°',
    digits: 1,
    lower: joint.lower === null ? -far : joint.lower * factor,
    upper: joint.upper === null ? far : joint.upper * factor,
    isEndless: joint.lower === null || joint.upper === null,
    shown: (value) => value * factor,
    typed: (shown) => (isSlide ? plain(shown / 1000, 6) : plain(shown, 4)),
  }
}

/** A number without trailing zeros. */
export function plain(value: number, digits: number): string {
  return String(Number(tidy(value, digits)))
}

/** Numbers in parentheses, as the console reads them. */
export function tuple(values: readonly number[], digits = 4): string {
  return `(${values.map((value) => plain(value, digits)).join(', ')})`
}

/** A name as the console reads it: without quotes around it, and without what ends a part of a line. */
export function tidyName(name: string): string {
  return name
    .replace(/[;"'\n\r]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
