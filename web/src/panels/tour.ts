// The first steps: a hint for those who come for the first time, and a tour of some 90 seconds that
// has them do four things. Each step waits until the thing was really done.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { recall, remember } from '../remembered'
import { icon } from '../shell/icons'
import { button, el, setText } from './dom'
import { type TourStep, tourSteps } from './tour_steps'

const HINT_TIME_MS = 30_000
const END_TIME_MS = 8_000
const GAP = 8 // px between the card and what is above it
const REMEMBERED = 'greeted'
const END_WORDS = {
  touch: 'That was it. The button with the question mark shows everything else.',
  keys: 'That was it. Help shows everything else: press F1 or ?.',
}

export interface Tour {
  start(): void
  readonly close: Close
}

export function setUpTour(app: App): Tour {
  let closeCard: Close | undefined
  const show = (make: () => Close) => {
    closeCard?.()
    closeCard = make()
  }
  const start = () => {
    remember(REMEMBERED, true) // no hint comes in between
    show(() => runTour(tourSteps(app)))
  }
  const greet = () => {
    // Watchers and recordings have nothing to drag.
    if (recall(REMEMBERED) || app.room.robots.size === 0 || !app.control.isMine) return
    remember(REMEMBERED, true)
    show(() => showHint(app, start))
  }
  greet()
  const forget = closeAll([app.room.onChange(greet), app.control.onChange(greet)])
  return {
    start,
    close() {
      forget()
      closeCard?.()
    },
  }
}

const hasFingers = () => window.matchMedia('(pointer: coarse)').matches

/** A card above the devices; it goes with the function that is returned. */
function addCard(...children: (Node | string)[]): { card: HTMLElement; close: Close } {
  const attributes = { class: 'p-greeting', role: 'status', 'data-id': 'greeting' }
  const card = el('div', attributes, icon('hand'), ...children)
  document.body.append(card)
  // What the room says comes above it.
  const { style } = document.documentElement
  const watch = new ResizeObserver(() => {
    style.setProperty('--greeting-height', `${card.offsetHeight + GAP}px`)
  })
  watch.observe(card)
  const close = () => {
    watch.disconnect()
    style.removeProperty('--greeting-height')
    card.remove()
  }
  return { card, close }
}

/** One sentence for first-time visitors; it disappears with their first action. */
function showHint(app: App, startTour: () => void): Close {
  const words = hasFingers()
    ? 'Drag the pink ball, or take the stick below.'
    : 'Drag the pink ball, or press the arrow keys. ? shows everything else.'
  const { card, close } = addCard(el('span', {}, words))
  card.append(
    button('Show me', startTour, { class: 'small primary', id: 'start-tour' }),
    button('Got it', close, { class: 'small' }),
  )
  let timer = 0
  const closeFrame = app.stage.onFrame(() => {
    if (document.querySelector('.loading')) return // there is nothing to see yet
    closeFrame()
    timer = window.setTimeout(close, HINT_TIME_MS)
  })
  const forget = () => window.clearTimeout(timer)
  return closeAll([app.selection.onChange(close), closeFrame, forget, close])
}

/** Go through the steps, one after the other. */
function runTour(steps: readonly TourStep[]): Close {
  const words = el('span', { 'data-id': 'tour-words' })
  const count = el('span', { class: 'p-hint' })
  const { card, close } = addCard(count, words)
  card.classList.add('p-tour')
  let closeStep: Close = () => {}
  let timer = 0
  const end = () => {
    closeStep()
    window.clearTimeout(timer)
    close()
  }
  const skip = button('Skip', () => go(at + 1), { class: 'small' })
  card.append(skip, button('End', end, { class: 'small' }))
  let at = -1
  const go = (next: number) => {
    closeStep()
    closeStep = () => {}
    at = next
    const step = steps[at]
    card.dataset.step = step?.name ?? 'done'
    setText(count, step ? `${at + 1} of ${steps.length}` : '')
    setText(words, step?.words ?? END_WORDS[hasFingers() ? 'touch' : 'keys'])
    skip.hidden = !step
    if (step) closeStep = step.watch(() => go(at + 1))
    else timer = window.setTimeout(end, END_TIME_MS)
  }
  go(0)
  return end
}
