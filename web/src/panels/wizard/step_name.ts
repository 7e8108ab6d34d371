import { icon } from '../../shell/icons'
import { button, el } from '../dom'
import type { Bench, Step } from './bench'
import { addPoint, type Draft, EMPTY, safeName, type Triple } from './draft'

export type Start = 'points' | 'shapes' | 'file'

const EXAMPLE: readonly Triple[] = [
  [0, 0, 0],
  [0, 0, 0.35],
  [0.35, 0, 0.55],
  [0.65, 0, 0.4],
  [0.65, 0, 0.25],
]

/** What it is called, and from what it is made. */
export function makeNameStep(bench: Bench, start: (how: Start) => void): Step {
  const name = el('input', {
    type: 'text',
    id: 'wizard-name',
    maxlength: 40,
    autocomplete: 'off',
    spellcheck: 'false',
    'data-id': 'wizard-name',
  })
  const hint = el('p', { class: 'p-hint', role: 'status' })
  name.addEventListener('input', () =>
    bench.edit({ ...bench.draft, name: safeName(name.value) }, true),
  )
  name.addEventListener('change', () => bench.edit({ ...bench.draft, name: safeName(name.value) }))
  const example = () => {
    const made = EXAMPLE.reduce<Draft>(addPoint, { ...EMPTY, name: bench.draft.name })
    bench.edit(made)
    start('points')
  }
  const element = el(
    'div',
    { class: 'w-step' },
    el('label', { class: 'w-name', for: 'wizard-name' }, 'What is the robot called?'),
    name,
    hint,
    el('p', {}, 'What is it made from?'),
    el(
      'div',
      { class: 'w-cards' },
      card(
        'edit',
        'From nothing',
        'Click points: each click is the end of a link.',
        'start-points',
        () => start('points'),
      ),
      card(
        'cube',
        'Simple shapes',
        'Boxes, cylinders, balls, put onto each other.',
        'start-shapes',
        () => start('shapes'),
      ),
      card(
        'upload',
        'Geometry from files',
        'STL, OBJ or GLB, a file for each part.',
        'start-file',
        () => start('file'),
      ),
      card(
        'robot',
        'An example',
        'An arm with four joints, to be changed.',
        'start-example',
        example,
      ),
    ),
  )
  return {
    id: 'name',
    title: 'Name',
    element,
    enter() {
      bench.tool = 'choose'
      name.focus()
      name.select()
    },
    show() {
      if (document.activeElement !== name) name.value = bench.draft.name
      const isChanged = name.value !== '' && name.value !== bench.draft.name
      hint.textContent = isChanged
        ? `It will be saved as “${bench.draft.name || '…'}”: letters, digits, _ and -.`
        : ''
    },
    problem: () => (bench.draft.name ? '' : 'Give it a name that starts with a letter.'),
  }
}

function card(
  picture: string,
  title: string,
  words: string,
  id: string,
  onClick: () => void,
): HTMLElement {
  const made = button('', onClick, { class: 'w-card', id })
  made.append(icon(picture, 24), el('strong', {}, title), el('span', {}, words))
  return made
}
