import type { App, Close, ViewMode } from '../app'
import { closeAll } from '../listeners'
import { savePicture } from '../stage/save_picture'
import { icon } from './icons'

const MODES: readonly { mode: ViewMode; title: string; icon: string; key: string }[] = [
  { mode: 'orbit', title: 'Turn about the room', icon: 'orbit', key: 'Alt+O' },
  { mode: 'fly', title: 'Fly through the room', icon: 'fly', key: 'Alt+F' },
  { mode: 'seated', title: 'Sit at a viewpoint', icon: 'seat', key: 'Alt+V' },
]

/** The buttons that the page always has. */
export function setUpTools(app: App): Close {
  return closeAll([
    addViews(app),
    addMeasure(app),
    addSnapshot(app),
    addSound(app),
    addTheme(app),
    addReset(app),
    addKeys(app),
  ])
}

function addViews({ shell, stage, room }: App): Close {
  shell.tool({
    id: 'home',
    title: 'Show the whole room',
    icon: 'home',
    key: 'Alt+H',
    onClick: () => stage.goTo(''),
  })
  const buttons = MODES.map(({ mode, title, icon: name, key }) => {
    const onClick = () => {
      if (mode === 'seated' && stage.mode === mode) stage.goTo(nextOf(stage))
      stage.mode = mode
      if (mode !== 'orbit' && stage.mode === mode) shell.toast(stage.hint)
    }
    return { mode, button: shell.tool({ id: mode, title, icon: name, key, onClick }) }
  })
  const show = () => {
    for (const { mode, button } of buttons) {
      button.setAttribute('aria-pressed', String(stage.mode === mode))
      if (mode === 'seated') button.disabled = stage.viewpoints.length === 0
    }
  }
  show()
  return closeAll([stage.onChange(show), room.onChange(show)])
}

/** The viewpoint after the present one: pressing again goes round. */
function nextOf({ viewpoints, viewpoint }: App['stage']): string {
  return viewpoints[(viewpoints.indexOf(viewpoint) + 1) % viewpoints.length] ?? ''
}

/** The view can be moved without a mouse. */
function addKeys({ shell, stage }: App): Close {
  const step = 0.06 // of the height of the picture
  return closeAll([
    shell.key('Ctrl+ArrowLeft', 'turn the view left', () => stage.turn(step, 0)),
    shell.key('Ctrl+ArrowRight', 'turn the view right', () => stage.turn(-step, 0)),
    shell.key('Ctrl+ArrowUp', 'turn the view up', () => stage.turn(0, step)),
    shell.key('Ctrl+ArrowDown', 'turn the view down', () => stage.turn(0, -step)),
    shell.key('Alt+=', 'come nearer', () => stage.zoom(0.85)),
    shell.key('Alt+-', 'go farther away', () => stage.zoom(1 / 0.85)),
  ])
}

function addMeasure({ shell, measure }: App): Close {
  const button = shell.tool({
    id: 'measure',
    title: 'Measure a distance',
    icon: 'ruler',
    key: 'Alt+D',
    onClick: () => {
      measure.isOn = !measure.isOn
    },
  })
  const show = () => button.setAttribute('aria-pressed', String(measure.isOn))
  show()
  return measure.onChange(show)
}

function addSnapshot(app: App): Close {
  app.shell.tool({
    id: 'snapshot',
    title: 'Save a picture',
    icon: 'camera',
    key: 'Alt+P',
    onClick: () => void savePicture(app),
  })
  return () => {}
}

function addSound({ shell, sound }: App): Close {
  const button = shell.tool({
    id: 'sound',
    title: 'Sound on or off',
    icon: 'sound',
    onClick: () => {
      sound.isMuted = !sound.isMuted
    },
  })
  const show = () => button.replaceChildren(icon(sound.isMuted ? 'mute' : 'sound'))
  show()
  return sound.onChange(show)
}

function addTheme({ shell }: App): Close {
  const button = shell.tool({
    id: 'theme',
    title: 'Light or dark',
    icon: 'sun',
    onClick: () => {
      shell.theme = shell.isDark ? 'light' : 'dark'
    },
  })
  const show = () => button.replaceChildren(icon(shell.isDark ? 'sun' : 'moon'))
  show()
  return shell.onTheme(show)
}

/** Load the room again as its file says, after a question; not there where it cannot be done. */
function addReset({ shell, connection, control }: App): Close {
  const ask = () => {
    const close = shell.banner('reset', 'Begin again? All that was changed in this room is lost.', [
      {
        label: 'Begin again',
        onClick: async () => {
          close()
          const { ok, text } = await connection.command('reset_room')
          if (!ok) shell.toast(text, 'problem')
        },
      },
      { label: 'Cancel', onClick: () => close() },
    ])
  }
  const title = 'Begin again: the room as it was at first'
  const button = shell.tool({ id: 'reset', title, icon: 'reset', onClick: ask })
  const show = () => {
    button.hidden = !connection.welcome?.can_reset
    button.disabled = !control.isMine
  }
  show()
  return closeAll([connection.on('welcome', show), control.onChange(show)])
}
