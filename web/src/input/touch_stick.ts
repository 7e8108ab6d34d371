// A stick on the screen, for use without a real one. It sends as the device `gamepad`: the left
// stick, which moves the arm, and up and down of its cross; or, by a switch that rooms with
// wheels have, the right stick, which drives. A real gamepad goes before it.

import type { App, Close } from '../app'
import { closeAll, listen } from '../listeners'
import type { Attention } from './attention'
import type { Feed } from './feed'
import { onPulse } from './pulse'

const [UP, DOWN] = [12, 13] as const // in the standard layout
const N_BUTTONS = 17
const REACH = 44 // pixels from the middle to the edge
const PERIOD_MS = 33
const TITLE = 'Stick on the screen'

export interface TouchStick {
  isShown: boolean
  readonly close: Close
}

export function setUpTouchStick(
  app: App,
  feed: Feed,
  options: { attention: Attention; onMove: () => void },
): TouchStick {
  const { element, pad, knob, chooser } = makeElements()
  app.shell.overlay.append(element)
  const axes = [0, 0]
  const buttons: number[] = Array(N_BUTTONS).fill(0)
  const chair = setUpChooser(app, chooser, { element, onChoose: () => put(0, 0) })
  let finger: number | undefined
  let said = 0

  const isReal = () => {
    const title = feed.present.get('gamepad')
    return title !== undefined && title !== TITLE
  }
  const tell = () => {
    if (isReal() || !options.attention.isHere) return
    said = performance.now()
    feed.send('gamepad', { axes: chair.isChosen ? [0, 0, ...axes] : [...axes, 0, 0], buttons })
  }
  const put = (x: number, y: number) => {
    const wasAtRest = axes[0] === 0 && axes[1] === 0
    axes[0] = x
    axes[1] = y
    knob.style.transform = `translate(${x * REACH}px, ${y * REACH}px)`
    tell()
    if (wasAtRest && (x !== 0 || y !== 0) && !chair.isChosen) options.onMove()
  }
  const draw = (event: PointerEvent) => {
    if (finger !== event.pointerId) return
    put(...deflection(pad.getBoundingClientRect(), event))
  }
  const start = (event: PointerEvent) => {
    if (finger !== undefined) return
    finger = event.pointerId
    pad.setPointerCapture(finger)
    draw(event)
  }
  const end = (event: PointerEvent) => {
    if (finger !== event.pointerId) return
    finger = undefined
    put(0, 0)
  }
  const lift = (event: PointerEvent) => {
    const index = Number((event.target as HTMLElement).dataset.button)
    if (!Number.isInteger(index)) return
    const isDown = event.type === 'pointerdown'
    buttons[index] = isDown ? 1 : 0
    tell()
    if (isDown) options.onMove()
  }
  const close = closeAll([
    chair.close,
    listen(pad, 'pointerdown', start),
    listen(pad, 'pointermove', draw),
    listen(pad, 'pointerup', end),
    listen(pad, 'pointercancel', end),
    ...(['pointerdown', 'pointerup', 'pointercancel', 'pointerleave'] as const).map((type) =>
      listen(element, type, lift, { capture: true }),
    ),
    onPulse(app, (now) => {
      if (!element.hidden && now - said >= PERIOD_MS) tell()
    }),
    () => element.remove(),
  ])
  return {
    get isShown() {
      return !element.hidden
    },
    set isShown(value) {
      element.hidden = !value
      put(0, 0)
      buttons.fill(0)
      if (!isReal()) feed.setPresent('gamepad', value ? TITLE : undefined)
    },
    close,
  }
}

/** Lets the stick drive the chair rather than move the arm, in rooms with wheels. */
function setUpChooser(
  app: App,
  chooser: HTMLElement,
  options: { element: HTMLElement; onChoose: () => void },
): { readonly isChosen: boolean; close: Close } {
  const choices = [...chooser.querySelectorAll<HTMLButtonElement>('[data-drives]')]
  let isChosen = false // the chair is
  const show = () => {
    const hasWheels = Object.values(app.room.devices).includes('drive2')
    if (!hasWheels) isChosen = false
    chooser.hidden = !hasWheels
    for (const choice of choices) {
      const isIt = (choice.dataset.drives === 'chair') === isChosen
      choice.setAttribute('aria-checked', String(isIt))
      choice.tabIndex = isIt ? 0 : -1
    }
    options.element.classList.toggle('drives', isChosen)
  }
  const choose = (next: boolean) => {
    options.onChoose() // what it moved stops first
    isChosen = next
    show()
  }
  const step = (event: KeyboardEvent) => {
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    choose(!isChosen)
    choices.find((choice) => choice.tabIndex === 0)?.focus()
  }
  show()
  return {
    get isChosen() {
      return isChosen
    },
    close: closeAll([
      app.room.onChange(show),
      listen(chooser, 'keydown', step),
      ...choices.map((choice) =>
        listen(choice, 'click', (event) => {
          choose(choice.dataset.drives === 'chair')
          if (event.detail > 0) choice.blur() // a mouse chose it: keys mean the room again
        }),
      ),
    ]),
  }
}

/** How far a finger pulls the stick, in x and y; at most 1 in all. */
function deflection(box: DOMRect, event: PointerEvent): [number, number] {
  const x = (event.clientX - box.left - box.width / 2) / REACH
  const y = (event.clientY - box.top - box.height / 2) / REACH
  const size = Math.max(1, Math.hypot(x, y))
  return [x / size, y / size]
}

interface Elements {
  element: HTMLElement
  pad: HTMLElement
  knob: HTMLElement
  chooser: HTMLElement
}

function makeElements(): Elements {
  const element = document.createElement('div')
  element.className = 'touch-stick'
  element.hidden = true
  element.innerHTML = `
    <div class="touch-stick-pad" role="application" aria-label="Stick: forwards, back, left, right">
      <div class="touch-stick-knob"></div>
    </div>
    <div class="touch-stick-chooser" role="radiogroup" aria-label="What the stick moves">
      <button type="button" role="radio" data-drives="arm">Arm</button>
      <button type="button" role="radio" data-drives="chair">Chair</button>
    </div>
    <div class="touch-stick-lift">
      <button type="button" data-button="${UP}" aria-label="Up">▲</button>
      <button type="button" data-button="${DOWN}" aria-label="Down">▼</button>
    </div>`
  const pad = element.querySelector<HTMLElement>('.touch-stick-pad') as HTMLElement
  const knob = element.querySelector<HTMLElement>('.touch-stick-knob') as HTMLElement
  const chooser = element.querySelector<HTMLElement>('.touch-stick-chooser') as HTMLElement
  return { element, pad, knob, chooser }
}
