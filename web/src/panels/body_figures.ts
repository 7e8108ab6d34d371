// What a person's back and joints carry, how well they are balanced, and posture scores.

import type { BackLimits, PersonState, ScoreState, StrainState } from '../net/protocol'
import { makeLoadCurve } from './body_curve'
import { makeMeter, tone } from './body_meter'
import { el, section, setText, tidy } from './dom'

const SAFE_MARGIN = 0.03 // m
const MIN_MARGIN = 0.01 // m
const MAX_MARGIN = 0.12 // m: the end of the rail

interface BodyFigures {
  readonly element: HTMLElement
  show(state: PersonState, limits: BackLimits | undefined, time: number): void
  /** A new value for the curve of the load. */
  add(state: PersonState, time: number): void
}

export function makeBodyFigures(): BodyFigures {
  const back = makeBackFigures()
  const margin = makeMeter({ id: 'margin', label: 'Margin', unit: 'mm' })
  const scores = el('ul', { class: 'b-scores', 'data-id': 'scores' })
  const strains = el('div', { class: 'b-strains', 'data-id': 'strains' })
  return {
    element: el(
      'div',
      {},
      back.element,
      section('Balance', { id: 'balance' }, margin.element),
      section('Posture', { id: 'posture' }, scores),
      section(
        'Joints',
        { id: 'strain' },
        strains,
        el('p', { class: 'p-hint' }, '% of the mean strength of such people, where it is known.'),
      ),
    ),
    show(state, limits, time) {
      back.show(state, limits, time)
      margin.show(state.margin === null ? undefined : 1000 * state.margin, {
        top: 1000 * MAX_MARGIN,
        marks: [],
        level: marginLevel(state),
        words: marginWords(state),
      })
      showScores(scores, state.scores)
      showStrains(strains, state.strains)
    },
    add: back.add,
  }
}

/** Compression, shear and moment at L5/S1. */
function makeBackFigures(): BodyFigures {
  const compression = makeMeter({ id: 'compression', label: 'Compression', unit: 'N', isBig: true })
  const shear = makeMeter({ id: 'shear', label: 'Shear', unit: 'N' })
  const moment = el('output', { class: 'p-figure', 'data-id': 'moment' })
  const curve = makeLoadCurve()
  return {
    element: section(
      'Low back, L5/S1',
      { id: 'low-back' },
      compression.element,
      curve.element,
      shear.element,
      el('div', { class: 'b-line' }, el('span', {}, 'Moment, bending forward'), moment),
    ),
    show({ name, back }, limits, time) {
      if (limits) {
        compression.show(back?.compression, {
          top: 1.2 * limits.compression[1],
          marks: limits.compression,
          level: back?.level ?? 0,
          words: back?.advice ?? 'not known',
          range: back ? [back.low, back.high] : undefined,
        })
        shear.show(back?.shear, {
          top: 1.2 * limits.shear[1],
          marks: limits.shear,
          level: back?.shear_level ?? 0,
          words: back?.shear_advice ?? 'not known',
        })
        curve.draw(name, time, limits.compression)
      }
      setText(moment, back ? `${tidy(back.moment, 0)} N m` : 'not known')
    },
    add: ({ name, back }, time) => curve.add(name, time, back?.compression),
  }
}

function marginLevel({ margin, is_supported: isSupported }: PersonState): number {
  if (margin === null || !isSupported || margin < MIN_MARGIN) return 3
  return margin < SAFE_MARGIN ? 2 : 1
}

function marginWords(state: PersonState): string {
  if (state.margin === null) return 'nothing bears'
  const { margin } = state
  if (margin < 0) return 'the centre of mass is outside the support: would fall'
  return margin < SAFE_MARGIN ? 'near the edge of the support' : 'well inside the support'
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
