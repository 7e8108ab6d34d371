// Settings of the view. They apply to this page alone.

import { Vector3 } from 'three'
import type { App, Close, Quality, StereoMode, Theme, ViewMode } from '../app'
import { closeAll } from '../listeners'
import { lookedAt } from '../stage/looked_at'
import { savePicture } from '../stage/save_picture'
import {
  button,
  type Child,
  type Choice,
  choice,
  clamp,
  el,
  rail,
  row,
  section,
  tidy,
  toggle,
} from './dom'
import { overlayToggles } from './figures'

const MODES: readonly Choice<ViewMode>[] = [
  { value: 'orbit', label: 'Orbit' },
  { value: 'fly', label: 'Fly' },
  { value: 'seated', label: 'Seated' },
]
const STEREO: readonly Choice<StereoMode>[] = [
  { value: 'off', label: 'Off' },
  { value: 'anaglyph', label: 'Anaglyph (red, cyan)' },
  { value: 'side_by_side', label: 'Side by side' },
  { value: 'interlaced', label: 'Row-interlaced' },
  { value: 'sequential', label: 'In turn (shutter glasses)' },
]
const QUALITIES: readonly Choice<Quality>[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]
const THEMES: readonly Choice<Theme>[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function setUpView(app: App): Close {
  const body = app.shell.panel({ id: 'view', title: 'View', icon: 'eye', side: 'left', key: 'v' })
  const parts = [
    { title: 'Camera', part: cameraControls(app) },
    { title: 'Picture', part: pictureControls(app) },
    { title: 'Stereo', part: stereoControls(app), isOpen: false },
    { title: 'Sound', part: soundControls(app), isOpen: false },
  ]
  for (const { title, part, isOpen } of parts)
    body.append(section(title, isOpen === undefined ? {} : { isOpen }, part.element))
  return closeAll(parts.map(({ part }) => part.close))
}

interface Part {
  element: HTMLElement
  close: Close
}

/** Controls below each other, brought up to date by `show`, at once and with each change. */
function part(children: Child[], show: () => void, changes: ((show: Close) => Close)[]): Part {
  show()
  const closes = changes.map((onChange) => onChange(show))
  return { element: el('div', { class: 'p-fields' }, ...children), close: closeAll(closes) }
}

/** What a control calls to set a property. */
function setter<T, K extends keyof T>(target: T, key: K): (value: T[K]) => void {
  return (value) => {
    target[key] = value
  }
}

function cameraControls({ stage, selection, room }: App): Part {
  const mode = choice({
    label: 'Camera',
    choices: MODES,
    id: 'camera-mode',
    onChange: setter(stage, 'mode'),
  })
  const viewpoint = choice({
    label: 'Look from',
    choices: [],
    id: 'viewpoint',
    onChange: (name) => stage.goTo(name),
  })
  const buttons = row(
    button('Show all', () => stage.focus(), { id: 'focus-all' }),
    button('Show the chosen', () => stage.focus(selection.node?.info.name), { id: 'focus-chosen' }),
  )
  const cutaway = toggle({
    label: 'Hide walls in the way',
    id: 'cutaway',
    onChange: setter(stage, 'cutsAway'),
  })
  const show = () => {
    cutaway.set(stage.cutsAway)
    viewpoint.offer([
      { value: '', label: 'The whole room' },
      ...stage.viewpoints.map((name) => ({ value: name, label: name })),
    ])
    viewpoint.set(stage.viewpoint)
    mode.set(stage.mode)
  }
  return part([mode.element, viewpoint.element, cutaway.element, buttons], show, [
    stage.onChange,
    room.onChange,
  ])
}

function stereoControls({ stage, room }: App): Part {
  const mode = choice({
    label: 'Stereo',
    choices: STEREO,
    id: 'stereo',
    onChange: (next) => {
      if (stage.stereo === 'off' && next !== 'off') stage.convergence = distanceTo({ stage, room })
      stage.stereo = next
    },
  })
  const eyes = rail({
    label: 'Eye distance',
    min: 0.02,
    max: 0.12,
    step: 0.001,
    value: stage.eyeDistance,
    id: 'eye-distance',
    write: (value) => `${tidy(1000 * value, 0)} mm`,
    onInput: setter(stage, 'eyeDistance'),
  })
  const meeting = rail({
    label: 'Convergence',
    min: 0.3,
    max: 10,
    step: 0.1,
    value: stage.convergence,
    id: 'convergence',
    write: (value) => `${tidy(value, 1)} m`,
    onInput: setter(stage, 'convergence'),
  })
  const hint = el(
    'p',
    { class: 'p-hint' },
    'Eyes meet at the distance of convergence: what is nearer stands out of the screen.',
  )
  const show = () => {
    mode.set(stage.stereo)
    eyes.set(stage.eyeDistance)
    meeting.set(stage.convergence)
  }
  return part([mode.element, eyes.element, meeting.element, hint], show, [stage.onChange])
}

const NEAREST_M = 0.3
const FARTHEST_M = 10

/** How far away is what one looks at: there both eyes meet, so that nothing is strained. */
function distanceTo({ stage, room }: Pick<App, 'stage' | 'room'>): number {
  const [x, y] = lookedAt({ stage, room })
  const there = room.root.localToWorld(new Vector3(x, y, 0))
  const eye = stage.camera.getWorldPosition(new Vector3())
  return clamp(Math.round(10 * eye.distanceTo(there)) / 10, NEAREST_M, FARTHEST_M)
}

/** The page without the browser around it; Escape leaves it. */
function fullScreenButton({ shell }: App): HTMLElement {
  const turn = async () => {
    try {
      if (document.fullscreenElement) await document.exitFullscreen()
      else await document.documentElement.requestFullscreen()
    } catch {
      shell.toast('This browser does not let the page fill the screen.', 'problem')
    }
  }
  return button('Full screen', () => void turn(), { id: 'full-screen' })
}

function pictureControls(app: App): Part {
  const { stage, shell, room } = app
  const quality = choice({
    label: 'Quality',
    choices: QUALITIES,
    id: 'quality',
    onChange: setter(stage, 'quality'),
  })
  const theme = choice({
    label: 'Theme',
    choices: THEMES,
    id: 'theme',
    onChange: setter(shell, 'theme'),
  })
  const names = overlayToggles(app, 'room')
  const wires = toggle({
    label: 'Whole room as wireframe',
    title: 'In this page alone; single things: in “Things”',
    id: 'all-wireframe',
    onChange: setter(room, 'isWireframe'),
  })
  const measuring = measureControls(app)
  const save = button('Save a picture', () => void savePicture(app), { id: 'snapshot' })
  const show = () => {
    quality.set(stage.quality)
    theme.set(shell.theme)
    wires.set(room.isWireframe)
  }
  const own = part(
    [
      quality.element,
      theme.element,
      names.element,
      wires.element,
      measuring.element,
      row(save, fullScreenButton(app)),
    ],
    show,
    [stage.onChange, shell.onTheme, room.onChange],
  )
  return { ...own, close: closeAll([own.close, names.close, measuring.close]) }
}

function measureControls({ measure }: App): Part {
  const measuring = toggle({
    label: 'Measure: click two points',
    id: 'measure',
    onChange: setter(measure, 'isOn'),
  })
  const distance = el('output', { class: 'p-figure', 'data-id': 'measured' })
  const show = () => {
    measuring.set(measure.isOn)
    const { distance: metres } = measure
    distance.textContent = metres === undefined ? '' : `${tidy(1000 * metres, 0)} mm`
  }
  return part([row(measuring.element, distance)], show, [measure.onChange])
}

function soundControls({ sound }: App): Part {
  const muted = toggle({
    label: 'Silent',
    id: 'muted',
    onChange: setter(sound, 'isMuted'),
  })
  const volume = rail({
    label: 'Volume',
    min: 0,
    max: 1,
    step: 0.01,
    value: sound.volume,
    id: 'volume',
    write: (value) => `${Math.round(100 * value)} %`,
    onInput: setter(sound, 'volume'),
  })
  const show = () => {
    volume.set(sound.volume)
    muted.set(sound.isMuted)
  }
  return part([muted.element, volume.element], show, [sound.onChange])
}
