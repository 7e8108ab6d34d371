import { Euler, Quaternion } from 'three'
import { button, choice, el, numberField, row } from '../dom'
import type { Bench, Step } from './bench'
import {
  addMesh,
  addPoint,
  addShape,
  changeSolid,
  partOf,
  removePart,
  renamePart,
  type ShapeKind,
  type Solid,
  type Triple,
} from './draft'
import { guessScale, readMeshFile } from './mesh_files'
import { pointFields } from './point_fields'
import type { Start } from './step_name'

const DEGREE = Math.PI / 180
const SHAPES: readonly [ShapeKind, string][] = [
  ['box', 'Box'],
  ['cylinder', 'Cylinder'],
  ['capsule', 'Rounded bar'],
  ['sphere', 'Ball'],
]
const UNITS = [
  { value: '1', label: 'metres' },
  { value: '0.001', label: 'millimetres' },
  { value: '0.01', label: 'centimetres' },
  { value: '0.0254', label: 'inches' },
]

interface PartsStep extends Step {
  start(how: Start): void
}

/** The parts: clicked, made of simple shapes, or brought along in files. */
export function makePartsStep(bench: Bench, say: (problem: string) => void): PartsStep {
  let how: Start = 'points'
  const tabs = el('div', { class: 'w-tabs', role: 'group', 'aria-label': 'How parts are made' })
  const maker = el('div', { class: 'w-maker' })
  const list = el('ul', { class: 'p-list w-parts', 'aria-label': 'Parts', 'data-id': 'parts' })
  const details = el('div', { class: 'w-details' })
  const start = (next: Start) => {
    how = next
    bench.tool = how === 'points' ? 'points' : 'choose'
    maker.replaceChildren(...makers(bench, how, say))
    bench.refresh()
  }
  const show = () => {
    tabs.replaceChildren(
      ...(
        [
          ['points', 'Points'],
          ['shapes', 'Shapes'],
          ['file', 'Files'],
        ] as const
      ).map(([id, title]) => {
        const each = button(title, () => start(id), { id: `tab-${id}` })
        each.setAttribute('aria-pressed', String(id === how))
        return each
      }),
    )
    list.replaceChildren(...bench.draft.parts.map((part) => partLine(bench, part.name)))
    if (bench.draft.parts.length === 0) list.append(el('li', { class: 'p-empty' }, 'No parts yet.'))
    details.replaceChildren(...partDetails(bench))
  }
  return {
    id: 'parts',
    title: 'Parts',
    element: el('div', { class: 'w-step' }, tabs, maker, el('h3', {}, 'Parts'), list, details),
    start,
    enter: () => start(how),
    show,
    problem: () =>
      bench.draft.parts.length < 2
        ? 'Make at least two parts: one that stands, one that moves.'
        : '',
    onClick(hit) {
      if (bench.tool === 'points') bench.edit(addPoint(bench.draft, hit.point))
      else if (hit.part) bench.choose(hit.part)
    },
    handle: () =>
      bench.tool === 'choose' ? partOf(bench.draft, bench.chosen)?.solids[0]?.position : undefined,
    onHandle: (point, isDone) =>
      bench.edit(changeSolid(bench.draft, bench.chosen, { position: point }), !isDone),
  }
}

function makers(bench: Bench, how: Start, say: (problem: string) => void): Node[] {
  if (how === 'points') return pointMaker(bench)
  if (how === 'shapes') {
    return [
      el(
        'p',
        { class: 'p-hint' },
        'Each shape is put onto the end of the one before. Then choose it, and drag it or change its numbers.',
      ),
      el(
        'div',
        { class: 'w-buttons' },
        ...SHAPES.map(([kind, title]) =>
          button(title, () => add(bench, kind), { id: `add-${kind}` }),
        ),
      ),
    ]
  }
  return fileMaker(bench, say)
}

function add(bench: Bench, kind: ShapeKind): void {
  bench.edit(addShape(bench.draft, kind))
  bench.choose(bench.draft.parts.at(-1)?.name ?? '')
}

function pointMaker(bench: Bench): Node[] {
  const plane = choice({
    label: 'Click on',
    id: 'work-plane',
    value: bench.plane,
    choices: [
      { value: 'upright', label: 'the upright plane' },
      { value: 'flat', label: 'the level plane' },
    ],
    onChange: (value) => {
      bench.plane = value as typeof bench.plane
    },
  })
  const fields = ['x', 'y', 'z'].map((axis, i) =>
    numberField({
      label: axis,
      unit: 'm',
      digits: 2,
      step: 0.05,
      min: -10,
      max: 10,
      value: i === 2 ? 0.3 : 0,
      id: `point-${axis}`,
    }),
  )
  const type = () => bench.edit(addPoint(bench.draft, fields.map((each) => each.value) as Triple))
  return [
    el(
      'p',
      { class: 'p-hint' },
      'Click where the robot stands, then where each joint and the end shall be. Drag to look around.',
    ),
    plane.element,
    el(
      'details',
      { class: 'w-typed' },
      el('summary', {}, 'Type a point instead'),
      el('div', { class: 'p-place' }, ...fields.map((each) => each.element)),
      button('Add the point', type, { id: 'add-point' }),
    ),
  ]
}

function fileMaker(bench: Bench, say: (problem: string) => void): Node[] {
  const input = el('input', {
    type: 'file',
    accept: '.stl,.obj,.glb',
    multiple: true,
    'aria-label': 'Mesh files',
    'data-id': 'mesh-file',
  })
  const take = async (files: Iterable<File>) => {
    for (const file of files) {
      try {
        const { name, mesh, bounds } = await readMeshFile(file, bench.files)
        bench.files.set(name, mesh)
        bench.edit(addMesh(bench.draft, name, guessScale(bounds), bounds))
        bench.choose(bench.draft.parts.at(-1)?.name ?? '')
      } catch (error) {
        say(error instanceof Error ? error.message : String(error))
      }
    }
    input.value = ''
  }
  input.addEventListener('change', () => void take(input.files ?? []))
  const drop = el(
    'label',
    { class: 'w-drop' },
    el('span', {}, 'Choose files, or drop them here'),
    input,
  )
  drop.addEventListener('dragover', (event) => event.preventDefault())
  drop.addEventListener('drop', (event) => {
    event.preventDefault()
    void take(event.dataTransfer?.files ?? [])
  })
  return [
    drop,
    el(
      'p',
      { class: 'p-hint' },
      'A file for each part, where it is in the whole robot. Lengths are guessed; correct the unit below.',
    ),
  ]
}

function partLine(bench: Bench, name: string): HTMLElement {
  const choose = button(name, () => bench.choose(name), {
    class: 'quiet p-grow w-part',
    id: `part-${name}`,
  })
  choose.setAttribute('aria-pressed', String(bench.chosen === name))
  const remove = button('✕', () => bench.edit(removePart(bench.draft, name)), {
    class: 'small quiet',
    label: `Remove ${name}`,
    id: `remove-${name}`,
  })
  return el('li', {}, swatch(partOf(bench.draft, name)?.solids[0]), choose, remove)
}

function swatch(solid: Solid | undefined): HTMLElement {
  const dot = el('span', { class: 'w-swatch' })
  if (solid) dot.style.background = hex(solid)
  return dot
}

function hex(solid: Solid): string {
  return `#${solid.colour
    .map((value) =>
      Math.round(255 * value)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function partDetails(bench: Bench): Node[] {
  const part = partOf(bench.draft, bench.chosen)
  const solid = part?.solids[0]
  if (!part || !solid)
    return bench.draft.parts.length
      ? [el('p', { class: 'p-hint' }, 'Choose a part to change it.')]
      : []
  const name = el('input', {
    type: 'text',
    value: part.name,
    'aria-label': 'Name of the part',
    maxlength: 40,
    'data-id': 'part-name',
  })
  name.addEventListener('change', () => {
    const at = bench.draft.parts.findIndex((each) => each.name === part.name)
    bench.edit(renamePart(bench.draft, part.name, name.value))
    bench.choose(bench.draft.parts[at]?.name ?? '')
  })
  const colour = el('input', {
    type: 'color',
    value: hex(solid),
    'aria-label': 'Colour',
    'data-id': 'part-colour',
  })
  colour.addEventListener('change', () => {
    const values = [1, 3, 5].map(
      (at) => Number.parseInt(colour.value.slice(at, at + 2), 16) / 255,
    ) as Triple
    bench.edit(changeSolid(bench.draft, part.name, { colour: values }))
  })
  const change = (next: Partial<Solid>) => bench.edit(changeSolid(bench.draft, part.name, next))
  return [
    row(name, colour),
    ...sizeFields(solid, change),
    pointFields('at', solid.position, (position) => change({ position })),
    turnFields(solid, change),
  ]
}

function sizeFields(solid: Solid, change: (next: Partial<Solid>) => void): Node[] {
  const { shape } = solid
  const length = (label: string, value: number, take: (value: number) => Solid['shape']) =>
    numberField({
      label,
      unit: 'm',
      digits: 3,
      step: 0.01,
      min: 0.001,
      max: 100,
      value,
      id: `size-${label}`,
      onCommit: (next) => change({ shape: take(next) }),
    }).element
  switch (shape.kind) {
    case 'box':
      return [
        el(
          'div',
          { class: 'p-place' },
          ...['long', 'wide', 'high'].map((label, i) =>
            length(label, shape.size[i] ?? 0.1, (value) => ({
              ...shape,
              size: shape.size.map((old, k) => (k === i ? value : old)) as Triple,
            })),
          ),
        ),
      ]
    case 'sphere':
      return [
        el(
          'div',
          { class: 'p-place' },
          length('radius', shape.radius, (radius) => ({ ...shape, radius })),
        ),
      ]
    case 'cylinder':
    case 'capsule':
      return [
        el(
          'div',
          { class: 'p-place' },
          length('radius', shape.radius, (radius) => ({ ...shape, radius })),
          length('length', shape.length, (value) => ({ ...shape, length: value })),
        ),
      ]
    case 'file':
      return [
        choice({
          label: 'Unit of the file',
          id: 'mesh-unit',
          choices: UNITS,
          value: String(shape.scale),
          onChange: (scale) => change({ shape: { ...shape, scale: Number(scale) } }),
        }).element,
      ]
  }
}

function turnFields(solid: Solid, change: (next: Partial<Solid>) => void): HTMLElement {
  const { x, y, z } = new Euler().setFromQuaternion(new Quaternion(...solid.quaternion), 'ZYX')
  const angles = [x, y, z]
  const fields = ['roll', 'pitch', 'yaw'].map((label, i) =>
    numberField({
      label,
      unit: '°',
      digits: 1,
      step: 15,
      min: -360,
      max: 360,
      value: (angles[i] ?? 0) / DEGREE,
      id: `turn-${label}`,
      onCommit: (value) => {
        const [roll = 0, pitch = 0, yaw = 0] = angles.map((old, k) =>
          k === i ? value * DEGREE : old,
        )
        change({
          quaternion: new Quaternion()
            .setFromEuler(new Euler(roll, pitch, yaw, 'ZYX'))
            .toArray() as Solid['quaternion'],
        })
      },
    }),
  )
  return el('div', { class: 'p-place' }, ...fields.map((each) => each.element))
}
