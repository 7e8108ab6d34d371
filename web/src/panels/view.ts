// How the room is looked at. This is the page's own business: nobody else sees it.

import type { App, Close, Quality, StereoMode, Theme, ViewMode } from '../app'
import { closeAll } from '../listeners'
import { button, choice, el, rail, row, section, tidy, toggle } from './dom'

const MODES = [
  { value: 'orbit', label: 'Orbit' },
  { value: 'fly', label: 'Fly' },
  { value: 'seated', label: 'Seated' },
]
const STEREO = [
  { value: 'off', label: 'Off' },
  { value: 'anaglyph', label: 'Anaglyph (red, cyan)' },
  { value: 'side_by_side', label: 'Side by side' },
  { value: 'interlaced', label: 'Row-interlaced' },
]
const QUALITIES = [
  { value: 'auto', label: 'Automatic' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]
const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function setUpView(app: App): Close {
  const body = app.shell.panel({ id: 'view', title: 'View', icon: 'eye', side: 'left', key: 'v' })
  const camera = cameraControls(app)
  const stereo = stereoControls(app)
  const picture = pictureControls(app)
  const sound = soundControls(app)
  body.append(
    section('Camera', {}, camera.element),
    section('Picture', {}, picture.element),
    section('Stereo', { isOpen: false }, stereo.element),
    section('Sound', { isOpen: false }, sound.element),
  )
  return closeAll([camera.close, stereo.close, picture.close, sound.close])
}

type Part = { element: HTMLElement; close: Close }

function cameraControls(app: App): Part {
  const { stage } = app
  const mode = choice({
    label: 'Camera',
    choices: MODES,
    value: stage.mode,
    id: 'camera-mode',
    onChange: (value) => {
      stage.mode = value as ViewMode
    },
  })
  const viewpoint = choice({
    label: 'Look from',
    choices: [],
    id: 'viewpoint',
    onChange: (name) => stage.goTo(name),
  })
  const show = () => {
    viewpoint.offer([
      { value: '', label: 'The whole room' },
      ...stage.viewpoints.map((name) => ({ value: name, label: name })),
    ])
    viewpoint.set(stage.viewpoint)
    mode.set(stage.mode)
  }
  show()
  const buttons = row(
    button('Show all', () => stage.focus(), { id: 'focus-all' }),
    button('Show the chosen', () => stage.focus(app.selection.node?.info.name), {
      id: 'focus-chosen',
    }),
  )
  return {
    element: el('div', { class: 'p-fields' }, mode.element, viewpoint.element, buttons),
    close: closeAll([stage.onChange(show), app.room.onChange(show)]),
  }
}

function stereoControls(app: App): Part {
  const { stage } = app
  const mode = choice({
    label: 'Stereo',
    choices: STEREO,
    value: stage.stereo,
    id: 'stereo',
    onChange: (value) => {
      stage.stereo = value as StereoMode
    },
  })
  const millimetres = (value: number) => `${tidy(1000 * value, 0)} mm`
  const eyes = rail({
    label: 'Eye distance',
    min: 0.02,
    max: 0.12,
    step: 0.001,
    value: stage.eyeDistance,
    id: 'eye-distance',
    write: millimetres,
    onInput: (value) => {
      stage.eyeDistance = value
    },
  })
  const meeting = rail({
    label: 'Convergence',
    min: 0.3,
    max: 10,
    step: 0.1,
    value: stage.convergence,
    id: 'convergence',
    write: (value) => `${tidy(value, 1)} m`,
    onInput: (value) => {
      stage.convergence = value
    },
  })
  const show = () => {
    mode.set(stage.stereo)
    eyes.set(stage.eyeDistance)
    meeting.set(stage.convergence)
  }
  const hint = el(
    'p',
    { class: 'p-hint' },
    'Eyes meet at the distance of convergence: what is nearer stands out of the screen.',
  )
  return {
    element: el('div', { class: 'p-fields' }, mode.element, eyes.element, meeting.element, hint),
    close: stage.onChange(show),
  }
}

function pictureControls(app: App): Part {
  const { stage, shell, measure } = app
  const quality = choice({
    label: 'Quality',
    choices: QUALITIES,
    value: stage.quality,
    id: 'quality',
    onChange: (value) => {
      stage.quality = value as Quality
    },
  })
  const theme = choice({
    label: 'Theme',
    choices: THEMES,
    value: shell.theme,
    id: 'theme',
    onChange: (value) => {
      shell.theme = value as Theme
    },
  })
  const measuring = toggle({
    label: 'Measure: click two points',
    value: measure.isOn,
    id: 'measure',
    onChange: (isOn) => {
      measure.isOn = isOn
    },
  })
  const distance = el('output', { class: 'p-figure', 'data-id': 'measured' })
  const show = () => {
    quality.set(stage.quality)
    theme.set(shell.theme)
    measuring.set(measure.isOn)
    distance.textContent =
      measure.distance === undefined ? '' : `${tidy(1000 * measure.distance, 0)} mm`
  }
  show()
  const save = button('Save a picture', () => void download(app), { id: 'snapshot' })
  return {
    element: el(
      'div',
      { class: 'p-fields' },
      quality.element,
      theme.element,
      row(measuring.element, distance),
      save,
    ),
    close: closeAll([stage.onChange(show), shell.onTheme(show), measure.onChange(show)]),
  }
}

/** Draw what is seen, twice as fine as most screens, and hand it over as a file. */
export async function download(app: App): Promise<void> {
  const { clientWidth, clientHeight } = app.stage.canvas
  const scale = Math.min(2, 3840 / Math.max(clientWidth, 1))
  try {
    const picture = await app.stage.snapshot({
      width: Math.round(clientWidth * scale),
      height: Math.round(clientHeight * scale),
      viewpoint: '',
    })
    const link = el('a', {
      href: URL.createObjectURL(picture),
      download: `${app.connection.welcome?.room || 'room'}.png`,
    })
    link.click()
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    app.shell.toast('The picture was saved with your downloads.')
  } catch (error) {
    app.shell.toast(`No picture: ${error instanceof Error ? error.message : error}`, 'problem')
  }
}

function soundControls(app: App): Part {
  const { sound } = app
  const volume = rail({
    label: 'Volume',
    min: 0,
    max: 1,
    step: 0.01,
    value: sound.volume,
    id: 'volume',
    write: (value) => `${Math.round(100 * value)} %`,
    onInput: (value) => {
      sound.volume = value
    },
  })
  const muted = toggle({
    label: 'Silent',
    value: sound.isMuted,
    id: 'muted',
    onChange: (isOn) => {
      sound.isMuted = isOn
    },
  })
  const show = () => {
    volume.set(sound.volume)
    muted.set(sound.isMuted)
  }
  return {
    element: el('div', { class: 'p-fields' }, muted.element, volume.element),
    close: sound.onChange(show),
  }
}
