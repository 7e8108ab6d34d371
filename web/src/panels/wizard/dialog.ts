// The wizard: five steps beside a picture of what has been built so far.

import './wizard.css'
import type { App, Close } from '../../app'
import { closeAll } from '../../listeners'
import { button, el, setText, tidy } from '../dom'
import { type Bench, makeBench, type Step } from './bench'
import type { Triple } from './draft'
import { follow } from './follow'
import { makeFrame } from './frame'
import { makeJointsStep } from './step_joints'
import { makeNameStep } from './step_name'
import { makePartsStep } from './step_parts'
import { makeSaveStep } from './step_save'
import { makeTryStep } from './step_try'
import { makeWorkshop, type Workshop } from './workshop'
import type { WorkshopState } from './workshop_state'

export function openWizard(app: App, onClose: () => void): Close {
  const bench = makeBench()
  const dialog = el('dialog', {
    class: 'p-dialog w-dialog',
    'aria-labelledby': 'wizard-title',
    'data-id': 'wizard',
  })
  const close = () => dialog.close()
  const leave = () => {
    if (isSaved || bench.draft.parts.length === 0 || frame.mayLeave()) return close()
    frame.say('Leave without saving? Once more, and it is gone.') // a slip must not cost a robot
  }
  let isSaved = false
  const steps = makeSteps(app, bench, {
    say: (problem) => frame.say(problem),
    onStarted: () => go(1),
    close,
    onSaved: () => {
      isSaved = true
    },
  })
  let at = 0
  const now = () => steps[at] ?? steps[0]

  const view = el('div', { class: 'w-view' })
  const readout = el('output', { class: 'w-readout' })
  const frame = makeFrame(bench, { steps, go: (to) => go(to), at: () => at, close, view })
  dialog.append(frame.element)
  document.body.append(dialog)
  dialog.showModal()
  const workshop = makeWorkshop(view, () => bench.files, {
    onClick: (hit) => now().onClick?.(hit),
    onDrag: (grabbed, target) => bench.pose(follow(bench.draft, bench.joints, grabbed, target)),
    onHandle: (point, isDone) => now().onHandle?.(point, isDone),
    onHover: (point) => setText(readout, point ? inWords(point) : ''),
  })
  view.append(lookButtons(workshop), readout)
  const draw = () => workshop.show({ ...stateOf(bench), handle: now().handle?.() })
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
  onLeave(dialog, leave, () => {
    closes()
    onClose()
  })
  Object.assign(dialog, { bench, workshop }) // for tests and for tinkering, as `window.robotix`
  go(0)
  return close
}

/** `leave` is asked when the person wants to leave; `onClosed` comes when the dialog is gone. */
function onLeave(dialog: HTMLDialogElement, leave: () => void, onClosed: () => void): void {
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    onClosed()
  })
}

type Steps = readonly [Step, ...Step[]]

function makeSteps(
  app: App,
  bench: Bench,
  tools: { say(problem: string): void; onStarted(): void; close(): void; onSaved(): void },
): Steps {
  const parts = makePartsStep(bench, tools.say)
  const name = makeNameStep(bench, (how) => {
    parts.start(how)
    tools.onStarted()
  })
  const save = makeSaveStep(app, bench, tools)
  return [name, parts, makeJointsStep(bench), makeTryStep(bench), save]
}

function inWords(point: Triple): string {
  return ['x', 'y', 'z'].map((axis, i) => `${axis} ${tidy(point[i] ?? 0, 2)}`).join('   ')
}

/** What the workshop shows. Joints move only while they are tried; otherwise the robot is as it was drawn. */
function stateOf({ draft, joints, chosen, tool, plane }: Bench): Omit<WorkshopState, 'handle'> {
  return { draft, joints: tool === 'drag' ? joints : new Map(), chosen, tool, plane }
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

/** Run something once when the browser is idle, however often it is requested. */
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

/** Rebuild a form and keep the focus in the same field, or at least in the wizard. */
function keepFocus(root: HTMLElement, work: () => void): void {
  const id = (document.activeElement as HTMLElement | null)?.dataset.id
  work()
  const isHere = root.contains(document.activeElement) && document.activeElement !== root
  if (isHere && (!id || (document.activeElement as HTMLElement).dataset.id === id)) return
  const same = id && root.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
  const next = same || root.querySelector<HTMLElement>('.w-body')
  next?.focus({ preventScroll: true })
}
