import { Quaternion, Vector3 } from 'three'
import { button, choice, el, numberField, row, toggle } from '../dom'
import type { Bench, Step } from './bench'
import {
  branch,
  changeJoint,
  changeType,
  heldParts,
  type Joint,
  type JointType,
  type Part,
  partOf,
  safeName,
  snap,
  snapAxis,
  type Triple,
} from './draft'
import { pointFields } from './point_fields'
import type { Hit } from './workshop_state'

const DEGREE = Math.PI / 180
const TYPES = [
  { value: 'revolute', label: 'turns about the axis' },
  { value: 'prismatic', label: 'slides along the axis' },
  { value: 'fixed', label: 'is fixed' },
]
const AXES: readonly [string, Triple][] = [
  ['X', [1, 0, 0]],
  ['Y', [0, 1, 0]],
  ['Z', [0, 0, 1]],
]

/** The joints: each part but the base is held by one. */
export function makeJointsStep(bench: Bench): Step {
  const list = el('ul', { class: 'p-list w-parts', 'aria-label': 'Joints', 'data-id': 'joints' })
  const details = el('div', { class: 'w-details' })
  const show = () => {
    list.replaceChildren(...heldParts(bench.draft).map((part) => jointLine(bench, part)))
    const part = partOf(bench.draft, bench.chosen)
    details.replaceChildren(
      ...(part?.held
        ? jointDetails(bench, part, part.held)
        : [el('p', { class: 'p-hint' }, 'Choose a joint, here or in the picture.')]),
    )
  }
  return {
    id: 'joints',
    title: 'Joints',
    element: el(
      'div',
      { class: 'w-step' },
      el(
        'p',
        { class: 'p-hint' },
        'Click a coloured arrow to turn the axis that way, or a surface to put the axis there. Drag the orange axis to move it.',
      ),
      list,
      details,
    ),
    enter() {
      bench.tool = 'axes'
      const chosen = partOf(bench.draft, bench.chosen)
      if (!chosen?.held) bench.choose(heldParts(bench.draft)[0]?.name ?? '')
      bench.refresh()
    },
    show,
    problem() {
      const wrong = heldParts(bench.draft).find(
        ({ held }) =>
          held.type !== 'fixed' &&
          held.lower !== null &&
          held.upper !== null &&
          held.lower >= held.upper,
      )
      if (wrong) return `The range of ${wrong.held.joint} must go from low to high.`
      return heldParts(bench.draft).some(({ held }) => held.type !== 'fixed')
        ? ''
        : 'Let at least one joint turn or slide.'
    },
    onClick(hit) {
      if (hit.axis) return bench.edit(changeJoint(bench.draft, bench.chosen, { axis: hit.axis }))
      if (hit.joint) return bench.choose(hit.joint)
      if (partOf(bench.draft, bench.chosen)?.held && hit.part)
        bench.edit(changeJoint(bench.draft, bench.chosen, axisAt(hit)))
    },
    onHandle: (point, isDone) =>
      bench.edit(changeJoint(bench.draft, bench.chosen, { point }), !isDone),
  }
}

/** The axis that a click on a surface means: that of a round thing, else straight out of the surface. */
function axisAt(hit: Hit): Partial<Joint> {
  const { solid } = hit
  const kind = solid?.shape.kind
  if (solid && kind === 'sphere') return { point: rounded(solid.position) }
  if (solid && (kind === 'cylinder' || kind === 'capsule')) {
    const axis = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(...solid.quaternion))
    const middle = new Vector3(...solid.position)
    const along = new Vector3(...hit.point).sub(middle).dot(axis)
    return {
      point: rounded(middle.addScaledVector(axis, along).toArray()),
      axis: snapAxis(axis.toArray()),
    }
  }
  return { point: rounded(hit.point), axis: snapAxis(hit.normal) }
}

function rounded(point: Triple): Triple {
  return point.map((value) => snap(value, 0.005)) as Triple
}

function jointLine(bench: Bench, part: Part & { held: Joint }): HTMLElement {
  const { held } = part
  const words = { revolute: 'turns', prismatic: 'slides', fixed: 'fixed' }[held.type]
  const choose = button('', () => bench.choose(part.name), {
    class: 'quiet p-grow w-part',
    id: `joint-of-${part.name}`,
  })
  choose.append(
    el('strong', {}, held.joint),
    el('span', { class: 'p-hint' }, `${held.parent} → ${part.name}, ${words}`),
  )
  choose.setAttribute('aria-pressed', String(bench.chosen === part.name))
  return el('li', {}, choose)
}

function jointDetails(bench: Bench, part: Part, held: Joint): Node[] {
  const change = (next: Partial<Joint>) => bench.edit(changeJoint(bench.draft, part.name, next))
  const name = el('input', {
    type: 'text',
    value: held.joint,
    'aria-label': 'Name of the joint',
    maxlength: 40,
    'data-id': 'joint-name',
  })
  name.addEventListener('change', () => change({ joint: safeName(name.value) || held.joint }))
  const below = branch(bench.draft, part.name)
  const parents = bench.draft.parts
    .filter((each) => !below.has(each.name))
    .map((each) => ({ value: each.name, label: each.name }))
  const parent = choice({
    label: 'Held by',
    choices: parents,
    value: held.parent,
    id: 'joint-parent',
    onChange: (value) => change({ parent: value }),
  })
  const type = choice({
    label: 'It',
    choices: TYPES,
    value: held.type,
    id: 'joint-type',
    onChange: (value) => bench.edit(changeType(bench.draft, part.name, value as JointType)),
  })
  const fixed = [
    el('label', { class: 'p-field' }, el('span', {}, 'Name'), name),
    type.element,
    parent.element,
  ]
  if (held.type === 'fixed') return fixed
  return [
    ...fixed,
    axisButtons(held, change),
    pointFields('joint', held.point, (point) => change({ point })),
    rangeFields(held, change),
  ]
}

function axisButtons(held: Joint, change: (next: Partial<Joint>) => void): HTMLElement {
  const buttons = AXES.map(([title, axis], i) => {
    const each = button(title, () => change({ axis }), {
      class: `axis-${title.toLowerCase()}`,
      label: `Axis ${title}`,
      id: `axis-${title.toLowerCase()}`,
    })
    each.setAttribute('aria-pressed', String(Math.abs(held.axis[i] ?? 0) > 0.999))
    return each
  })
  const turn = button(
    'Reverse',
    () => change({ axis: held.axis.map((value) => -value + 0) as Triple }),
    { class: 'quiet', id: 'axis-reverse' },
  )
  return row(
    el('span', { class: 'w-label' }, 'Axis'),
    el('span', { class: 'p-pair' }, ...buttons),
    turn,
  )
}

function rangeFields(held: Joint, change: (next: Partial<Joint>) => void): HTMLElement {
  const isTurn = held.type === 'revolute'
  const factor = isTurn ? 1 / DEGREE : 1000
  const isEndless = held.lower === null
  const end = (label: string, key: 'lower' | 'upper') =>
    numberField({
      label,
      unit: isTurn ? '°' : 'mm',
      digits: 0,
      step: isTurn ? 5 : 10,
      min: isTurn ? -360 : -10_000,
      max: isTurn ? 360 : 10_000,
      value: (held[key] ?? 0) * factor,
      id: `range-${key}`,
      onCommit: (value) => change({ [key]: value / factor }),
    }).element
  const endless = toggle({
    label: 'without end',
    value: isEndless,
    id: 'endless',
    onChange: (isOn) =>
      change(isOn ? { lower: null, upper: null } : { lower: -120 * DEGREE, upper: 120 * DEGREE }),
  })
  return el(
    'div',
    {},
    isEndless ? null : el('div', { class: 'p-place' }, end('from', 'lower'), end('to', 'upper')),
    isTurn ? endless.element : null,
  )
}
