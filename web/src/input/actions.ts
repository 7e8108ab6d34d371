// What rules of the room do by keys, as buttons for mouse and finger; and Stop, always in sight.

import type { App, Close } from '../app'
import { closeAll, listen } from '../listeners'
import { recall, remember } from '../remembered'
import { icon } from '../shell/icons'

const REMEMBERED = 'actions'

interface Keys {
  press(key: string): void
  release(key: string): void
}

/** Stop every robot, in control or not. */
async function stopAll(app: App): Promise<void> {
  const answer = await app.connection.command('stop all')
  if (!answer.ok) app.shell.toast(answer.text, 'problem')
}

export function setUpActions(
  app: App,
  keys: Keys,
  parts: { foot: HTMLElement; tray: HTMLElement },
): Close {
  const bar = document.createElement('div')
  bar.className = 'action-bar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', 'Actions')
  const toggle = makeButton('action-toggle', 'What this room can do')
  toggle.append(icon('hand', 18))
  const stop = makeButton('action-stop', 'Stop every robot (Esc)')
  stop.id = 'stop-all'
  stop.textContent = 'Stop'
  parts.tray.prepend(stop)
  parts.tray.append(toggle)
  parts.foot.prepend(bar)

  const hasFingers = window.matchMedia('(pointer: coarse)').matches
  let isOpen = recall<boolean>(REMEMBERED) ?? hasFingers
  let shown = ''
  const show = () => {
    const hints = app.room.keys
    stop.hidden = app.room.robots.size === 0
    toggle.hidden = hints.length === 0
    toggle.setAttribute('aria-pressed', String(isOpen))
    bar.hidden = !isOpen || hints.length === 0
    const words = JSON.stringify(hints)
    if (words === shown) return
    shown = words
    bar.replaceChildren(...hints.map((hint) => actionButton(hint.key, hint.does, keys)))
  }
  show()
  return closeAll([
    app.room.onChange(show),
    listen(stop, 'click', () => void stopAll(app)),
    listen(toggle, 'click', () => {
      isOpen = !isOpen
      remember(REMEMBERED, isOpen)
      show()
    }),
    app.shell.key('Escape', 'stop every robot', () => void stopAll(app)),
    () => bar.remove(),
  ])
}

function makeButton(name: string, title: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = name
  button.title = title
  button.setAttribute('aria-label', title)
  return button
}

/** Down as long as the pointer is: some rules follow a key while it is held. */
function actionButton(key: string, does: string, keys: Keys): HTMLButtonElement {
  const button = makeButton('action', `${does} (${key})`)
  button.dataset.key = key
  button.textContent = does
  const lift = () => keys.release(key)
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId)
    keys.press(key)
  })
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
    button.addEventListener(end, lift)
  button.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') keys.press(key)
  })
  button.addEventListener('keyup', lift)
  button.addEventListener('blur', lift)
  return button
}
