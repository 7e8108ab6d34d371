// What the workshop shows, and what it reports.

import type { Vector3 } from 'three'
import type { Draft, Joints, Solid, Triple } from './draft'

export type Tool = 'points' | 'choose' | 'axes' | 'drag'
export type WorkPlane = 'upright' | 'flat'

/** What was clicked. */
export interface Hit {
  readonly part?: string
  readonly solid?: Solid
  readonly axis?: Triple // an arrow
  readonly joint?: string // a line: the part that the joint holds
  readonly point: Triple // of the robot
  readonly normal: Triple
}

export interface WorkshopState {
  readonly draft: Draft
  readonly joints: Joints
  readonly chosen: string // a part
  readonly tool: Tool
  readonly plane: WorkPlane
  readonly handle: Triple | undefined // where the arrows are that move something
}

export interface WorkshopEvents {
  onClick(hit: Hit): void
  onDrag(grabbed: { part: string; point: Vector3 }, target: Vector3): void
  onHandle(point: Triple, isDone: boolean): void
  onHover(point: Triple | undefined): void
}
