// Which devices are at this page, which of them the room hears, and what they drive.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { icon } from '../shell/icons'
import type { Drive, DriveMode } from './drive'
import type { DeviceName, Feed } from './feed'
import type { Gizmo } from './gizmo'
import type { TouchStick } from './touch_stick'

const MODES: Record<DriveMode, string> = { move: 'Move', turn: 'Turn', both: 'Move and turn' }
const ICONS: Record<DeviceName, string> = {
  keyboard: 'keyboard',
  gamepad: 'gamepad',
  joystick: 'joystick',
  space_mouse: 'spacemouse',
  cursor: 'mouse',
  left_controller: 'controller',
  right_controller: 'controller',
  left_tracked_hand: 'hand',
  right_tracked_hand: 'hand',
  headset: 'headset',
}
const UPDATE_PERIOD_MS = 250 // of the marks at live devices

export function setUpTray(
  app: App,
  feed: Feed,
  parts: { drive: Drive; gizmo: Gizmo; stick: TouchStick },
): { foot: HTMLElement; tray: HTMLElement; close: Close } {
  const tray = document.createElement('div')
  tray.className = 'device-tray'
  const list = document.createElement('ul')
  list.className = 'device-list'
  list.setAttribute('aria-label', 'Devices')
  tray.append(list, driveButton(parts.drive), driveModes(parts.drive), stickButton(parts.stick))
  const handle = gizmoBar(parts.gizmo)
  const foot = document.createElement('div')
  foot.className = 'input-foot'
  foot.append(handle, tray)
  app.shell.overlay.append(foot)
  let shown = ''
  const show = () => {
    const devices = [...feed.present]
    const words = devices.map(([name, title]) => `${name} ${title} ${feed.isLive(name)}`).join()
    if (words === shown) return
    shown = words
    list.replaceChildren(...devices.map(([name, title]) => item(name, title, feed.isLive(name))))
  }
  show()
  const timer = window.setInterval(show, UPDATE_PERIOD_MS)
  const close = closeAll([
    feed.onChange(show),
    () => window.clearInterval(timer),
    () => foot.remove(),
  ])
  return { foot, tray, close }
}

function item(name: DeviceName, title: string, isLive: boolean): HTMLElement {
  const entry = document.createElement('li')
  const words = `${title}: ${isLive ? 'live' : 'not heard'}`
  entry.dataset.device = name
  entry.classList.toggle('is-live', isLive)
  entry.title = words
  entry.setAttribute('aria-label', words)
  entry.append(icon(ICONS[name], 18))
  return entry
}

function driveButton(drive: Drive): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'drive-button'
  const show = () => {
    button.setAttribute('aria-pressed', String(drive.isOn))
    button.classList.toggle('is-engaged', drive.isEngaged)
    button.textContent = drive.isEngaged ? 'Driving' : drive.isOn ? 'Push to drive' : 'Drive'
    button.title = 'Drive the end-effector with stick, SpaceMouse, arrow keys and Page Up/Down'
  }
  button.addEventListener('click', () => {
    drive.isOn = !drive.isOn
    button.blur() // so that Space and Enter mean the room again
  })
  drive.onChange(show)
  show()
  return button
}

function driveModes(drive: Drive): HTMLElement {
  const select = document.createElement('select')
  select.className = 'drive-mode'
  select.setAttribute('aria-label', 'What the stick does')
  for (const [mode, words] of Object.entries(MODES)) select.add(new Option(words, mode))
  select.addEventListener('change', () => {
    drive.mode = select.value as DriveMode
    select.blur()
  })
  const show = () => {
    select.hidden = !drive.isOn
    select.value = drive.mode
  }
  drive.onChange(show)
  show()
  return select
}

function stickButton(stick: TouchStick): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'stick-button'
  button.title = 'A stick on the screen'
  button.setAttribute('aria-label', button.title)
  button.setAttribute('aria-pressed', 'false')
  button.append(icon('joystick', 18))
  button.addEventListener('click', () => {
    stick.isShown = !stick.isShown
    button.setAttribute('aria-pressed', String(stick.isShown))
  })
  return button
}

/** How the handle on the chosen thing works; there only while it is. */
function gizmoBar(gizmo: Gizmo): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'gizmo-bar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', 'Handle')
  const choices: [string, () => boolean, () => void][] = [
    ['Move', () => gizmo.mode === 'translate', () => (gizmo.mode = 'translate')],
    ['Turn', () => gizmo.mode === 'rotate', () => (gizmo.mode = 'rotate')],
    ['Own axes', () => gizmo.hasOwnAxes, () => (gizmo.hasOwnAxes = !gizmo.hasOwnAxes)],
  ]
  const buttons = choices.map(([words, , choose]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words
    button.addEventListener('click', () => {
      choose()
      show()
    })
    return button
  })
  const show = () => {
    bar.hidden = !gizmo.node
    buttons.forEach((button, index) => {
      button.setAttribute('aria-pressed', String(choices[index]?.[1]()))
    })
  }
  gizmo.onChange = show
  bar.append(...buttons)
  show()
  return bar
}
