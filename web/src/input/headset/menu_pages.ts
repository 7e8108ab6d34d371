// The pages of the menu at the wrist: which buttons stand there, and what they do.

import type { App } from '../../app'
import { isByHand } from '../participant'
import type { BoardButton, BoardContent } from './board'
import { type KeptSettings, type Moving, nextOf, type Turning } from './settings'

export type PageName = 'home' | 'actions' | 'panels' | 'settings' | 'help'

/** What the menu can have done. */
export interface MenuTools {
  app: App
  settings: KeptSettings
  keys: { press(key: string): void; release(key: string): void }
  clutch: { isOn: boolean }
  resetView(): void
  panels: {
    readonly names: readonly [string, string][]
    isOpen(id: string): boolean
    toggle(id: string): void
  }
  /** In passthrough: let the robot come along with the hand, show the whole room; match real points. */
  placing: { words: string; act(): void }[]
}

export const COLOURS = { stop: '#c93a3a', plain: '#46505e', chosen: '#2f62c4', back: '#2c333d' }
const ACTIONS_A_PAGE = 7 // beside Stop and Back, and the way to more
const HEIGHT_STEP = 0.05 // m
const TURNINGS: readonly Turning[] = ['steps_30', 'steps_45', 'smooth']
const MOVINGS: readonly Moving[] = ['teleport', 'smooth']
const TURNING_WORDS: Record<Turning, string> = {
  steps_30: 'Turn: 30° steps',
  steps_45: 'Turn: 45° steps',
  smooth: 'Turn: smoothly',
}
const MOVING_WORDS: Record<Moving, string> = { teleport: 'Go: teleport', smooth: 'Go: smoothly' }

export interface MenuState {
  page: PageName
  first: number // of the actions that are shown
}

export function contentOf(state: MenuState, tools: MenuTools, words: string): BoardContent {
  const go = (page: PageName) => () => Object.assign(state, { page, first: 0 })
  const stop = button('Stop', () => void tools.app.connection.command('stop all'), COLOURS.stop)
  const back = button('Back', go('home'), COLOURS.back)
  switch (state.page) {
    case 'home':
      return { words, buttons: [stop, ...homeButtons(tools, go)] }
    case 'actions':
      return { words, buttons: [stop, back, ...actionButtons(state, tools)] }
    case 'panels':
      return { words, buttons: [stop, back, ...panelButtons(tools)] }
    case 'settings':
      return { words, buttons: [stop, back, ...settingButtons(tools.settings)] }
    case 'help':
      return { words, text: helpLines(tools), buttons: [stop, back] }
  }
}

function button(words: string, onPress: () => void, colour = COLOURS.plain): BoardButton {
  return { words, colour, onPress }
}

function homeButtons(tools: MenuTools, go: (page: PageName) => () => void): BoardButton[] {
  const { app, clutch } = tools
  const { control } = app
  if (app.room.task) {
    return [
      button('Actions', go('actions'), COLOURS.chosen),
      button('Help', go('help')),
      button('Reset view', tools.resetView),
      button('Settings', go('settings')),
    ]
  }
  return [
    button('Actions', go('actions'), COLOURS.chosen),
    button('Panels', go('panels')),
    button('Help', go('help')),
    button('Reset view', tools.resetView),
    button('Settings', go('settings')),
    button(control.isMine ? 'Give control' : 'Take control', () =>
      control.isMine ? control.give() : void control.ask(true),
    ),
    button(clutch.isOn ? 'Arm follows: on' : 'Arm follows: off', () => {
      clutch.isOn = !clutch.isOn
    }),
    ...tools.placing.map(({ words, act }) => button(words, act, COLOURS.chosen)),
  ]
}

/** What rules of the room do by keys, pressed as long as the trigger is. */
function actionButtons(state: MenuState, { app, keys }: MenuTools): BoardButton[] {
  const all: BoardButton[] = app.room.keys.map(({ key, does }) => ({
    words: does,
    colour: COLOURS.chosen,
    onPress: () => keys.press(key),
    onRelease: () => keys.release(key),
  }))
  if (app.room.canUndo) all.push(button('Undo', () => void app.connection.command('undo')))
  if (all.length <= ACTIONS_A_PAGE + 1) return all
  const next = state.first + ACTIONS_A_PAGE < all.length ? state.first + ACTIONS_A_PAGE : 0
  const more = button('More…', () => Object.assign(state, { first: next }), COLOURS.back)
  return [...all.slice(state.first, state.first + ACTIONS_A_PAGE), more]
}

function panelButtons({ panels }: MenuTools): BoardButton[] {
  return panels.names.map(([id, title]) =>
    button(title, () => panels.toggle(id), panels.isOpen(id) ? COLOURS.chosen : COLOURS.plain),
  )
}

function settingButtons(settings: KeptSettings): BoardButton[] {
  const flip = (name: 'hasHints' | 'hasVignette' | 'isLeftHanded' | 'isSeated') => () =>
    settings.set(name, !settings[name])
  const lift = (by: number) => () => settings.set('height', settings.height + by)
  const height = `${settings.height < 0 ? '−' : '+'}${Math.abs(Math.round(100 * settings.height))}`
  return [
    button(TURNING_WORDS[settings.turning], () =>
      settings.set('turning', nextOf(TURNINGS, settings.turning)),
    ),
    button(MOVING_WORDS[settings.moving], () =>
      settings.set('moving', nextOf(MOVINGS, settings.moving)),
    ),
    button(settings.hasVignette ? 'Dark rim: on' : 'Dark rim: off', flip('hasVignette')),
    button(settings.isLeftHanded ? 'Left-handed' : 'Right-handed', flip('isLeftHanded')),
    button(settings.isSeated ? 'I sit' : 'I stand', flip('isSeated')),
    button(settings.hasHints ? 'Hints: on' : 'Hints: off', flip('hasHints')),
    button(`Lower (${height} cm)`, lift(-HEIGHT_STEP)),
    button(`Higher (${height} cm)`, lift(HEIGHT_STEP)),
  ]
}

function helpLines({ app, settings, clutch }: MenuTools): string[] {
  const main = settings.isLeftHanded ? 'left' : 'right'
  const other = settings.isLeftHanded ? 'right' : 'left'
  const hasWheels = Object.values(app.room.devices).includes('drive2')
  if (isByHand(app)) {
    return ['Grip, or pinch, at a thing: take it. Open: let go.', 'Actions: what this room can do.']
  }
  if (app.room.task) {
    return [
      `Grip of the ${main} hand: the arm follows it.`,
      'Open the grip to bring your hand back.',
      'Trigger: the arm grips, or lets go.',
      ...(hasWheels ? [`Stick of the ${other} hand: drives the chair.`] : []),
      'Actions: what this room can do.',
    ]
  }
  return [
    'Grip, or pinch, at a thing: take it. Open: let go.',
    'Grip at a part of a robot: pull it along.',
    ...(clutch.isOn
      ? [`Grip of the ${main} hand in free air: the arm`, '    follows the hand.']
      : []),
    'Trigger, or pinch: press what you point at.',
    settings.moving === 'teleport'
      ? `Stick of the ${main} hand: forwards jumps, sideways turns.`
      : `Stick of the ${main} hand: forwards goes, sideways turns.`,
    ...(hasWheels ? [`Stick of the ${other} hand: drives the chair.`] : []),
    'Actions: what this room can do.',
  ]
}
