import { el, numberField } from '../dom'
import type { Triple } from './draft'

/** Three numbers for a point, in m. */
export function pointFields(
  id: string,
  point: Readonly<Triple>,
  onChange: (point: Triple) => void,
): HTMLElement {
  const fields = ['x', 'y', 'z'].map((label, i) =>
    numberField({
      label,
      unit: 'm',
      digits: 3,
      step: 0.01,
      min: -100,
      max: 100,
      value: point[i] ?? 0,
      id: `${id}-${label}`,
      onCommit: (value) => onChange(point.map((old, k) => (k === i ? value : old)) as Triple),
    }),
  )
  return el('div', { class: 'p-place' }, ...fields.map((each) => each.element))
}
