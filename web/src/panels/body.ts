// What a person's back and joints carry, how the body is borne, and what methods say of its posture.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { PersonState, ScoreState, StrainState } from '../protocol'
import './body.css'
import { makeLoadCurve } from './body_curve'
import { makeMeter, tone } from './body_meter'
import { choice, el, isSeen, section, setText, tidy } from './dom'
import { overlayToggles } from './figures'

const SAFE = 0.03 // m of margin
const SCANT = 0.01
const WIDE = 0.12 // m: the end of the rail

export function setUpBody(app: App): Close {
  const { people, room } = app
  const body = app.shell.panel({ id: 'body', title: 'Body', icon: 'body', side: 'right', key: 'b' })
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
  const back = makeMeter({ id: 'compression', label: 'Compression', unit: 'N', isBig: true })
  const shear = makeMeter({ id: 'shear', label: 'Shear', unit: 'N' })
  const moment = el('output', { class: 'p-figure', 'data-id': 'moment' })
  const curve = makeLoadCurve()
  const margin = makeMeter({ id: 'margin', label: 'Margin', unit: 'mm' })
  const scores = el('ul', { class: 'b-scores', 'data-id': 'scores' })
  const strains = el('div', { class: 'b-strains', 'data-id': 'strains' })
  const overlays = overlayToggles(app, 'people')
  const figures = el(
    'div',
    {},
    section(
      'Low back, L5/S1',
      { id: 'low-back' },
      back.element,
      curve.element,
      shear.element,
      el('div', { class: 'b-line' }, el('span', {}, 'Moment, bending forward'), moment),
    ),
    section('Balance', { id: 'balance' }, margin.element),
    section('Posture', { id: 'posture' }, scores),
    section(
      'Joints',
      { id: 'strain' },
      strains,
      el('p', { class: 'p-hint' }, '% of the mean strength of such people, where it is known.'),
    ),
  )
  const nobody = el('p', { class: 'p-hint', 'data-id': 'nobody' })
  body.append(
    el('div', { class: 'p-fields b-head' }, who.element, doing, note, nobody),
    figures,
    section('Shown in the room', { isOpen: true, id: 'people-overlays' }, overlays.element),
  )

  let wished = ''
  let stopWatching: Close | undefined
  const chosen = () => people.states.get(wished) ?? people.states.values().next().value
  const show = () => {
    if (!isSeen(body)) return
    const state = chosen()
    who.element.hidden = figures.hidden = state === undefined
    nobody.hidden = state !== undefined
    setText(nobody, room.skins.length ? 'The figures are being worked out …' : 'Nobody is here.')
    people.chosen = state?.name ?? ''
    if (!state) {
      setText(doing, '')
      note.hidden = true
      return
    }
    who.offer([...people.states.keys()].map((name) => ({ value: name, label: name })))
    who.set(state.name)
    setText(doing, inWords(state))
    setText(note, state.note)
    note.hidden = state.note === ''
    const limits = people.limits
    if (limits) {
      const { compression, shear: sheared } = limits
      back.show(state.back?.compression, {
        top: 1.2 * compression[1],
        marks: compression,
        level: state.back?.level ?? 0,
        words: state.back?.advice ?? 'not known',
        range: state.back ? [state.back.low, state.back.high] : undefined,
      })
      shear.show(state.back?.shear, {
        top: 1.2 * sheared[1],
        marks: sheared,
        level: state.back?.shear_level ?? 0,
        words: state.back?.shear_advice ?? 'not known',
      })
      curve.draw(state.name, room.time, compression)
    }
    setText(moment, state.back ? `${tidy(state.back.moment, 0)} N m` : 'not known')
    margin.show(state.margin === null ? undefined : 1000 * state.margin, {
      top: 1000 * WIDE,
      marks: [],
      level: marginLevel(state),
      words: marginWords(state),
    })
    showScores(scores, state.scores)
    showStrains(strains, state.strains)
  }
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
  // Told when the panel is opened and closed; not at once, since that would change sizes again.
  const sight = new ResizeObserver(() => requestAnimationFrame(watch))
  sight.observe(body)
  return closeAll([
    () => sight.disconnect(),
    () => stopWatching?.(),
    overlays.close,
    people.onChange(() => {
      for (const state of people.states.values())
        curve.add(state.name, people.time, state.back?.compression)
      show()
    }),
    room.onStates(show), // the curve goes on
    app.shell.onTheme(show),
  ])
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

function marginLevel({ margin, is_borne: isBorne }: PersonState): number {
  if (margin === null || !isBorne || margin < SCANT) return 3
  return margin < SAFE ? 2 : 1
}

function marginWords(state: PersonState): string {
  if (state.margin === null) return 'nothing bears'
  const { margin } = state
  if (margin < 0) return 'the centre of mass is outside the support: would fall'
  return margin < SAFE ? 'near the edge of the support' : 'well inside the support'
}

function showScores(list: HTMLElement, scores: readonly ScoreState[]): void {
  if (list.childElementCount !== scores.length)
    list.replaceChildren(
      ...scores.map(({ method }) =>
        el(
          'li',
          { 'data-id': `score-${method.toLowerCase()}` },
          el('span', { class: 'b-chip' }),
          el('span', {}, el('b', {}, method), ' ', el('span', { class: 'b-advice' })),
        ),
      ),
    )
  for (const [k, score] of scores.entries()) {
    const item = list.children[k] as HTMLElement
    item.dataset.tone = tone(score.level === 1 ? 1 : score.level < score.levels ? 2 : 3)
    setText(item.firstElementChild as Element, String(score.score))
    const code = score.code && `${score.code} · `
    setText(item.querySelector('.b-advice') as Element, code + score.advice)
  }
}

function showStrains(box: HTMLElement, strains: readonly StrainState[]): void {
  if (box.childElementCount !== Math.max(strains.length, 1))
    box.replaceChildren(
      ...(strains.length
        ? strains.map(() =>
            el(
              'div',
              { class: 'b-strain' },
              el('span', { class: 'b-joint' }),
              el('span', { class: 'p-figure' }),
              el('span', { class: 'p-bar-rail' }, el('span', { class: 'p-bar-fill' })),
            ),
          )
        : [el('p', { class: 'p-hint' }, 'Nothing is known of the joints.')]),
    )
  for (const [k, { joint, moment, demand, percent }] of strains.entries()) {
    const row = box.children[k] as HTMLElement
    const [name, figure, rail] = row.children
    if (!name || !figure || !(rail instanceof HTMLElement)) continue
    const share = demand === null ? undefined : 100 * demand
    setText(name, joint)
    const strength = share === undefined ? 'not judged' : `${tidy(share, 0)} %`
    setText(figure, `${tidy(moment, 0)} N m · ${strength}`)
    const who = percent === null ? '' : `; ${tidy(percent, 0)} % of such people can`
    row.title = share === undefined ? joint : `${strength} of the mean strength${who}`
    row.dataset.tone = share === undefined ? '' : tone(share < 50 ? 1 : share < 80 ? 2 : 3)
    const fill = rail.firstElementChild as HTMLElement
    fill.style.width = `${Math.min(share ?? 0, 100)}%`
  }
}
