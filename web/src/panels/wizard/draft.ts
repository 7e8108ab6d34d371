// A robot in the making: a value, changed by functions that return another one, so that undo is a
// list of drafts. All places are those of the robot with its joints at zero, z up, in metres.

import { Matrix4, Quaternion, Vector3 } from 'three'
import type { WizardJoint, WizardPart, WizardRobot, WizardSolid } from '../../net/protocol'

export type Triple = [number, number, number]
export type Draft = Omit<WizardRobot, 'files'>
export type Part = WizardPart
export type Solid = WizardSolid
export type Joint = WizardJoint
export type JointType = Joint['type']
export type ShapeKind = 'box' | 'cylinder' | 'sphere' | 'capsule'

const DEGREE = Math.PI / 180
const RADIUS = 0.04 // m, of the first link; those that follow are slimmer
const MIN_RADIUS = 0.015
const BASE = { radius: 0.09, length: 0.06 } // m
const COLOURS: readonly Triple[] = [
  [0.32, 0.35, 0.4],
  [0.93, 0.93, 0.9],
  [0.95, 0.52, 0.16],
  [0.35, 0.58, 0.85],
  [0.45, 0.7, 0.42],
  [0.78, 0.45, 0.62],
]

export const EMPTY: Draft = { name: 'my_robot', parts: [], tip: null }

export function partOf(draft: Draft, name: string): Part | undefined {
  return draft.parts.find((part) => part.name === name)
}

/** Parts that are held by a joint. */
export function heldParts(draft: Draft): (Part & { held: Joint })[] {
  return draft.parts.filter((part): part is Part & { held: Joint } => part.held !== null)
}

/** A part and all its descendants. */
export function branch(draft: Draft, name: string): Set<string> {
  const found = new Set([name])
  for (let grew = true; grew; ) {
    grew = false
    for (const part of draft.parts) {
      if (!part.held || found.has(part.name) || !found.has(part.held.parent)) continue
      found.add(part.name)
      grew = true
    }
  }
  return found
}

export function freeName(draft: Draft, wish: string): string {
  const taken = new Set(draft.parts.map((part) => part.name))
  if (!taken.has(wish) && wish !== 'tcp') return wish
  for (let number = 2; ; number++) if (!taken.has(`${wish}${number}`)) return `${wish}${number}`
}

function freeJoint(draft: Draft): string {
  const taken = new Set(heldParts(draft).map((part) => part.held.joint))
  for (let number = 1; ; number++) if (!taken.has(`joint${number}`)) return `joint${number}`
}

function freeLink(draft: Draft): string {
  const taken = new Set(draft.parts.map((part) => part.name))
  for (let number = 1; ; number++) if (!taken.has(`link${number}`)) return `link${number}`
}

/** Letters, digits, _ and - only, as files and commands want it. */
export function safeName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .replace(/_+$/, '')
  return plain.slice(0, 40)
}

// -- building -----------------------------------------------------------------------------------

/** One more click: the first is the foot, each other one the end of a link from the one before. */
export function addPoint(draft: Draft, point: Triple): Draft {
  if (draft.parts.length === 0 || draft.tip === null) return addBase(draft, point)
  const from = draft.tip.point
  const length = distance(from, point)
  if (length < 1e-3) return draft
  const links = heldParts(draft).length
  const radius = Math.max(MIN_RADIUS, RADIUS - 0.005 * links)
  const shape = { kind: 'capsule' as const, radius, length }
  const solid: Solid = {
    shape,
    position: middle(from, point),
    quaternion: turnFromZ(subtract(point, from)),
    colour: colourFor(draft),
  }
  return addPart(draft, solid, point)
}

function addBase(draft: Draft, point: Triple): Draft {
  const solid: Solid = {
    shape: { kind: 'cylinder', ...BASE },
    position: [point[0], point[1], point[2] + BASE.length / 2],
    quaternion: [0, 0, 0, 1],
    colour: colourFor(draft),
  }
  const top: Triple = [point[0], point[1], point[2] + BASE.length]
  return addPart(draft, solid, top)
}

/** A simple shape that stands on the end of what there is. */
export function addShape(draft: Draft, kind: ShapeKind): Draft {
  const foot: Triple = draft.tip?.point ?? [0, 0, 0]
  const height = draft.parts.length === 0 ? 0.1 : 0.3
  const radius = draft.parts.length === 0 ? 0.1 : 0.04
  const shapes: Record<ShapeKind, Solid['shape']> = {
    box: { kind: 'box', size: [2 * radius, 2 * radius, height] },
    cylinder: { kind: 'cylinder', radius, length: height },
    capsule: { kind: 'capsule', radius, length: height },
    sphere: { kind: 'sphere', radius: 2 * radius },
  }
  const shape = shapes[kind]
  const tall = kind === 'sphere' ? 4 * radius : height
  const solid: Solid = {
    shape,
    position: [foot[0], foot[1], foot[2] + tall / 2],
    quaternion: [0, 0, 0, 1],
    colour: colourFor(draft),
  }
  return addPart(draft, solid, [foot[0], foot[1], foot[2] + tall])
}

/** A mesh where its file has it; `bounds` in units of the file. */
export function addMesh(
  draft: Draft,
  file: string,
  scale: number,
  bounds: { low: Triple; high: Triple },
): Draft {
  const solid: Solid = {
    shape: { kind: 'file', file, scale },
    position: [0, 0, 0],
    quaternion: [0, 0, 0, 1],
    colour: colourFor(draft),
  }
  const top: Triple = [
    (scale * (bounds.low[0] + bounds.high[0])) / 2,
    (scale * (bounds.low[1] + bounds.high[1])) / 2,
    scale * bounds.high[2],
  ]
  const low: Triple = [top[0], top[1], scale * bounds.low[2]]
  const name = safeName(file.replace(/\.\w+$/, '')) || 'part'
  return addPart(draft, solid, top, { name, point: low })
}

function addPart(
  draft: Draft,
  solid: Solid,
  tip: Triple,
  wish: { name?: string; point?: Triple } = {},
): Draft {
  const isBase = draft.parts.length === 0
  const name = freeName(draft, wish.name ?? (isBase ? 'base' : freeLink(draft)))
  const parent = draft.tip?.part ?? draft.parts[0]?.name ?? ''
  const point = wish.point ?? draft.tip?.point ?? [0, 0, 0]
  const held: Joint | null = isBase
    ? null
    : {
        parent,
        joint: freeJoint(draft),
        type: 'revolute',
        point,
        axis: usualAxis(draft, point, tip),
        lower: -120 * DEGREE,
        upper: 120 * DEGREE,
        velocity: null,
      }
  return {
    ...draft,
    parts: [...draft.parts, { name, solids: [solid], held }],
    tip: { part: name, point: tip },
  }
}

/** The first joint turns upright, the others bend across what they carry. */
function usualAxis(draft: Draft, from: Triple, to: Triple): Triple {
  if (heldParts(draft).length === 0) return [0, 0, 1]
  const [x, y] = subtract(to, from).map(Math.abs) as Triple
  return y > x ? [1, 0, 0] : [0, 1, 0]
}

function colourFor(draft: Draft): Triple {
  return COLOURS[draft.parts.length % COLOURS.length] ?? [0.7, 0.7, 0.7]
}

// -- changing -----------------------------------------------------------------------------------

function changePart(draft: Draft, name: string, change: Partial<Part>): Draft {
  return {
    ...draft,
    parts: draft.parts.map((part) => (part.name === name ? { ...part, ...change } : part)),
  }
}

export function changeSolid(draft: Draft, name: string, change: Partial<Solid>): Draft {
  const part = partOf(draft, name)
  const [first, ...others] = part?.solids ?? []
  return first ? changePart(draft, name, { solids: [{ ...first, ...change }, ...others] }) : draft
}

export function changeJoint(draft: Draft, name: string, change: Partial<Joint>): Draft {
  const part = partOf(draft, name)
  return part?.held ? changePart(draft, name, { held: { ...part.held, ...change } }) : draft
}

/** Another type of joint gets a range that suits it. */
export function changeType(draft: Draft, name: string, type: JointType): Draft {
  const ranges: Record<JointType, [number | null, number | null]> = {
    revolute: [-120 * DEGREE, 120 * DEGREE],
    prismatic: [0, 0.3],
    fixed: [null, null],
  }
  const [lower, upper] = ranges[type]
  return changeJoint(draft, name, { type, lower, upper })
}

export function renamePart(draft: Draft, name: string, wish: string): Draft {
  const plain = safeName(wish)
  if (!plain || plain === name) return draft
  const next = freeName(
    { ...draft, parts: draft.parts.filter((part) => part.name !== name) },
    plain,
  )
  return {
    ...draft,
    parts: draft.parts.map((part) => ({
      ...part,
      name: part.name === name ? next : part.name,
      held: part.held && {
        ...part.held,
        parent: part.held.parent === name ? next : part.held.parent,
      },
    })),
    tip: draft.tip && { ...draft.tip, part: draft.tip.part === name ? next : draft.tip.part },
  }
}

/** Remove a part; its children move to its parent. Without the base, its first child is the base. */
export function removePart(draft: Draft, name: string): Draft {
  const gone = partOf(draft, name)
  const left = draft.parts.filter((part) => part.name !== name)
  const heir = gone?.held?.parent ?? left.find((part) => part.held?.parent === name)?.name
  const parts = left.map((part) => {
    if (part.held?.parent !== name) return part
    return { ...part, held: part.name === heir ? null : { ...part.held, parent: heir ?? '' } }
  })
  const end =
    draft.tip?.part === name && gone?.held
      ? { part: gone.held.parent, point: gone.held.point }
      : draft.tip
  return { ...draft, parts, tip: end && parts.some((part) => part.name === end.part) ? end : null }
}

// -- moving -------------------------------------------------------------------------------------

export type Joints = ReadonlyMap<string, number> // by part: rad or m

/** Where each part goes, as a matrix that takes its points from the drawing to the posture. */
export function placeParts(draft: Draft, joints: Joints): Map<string, Matrix4> {
  const placed = new Map<string, Matrix4>()
  const place = (part: Part, depth: number): Matrix4 => {
    const known = placed.get(part.name)
    if (known) return known
    const above = part.held && partOf(draft, part.held.parent)
    const matrix =
      above && depth < draft.parts.length ? place(above, depth + 1).clone() : new Matrix4()
    if (part.held) matrix.multiply(motion(part.held, joints.get(part.name) ?? 0))
    placed.set(part.name, matrix)
    return matrix
  }
  for (const part of draft.parts) place(part, 0)
  return placed
}

function motion(held: Joint, value: number): Matrix4 {
  const axis = new Vector3(...held.axis).normalize()
  if (held.type === 'prismatic') return new Matrix4().makeTranslation(axis.multiplyScalar(value))
  if (held.type === 'fixed') return new Matrix4()
  const point = new Vector3(...held.point)
  const back = new Matrix4().makeTranslation(point.clone().negate())
  return new Matrix4()
    .makeTranslation(point)
    .multiply(new Matrix4().makeRotationAxis(axis, value))
    .multiply(back)
}

/** From a part down to the base. */
export function wayDown(draft: Draft, name: string): (Part & { held: Joint })[] {
  const way: (Part & { held: Joint })[] = []
  for (
    let part = partOf(draft, name);
    part?.held && way.length < draft.parts.length;
    part = partOf(draft, part.held.parent)
  )
    way.push(part as Part & { held: Joint })
  return way
}

/** Inside the range of a joint, zero or the nearest to it. */
export function withinRange(held: Joint, value: number): number {
  return Math.min(
    Math.max(value, held.lower ?? Number.NEGATIVE_INFINITY),
    held.upper ?? Number.POSITIVE_INFINITY,
  )
}

// -- places -------------------------------------------------------------------------------------

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...subtract(a, b))
}

export function subtract(a: readonly number[], b: readonly number[]): Triple {
  return [0, 1, 2].map((i) => (a[i] ?? 0) - (b[i] ?? 0)) as Triple
}

function middle(a: Triple, b: Triple): Triple {
  return [0, 1, 2].map((i) => ((a[i] ?? 0) + (b[i] ?? 0)) / 2) as Triple
}

/** The rotation that takes z to a direction. */
export function turnFromZ(direction: Triple): [number, number, number, number] {
  const turn = new Quaternion().setFromUnitVectors(
    new Vector3(0, 0, 1),
    new Vector3(...direction).normalize(),
  )
  return turn.toArray() as [number, number, number, number]
}

/** Round to a grid, without a minus zero. */
export function snap(value: number, grid: number): number {
  return Number((Math.round(value / grid) * grid).toFixed(6)) + 0
}

/** A unit direction, replaced by an axis if it is nearly one. */
export function snapAxis(direction: Triple, within = 15 * DEGREE): Triple {
  const length = Math.hypot(...direction) || 1
  const unit = direction.map((value) => value / length) as Triple
  for (const i of [0, 1, 2]) {
    if (Math.abs(unit[i] ?? 0) < Math.cos(within)) continue
    return [0, 1, 2].map((k) => (k === i ? Math.sign(unit[i] ?? 1) : 0)) as Triple
  }
  return unit.map((value) => snap(value, 1e-4)) as Triple
}
