// The panel about a person: who it is, what they do, and the figures of their body.

import type { App, Close, People } from '../app'
import { closeAll } from '../listeners'
import type { PersonState } from '../net/protocol'
import './body.css'
import { makeBodyFigures } from './body_figures'
import { choice, el, isSeen, section, setText, tidy } from './dom'
import { overlayToggles } from './figures'

export function setUpBody(app: App): Close {
  const { people, room } = app
  const body = app.shell.panel({ id: 'body', title: 'Body', icon: 'body', side: 'right', key: 'b' })
  let wished = ''
  const who = choice({
    label: 'Person',
    choices: [],
    id: 'person',
    onChange: (name) => {
      wished = name
      show()
    },
  })
  const doing = el('p', { class: 'p-hint', 'data-id': 'doing' })
  const note = el('p', { class: 'b-note', role: 'status', 'data-id': 'body-note', hidden: true })
  const figures = makeBodyFigures()
  const overlays = overlayToggles(app, 'people')
  const nobody = el('p', { class: 'p-hint', 'data-id': 'nobody' })
  body.append(
    el('div', { class: 'p-fields b-head' }, who.element, doing, note, nobody),
    figures.element,
    section('Shown in the room', { isOpen: true, id: 'people-overlays' }, overlays.element),
  )
  const show = () => {
    if (!isSeen(body)) return
    const state = people.states.get(wished) ?? people.states.values().next().value
    who.element.hidden = figures.element.hidden = state === undefined
    nobody.hidden = state !== undefined
    setText(nobody, room.skins.length ? 'The figures are being worked out …' : 'Nobody is here.')
    people.chosen = state?.name ?? ''
    if (state) {
      who.offer([...people.states.keys()].map((name) => ({ value: name, label: name })))
      who.set(state.name)
    }
    setText(doing, state ? inWords(state) : '')
    if (state) setText(note, state.note)
    note.hidden = !state?.note
    if (state) figures.show(state, people.limits, room.time)
  }
  const watching = watchWhileSeen(body, people, show)
  return closeAll([
    watching,
    overlays.close,
    people.onChange(() => {
      for (const state of people.states.values()) figures.add(state, people.time)
      show()
    }),
    room.onStates(show), // the curve goes on
    app.shell.onTheme(show),
  ])
}

/** Ask for figures of people only while a panel is open; `show` is called when it opens or closes. */
function watchWhileSeen(body: HTMLElement, people: People, show: () => void): Close {
  let stopWatching: Close | undefined
  const watch = () => {
    const isOpen = isSeen(body)
    if (isOpen && !stopWatching) stopWatching = people.watch()
    if (!isOpen && stopWatching) {
      stopWatching()
      stopWatching = undefined
      people.chosen = ''
    }
    show()
  }
  // Called when the panel is opened and closed; not at once, since that would change sizes again.
  const sight = new ResizeObserver(() => requestAnimationFrame(watch))
  sight.observe(body)
  return () => {
    stopWatching?.()
    sight.disconnect()
  }
}

function inWords(state: PersonState): string {
  const parts = [
    state.task && `does “${state.task.replaceAll('_', ' ')}”`,
    state.bears.length > 0 && `on ${state.bears.join(', ')}`,
    state.load > 0 && `holds ${tidy(state.load, state.load < 10 ? 1 : 0)} kg`,
    state.is_dynamic ? 'inertia counted' : 'posture as if held',
  ]
  return parts.filter(Boolean).join(' · ')
}
