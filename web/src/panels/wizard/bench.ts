// What the steps of the wizard share: the draft with its history, what is chosen, what the hand does.

import { makeListeners } from '../../listeners'
import type { MeshFile } from './bodies'
import {
  type Draft,
  EMPTY,
  heldParts,
  type Joints,
  partOf,
  type Triple,
  withinRange,
} from './draft'
import type { Hit, Tool, WorkPlane } from './workshop_state'

const MAX_HISTORY = 200 // drafts

export interface Bench {
  readonly draft: Draft
  readonly joints: Joints
  readonly chosen: string // a part; '' for none
  readonly files: Map<string, MeshFile>
  tool: Tool
  plane: WorkPlane
  canUndo: boolean
  canRedo: boolean
  /** Another draft. `isPassing` while something is dragged: only the last one is remembered. */
  edit(next: Draft, isPassing?: boolean): void
  undo(): void
  redo(): void
  choose(part: string): void
  pose(joints: Joints): void
  onChange(handler: () => void): () => void
  refresh(): void
}

/** One step of the wizard. */
export interface Step {
  readonly id: string
  readonly title: string
  readonly element: HTMLElement
  enter(): void
  show(): void // what the bench has
  problem(): string // why one cannot go on; '' when one can
  onClick?(hit: Hit): void
  onHandle?(point: Triple, isDone: boolean): void
  handle?(): Triple | undefined
}

export function makeBench(): Bench {
  const changes = makeListeners()
  let past: Draft[] = []
  let future: Draft[] = []
  let draft = EMPTY
  let passing: Draft | undefined // what it was before something was dragged
  let joints: Joints = new Map()
  let chosen = ''
  const settle = () => {
    if (!partOf(draft, chosen)) chosen = ''
    joints = new Map(
      heldParts(draft).map((part) => [
        part.name,
        withinRange(part.held, joints.get(part.name) ?? 0),
      ]),
    )
    changes.tell()
  }
  return {
    files: new Map(),
    tool: 'points',
    plane: 'upright',
    get draft() {
      return draft
    },
    get joints() {
      return joints
    },
    get chosen() {
      return chosen
    },
    get canUndo() {
      return past.length > 0
    },
    get canRedo() {
      return future.length > 0
    },
    edit(next, isPassing = false) {
      if (next === draft && !passing) return
      if (isPassing) passing ??= draft
      else {
        past = [...past, passing ?? draft].slice(-MAX_HISTORY)
        passing = undefined
        future = []
      }
      draft = next
      settle()
    },
    undo() {
      const before = past.pop()
      if (!before) return
      future.push(draft)
      draft = before
      settle()
    },
    redo() {
      const after = future.pop()
      if (!after) return
      past.push(draft)
      draft = after
      settle()
    },
    choose(part) {
      if (chosen === part) return
      chosen = part
      changes.tell()
    },
    pose(next) {
      joints = next
      changes.tell()
    },
    onChange: changes.on,
    refresh: () => changes.tell(),
  }
}
