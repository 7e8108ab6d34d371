// What surrounds the steps of the wizard: their tabs, the picture, and the buttons below.

import { icon } from '../../shell/icons'
import { button, el } from '../dom'
import type { Bench, Step } from './bench'

const LEAVE_TIMEOUT_MS = 4000 // within which a second wish to leave counts

interface FrameTools {
  steps: readonly Step[]
  go(to: number): void
  at(): number
  close(): void
  view: HTMLElement
}

interface Frame {
  readonly element: HTMLElement
  body(content: HTMLElement): void
  say(problem: string): void
  /** Whether the person asks to leave for the second time within a while. */
  mayLeave(): boolean
  show(): void
}

export function makeFrame(bench: Bench, tools: FrameTools): Frame {
  const tabs = tools.steps.map((step, i) => makeTab(step, i, tools))
  const body = el('div', { class: 'w-body', tabindex: -1 })
  const problem = el('p', { class: 'w-problem', role: 'alert', 'data-id': 'wizard-problem' })
  const foot = makeFoot(bench, tools)
  let askedAt = Number.NEGATIVE_INFINITY // ms; when somebody asked to leave
  const element = el(
    'div',
    { class: 'w-frame' },
    el(
      'header',
      { class: 'p-dialog-head' },
      el('h2', { id: 'wizard-title' }, 'Build a robot'),
      el('nav', { class: 'w-steps', 'aria-label': 'Steps' }, ...tabs),
      button('', tools.close, {
        class: 'quiet icon-only',
        label: 'Close the wizard',
        icon: icon('close', 18),
        id: 'wizard-close',
      }),
    ),
    el(
      'div',
      { class: 'w-main' },
      tools.view,
      el('section', { class: 'w-side' }, body, problem, foot.element),
    ),
  )
  return {
    element,
    body: (content) => body.replaceChildren(content),
    say(text) {
      problem.textContent = text
    },
    mayLeave() {
      const isSecond = performance.now() - askedAt < LEAVE_TIMEOUT_MS
      askedAt = performance.now()
      return isSecond
    },
    show() {
      foot.show()
      tabs.forEach((each, i) => {
        each.setAttribute('aria-current', i === tools.at() ? 'step' : 'false')
        each.classList.toggle('done', i < tools.at())
      })
    },
  }
}

function makeTab(step: Step, index: number, tools: FrameTools): HTMLElement {
  const tab = button('', () => tools.go(index), {
    class: 'w-tab',
    id: `step-${step.id}`,
    label: `Step ${index + 1}: ${step.title}`,
  })
  tab.append(
    el('span', { class: 'w-number' }, String(index + 1)),
    el('span', { class: 'w-tab-name' }, step.title),
  )
  return tab
}

function makeFoot(bench: Bench, tools: FrameTools): { element: HTMLElement; show(): void } {
  const undo = button('', () => bench.undo(), {
    class: 'quiet',
    label: 'Undo',
    title: 'Undo (Ctrl+Z)',
    icon: icon('undo', 18),
    id: 'wizard-undo',
  })
  const redo = button('', () => bench.redo(), {
    class: 'quiet',
    label: 'Redo',
    title: 'Redo (Ctrl+Y)',
    icon: icon('redo', 18),
    id: 'wizard-redo',
  })
  const back = button('Back', () => tools.go(tools.at() - 1), {
    id: 'wizard-back',
    title: 'Alt+Left',
  })
  const next = button('Next', () => tools.go(tools.at() + 1), {
    class: 'primary',
    id: 'wizard-next',
    title: 'Alt+Right',
  })
  return {
    element: el(
      'footer',
      { class: 'w-foot' },
      undo,
      redo,
      el('span', { class: 'p-grow' }),
      back,
      next,
    ),
    show() {
      undo.disabled = !bench.canUndo
      redo.disabled = !bench.canRedo
      back.disabled = tools.at() === 0
      next.hidden = tools.at() === tools.steps.length - 1
    },
  }
}
