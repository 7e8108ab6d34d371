// The wizard: five steps beside a picture of what has been built so far.

import './wizard.css'
import type { App, Close } from '../../app'
import { icon } from '../../icons'
import { closeAll } from '../../listeners'
import { button, el, setText, tidy } from '../dom'
import { type Bench, makeBench, type Step } from './bench'
import { follow } from './follow'
import { makeJointsStep } from './step_joints'
import { makeNameStep } from './step_name'
import { makePartsStep } from './step_parts'
import { makeSaveStep } from './step_save'
import { makeTryStep } from './step_try'
import { makeWorkshop, type Workshop } from './workshop'

export function openWizard(app: App, onClose: () => void): Close {
  const bench = makeBench()
  const dialog = el('dialog', {
    class: 'p-dialog w-dialog',
    'aria-labelledby': 'wizard-title',
    'data-id': 'wizard',
  })
  const parts = makePartsStep(bench, (problem) => frame.say(problem))
  const name = makeNameStep(bench, (how) => {
    parts.start(how)
    go(1)
  })
  const close = () => dialog.close()
  const leave = () => {
    if (isSaved || bench.draft.parts.length === 0 || frame.mayLeave()) return close()
    frame.say('Leave without saving? Once more, and it is gone.') // a slip must not cost a robot
  }
  let isSaved = false
  const steps: Step[] = [
    name,
    parts,
    makeJointsStep(bench),
    makeTryStep(bench),
    makeSaveStep(app, bench, {
      close,
      onSaved: () => {
        isSaved = true
      },
    }),
  ]
  let at = 0
  const now = () => steps[at] ?? name

  const view = el('div', { class: 'w-view' })
  const readout = el('output', { class: 'w-readout' })
  const frame = makeFrame(bench, { steps, go: (to) => go(to), at: () => at, close, view, readout })
  dialog.append(frame.element)
  document.body.append(dialog)
  dialog.showModal()
  const workshop = makeWorkshop(view, () => bench.files, {
    onClick: (hit) => now().onClick?.(hit),
    onDrag: (grabbed, target) => bench.pose(follow(bench.draft, bench.joints, grabbed, target)),
    onHandle: (point, isDone) => now().onHandle?.(point, isDone),
    onHover: (point) =>
      setText(
        readout,
        point
          ? ['x', 'y', 'z'].map((axis, i) => `${axis} ${tidy(point[i] ?? 0, 2)}`).join('   ')
          : '',
      ),
  })
  view.append(lookButtons(workshop), readout)
  const draw = () =>
    workshop.show({
      draft: bench.draft,
      joints: poseFor(bench),
      chosen: bench.chosen,
      tool: bench.tool,
      plane: bench.plane,
      handle: now().handle?.(),
    })
  const forms = later(() => {
    keepFocus(dialog, () => {
      now().show()
      frame.show()
    })
  })
  const go = (to: number) => {
    const stuck = steps.findIndex((step, i) => i >= at && i < to && step.problem() !== '')
    const problem = stuck < 0 ? '' : (steps[stuck]?.problem() ?? '')
    at = Math.max(0, Math.min(stuck < 0 ? to : stuck, steps.length - 1))
    frame.body(now().element)
    keepFocus(dialog, () => now().enter())
    draw()
    forms.now()
    frame.say(problem)
  }
  const closes = closeAll([
    bench.onChange(() => {
      isSaved = false
      draw()
      frame.say('')
      forms.soon()
    }),
    app.shell.onTheme(() => workshop.setTheme()),
    () => workshop.close(),
  ])
  dialog.addEventListener('keydown', (event) =>
    keys(event, bench, { next: () => go(at + 1), back: () => go(at - 1) }),
  )
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener('close', () => {
    closes()
    dialog.remove()
    onClose()
  })
  Object.assign(dialog, { bench, workshop }) // for tests and for tinkering, as `window.robotix`
  go(0)
  return close
}

/** Joints are tried only where that is the matter; elsewhere one sees the robot as it is drawn. */
function poseFor(bench: Bench): ReadonlyMap<string, number> {
  return bench.tool === 'drag' ? bench.joints : new Map()
}

interface FrameTools {
  steps: readonly Step[]
  go(to: number): void
  at(): number
  close(): void
  view: HTMLElement
  readout: HTMLElement
}

function makeFrame(bench: Bench, tools: FrameTools) {
  const tabs = tools.steps.map((step, i) => {
    const each = button('', () => tools.go(i), {
      class: 'w-tab',
      id: `step-${step.id}`,
      label: `Step ${i + 1}: ${step.title}`,
    })
    each.append(
      el('span', { class: 'w-number' }, String(i + 1)),
      el('span', { class: 'w-tab-name' }, step.title),
    )
    return each
  })
  const body = el('div', { class: 'w-body', tabindex: -1 })
  const problem = el('p', { class: 'w-problem', role: 'alert', 'data-id': 'wizard-problem' })
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
  let asked = Number.NEGATIVE_INFINITY // when somebody asked to leave
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
      el(
        'section',
        { class: 'w-side' },
        body,
        problem,
        el('footer', { class: 'w-foot' }, undo, redo, el('span', { class: 'p-grow' }), back, next),
      ),
    ),
  )
  return {
    element,
    body: (content: HTMLElement) => body.replaceChildren(content),
    say(text: string) {
      problem.textContent = text
    },
    /** Whether somebody asks to leave for the second time within a while. */
    mayLeave() {
      const isSecond = performance.now() - asked < 4000
      asked = performance.now()
      return isSecond
    },
    show() {
      undo.disabled = !bench.canUndo
      redo.disabled = !bench.canRedo
      back.disabled = tools.at() === 0
      next.hidden = tools.at() === tools.steps.length - 1
      tabs.forEach((each, i) => {
        each.setAttribute('aria-current', i === tools.at() ? 'step' : 'false')
        each.classList.toggle('done', i < tools.at())
      })
    },
  }
}

function lookButtons(workshop: Workshop): HTMLElement {
  const views = [
    ['front', 'Front'],
    ['side', 'Side'],
    ['top', 'Top'],
    ['fit', 'Reset'],
  ] as const
  return el(
    'div',
    { class: 'w-looks', role: 'group', 'aria-label': 'Look from' },
    ...views.map(([from, title]) =>
      button(title, () => workshop.look(from), { class: 'small', id: `look-${from}` }),
    ),
  )
}

function keys(event: KeyboardEvent, bench: Bench, steps: { next(): void; back(): void }): void {
  event.stopPropagation() // keys here are none of the room
  const target = event.target as HTMLElement
  const isText = target instanceof HTMLInputElement && target.type === 'text'
  const withControl = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  let action: (() => void) | undefined
  if (withControl && !isText && key === 'z') action = event.shiftKey ? bench.redo : bench.undo
  else if (withControl && !isText && key === 'y') action = bench.redo
  else if (event.altKey && key === 'arrowright') action = steps.next
  else if (event.altKey && key === 'arrowleft') action = steps.back
  if (!action) return
  event.preventDefault()
  action()
}

/** Run something when the browser has come to rest, however often it is asked for. */
function later(work: () => void): { soon(): void; now(): void } {
  let timer = 0
  const run = () => {
    window.clearTimeout(timer)
    timer = 0
    work()
  }
  return {
    soon() {
      if (timer === 0) timer = window.setTimeout(run, 0)
    },
    now: run,
  }
}

/** Forms are made anew; who was typing goes on in the same field, and nobody falls out of the wizard. */
function keepFocus(root: HTMLElement, work: () => void): void {
  const id = (document.activeElement as HTMLElement | null)?.dataset.id
  work()
  const isHere = root.contains(document.activeElement) && document.activeElement !== root
  if (isHere && (!id || (document.activeElement as HTMLElement).dataset.id === id)) return
  const same = id && root.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
  const next = same || root.querySelector<HTMLElement>('.w-body')
  next?.focus({ preventScroll: true })
}
