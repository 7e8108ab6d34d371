// The screen that one looks through: whose view is shown here, the head before a fixed screen, and
// the registration of a tracker with real points.

import { Matrix4, Vector3 } from 'three'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { fitRigid } from '../rigid_fit'
import type { Wall } from '../wall/index'
import { writeTracker } from '../wall/settings'
import { button, choice, el, isSeen, row, section, setText } from './dom'

interface Part {
  element: HTMLElement
  close: Close
}

export function setUpScreen(app: App, wall: Wall): Close {
  const body = app.shell.panel({ id: 'screen', title: 'Screen', icon: 'cube', side: 'left' })
  const mirror = mirrorControls(wall)
  const head = headFigures(app, wall)
  const match = registration(app, wall)
  body.append(
    section('What others see', {}, mirror.element),
    section('Head before the screen', { isOpen: wall.settings !== undefined }, head.element),
    section('Match with real points', { isOpen: false, id: 'registration' }, match.element),
  )
  return closeAll([mirror.close, head.close, match.close])
}

function mirrorControls({ views }: Wall): Part {
  const followed = choice({
    label: 'Look with',
    choices: [],
    id: 'followed',
    onChange: (name) => {
      views.followed = name
    },
  })
  const hint = el('p', { class: 'p-hint' })
  const show = () => {
    followed.offer([
      { value: '', label: 'Nobody: my own view' },
      ...views.names.map((name) => ({ value: name, label: name })),
    ])
    followed.set(views.followed)
    setText(
      hint,
      views.names.length
        ? 'The picture here follows the head of that page.'
        : 'Nobody wears a headset, and no page is open as ?role=participant.',
    )
  }
  show()
  return {
    element: el('div', { class: 'p-fields' }, followed.element, hint),
    close: views.onChange(show),
  }
}

/** Where the head is, before the middle of the screen. */
function headFigures(app: App, wall: Wall): Part {
  const words = el('p', { class: 'p-hint', 'data-id': 'head-place' })
  const at = new Vector3()
  const update = () => {
    if (!isSeen(words)) return
    const { fixedScreen } = app.stage
    if (!fixedScreen || !wall.settings)
      return setText(
        words,
        'This page has no fixed screen: give its size in the address, ?screen=2.4x1.35',
      )
    at.setFromMatrixPosition(fixedScreen.head)
    at.applyMatrix4(new Matrix4().copy(fixedScreen.pose).invert())
    const [right, up, away] = at.toArray().map((value) => Math.round(1000 * value))
    const source = wall.isTracked ? wall.settings.device : 'not tracked: as the address says'
    setText(words, `${right} mm to the right, ${up} mm up, ${away} mm away (${source})`)
  }
  return { element: words, close: app.stage.onFrame(update) }
}

/** Points of the room are touched, one after another, with a tracked device where they really are. */
function registration(app: App, wall: Wall): Part {
  const device = choice({ label: 'Device', choices: [], id: 'match-device', onChange: () => {} })
  const point = choice({ label: 'Point', choices: [], id: 'match-point', onChange: () => {} })
  const measured = new Map<string, Vector3>() // in the frame of the tracker
  const result = el('p', { class: 'p-hint', role: 'status', 'data-id': 'match-result' })
  const list = el('ul', { class: 'p-hint' })
  let close: Close | undefined // of watching devices
  const show = () => {
    list.replaceChildren(...[...measured.keys()].map((name) => el('li', {}, name)))
    if (measured.size >= 3) setText(result, fitWords(app, wall, measured))
  }
  const measure = () => {
    const pose = wall.devices.get(device.value)
    if (!pose) return setText(result, 'This device is not tracked now.')
    measured.set(point.value, new Vector3().setFromMatrixPosition(pose))
    setText(result, `${measured.size} of at least 3 points are measured.`)
    show()
  }
  const update = () => {
    if (!isSeen(list)) {
      close?.()
      close = undefined
      return
    }
    close ??= wall.watchDevices()
    device.offer([...wall.devices.keys()].map((name) => ({ value: name, label: name })))
    point.offer(app.room.nodes.map(({ info }) => ({ value: info.name, label: info.name })))
  }
  const buttons = row(
    button('Measure', measure, { class: 'primary', id: 'match-measure' }),
    button('Begin anew', () => {
      measured.clear()
      setText(result, '')
      show()
    }),
  )
  const hint = el(
    'p',
    { class: 'p-hint' },
    'Hold the device at the real place of the point, then Measure; three points or more.',
  )
  return {
    element: el(
      'div',
      { class: 'p-fields' },
      hint,
      device.element,
      point.element,
      buttons,
      list,
      result,
    ),
    close: closeAll([app.stage.onFrame(update), () => close?.()]),
  }
}

/** Fit the tracker to the points, use it, and say how well it fits and how to keep it. */
function fitWords(app: App, wall: Wall, measured: ReadonlyMap<string, Vector3>): string {
  const names = [...measured.keys()]
  const carrier = app.room.node(wall.settings?.carrier ?? '')?.object ?? app.room.root
  const placeOf = (name: string) => {
    const place = app.room.node(name)?.object.getWorldPosition(new Vector3()) ?? new Vector3()
    return carrier.worldToLocal(place)
  }
  try {
    const fit = fitRigid([...measured.values()], names.map(placeOf))
    const pose = new Matrix4().compose(fit.translation, fit.rotation, new Vector3(1, 1, 1))
    wall.settings?.tracker.copy(pose)
    const millimetres = (metres: number) => `${(1000 * metres).toFixed(1)} mm`
    const worst = Math.max(...fit.residuals)
    const found = `${names.length} points, ${millimetres(fit.rms)} off (root mean square), at most ${millimetres(worst)}.`
    return `${found} Keep it by adding this to the address: &tracker=${writeTracker(pose)}`
  } catch (error) {
    return error instanceof Error ? `Not matched: ${error.message}.` : String(error)
  }
}
