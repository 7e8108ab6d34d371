import { button, el, rail, tidy } from '../dom'
import type { Bench, Step } from './bench'
import { heldParts, type Joint, withinRange } from './draft'

const DEGREE = Math.PI / 180

/** Move it, before it is saved. */
export function makeTryStep(bench: Bench): Step {
  const sliders = el('div', { class: 'w-sliders', 'data-id': 'try-sliders' })
  let made = ''
  let rails = new Map<string, ReturnType<typeof rail>>()
  const rebuild = () => {
    const moving = heldParts(bench.draft).filter((part) => part.held.type !== 'fixed')
    const key = JSON.stringify(moving.map((part) => part.held))
    if (key === made) return
    made = key
    rails = new Map(moving.map((part) => [part.name, slider(bench, part.name, part.held)]))
    sliders.replaceChildren(...[...rails.values()].map((each) => each.element))
  }
  const sweep = () => {
    bench.pose(
      new Map(heldParts(bench.draft).map((part) => [part.name, withinRange(part.held, 0)])),
    )
  }
  return {
    id: 'try',
    title: 'Try',
    element: el(
      'div',
      { class: 'w-step' },
      el(
        'p',
        { class: 'p-hint' },
        'Drag a part in the picture, or a slider: does it move as it should? If not, go back.',
      ),
      sliders,
      button('Back to zero', sweep, { id: 'try-zero' }),
    ),
    enter() {
      bench.tool = 'drag'
      bench.refresh()
    },
    show() {
      rebuild()
      for (const [name, each] of rails)
        each.set(
          (bench.joints.get(name) ?? 0) *
            factorOf(heldParts(bench.draft).find((part) => part.name === name)?.held),
        )
    },
    problem: () => '',
  }
}

function factorOf(held: Joint | undefined): number {
  return held?.type === 'prismatic' ? 1000 : 1 / DEGREE
}

function slider(bench: Bench, name: string, held: Joint): ReturnType<typeof rail> {
  const factor = factorOf(held)
  const unit = held.type === 'prismatic' ? 'mm' : '°'
  return rail({
    label: held.joint,
    id: `try-${held.joint}`,
    step: 0.5,
    value: 0,
    min: (held.lower ?? -Math.PI) * factor,
    max: (held.upper ?? Math.PI) * factor,
    write: (value) => `${tidy(value, 0)} ${unit}`,
    onInput: (value) => bench.pose(new Map([...bench.joints, [name, value / factor]])),
  })
}
