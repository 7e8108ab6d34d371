// A figure on a rail with the limits it should keep.

import { clamp, el, setText, tidy } from './dom'

interface Reading {
  top: number // the end of the rail
  marks: readonly number[] // limits
  level: number // 1 is good, 3 is bad; 0 is not known
  words: string
  range?: readonly [number, number] | undefined // how far the figure depends on the method
}

interface Meter {
  readonly element: HTMLElement
  show(value: number | undefined, reading: Reading): void
}

const TONES = ['', 'good', 'warn', 'bad']

/** The name of the colour of a level. */
export function tone(level: number): string {
  return TONES[level] ?? ''
}

export function makeMeter(options: {
  id: string
  label: string
  unit: string
  isBig?: boolean
}): Meter {
  const figure = el('output', { class: 'b-figure' })
  const advice = el('span', { class: 'b-advice' })
  const fill = el('span', { class: 'b-fill' })
  const range = el('span', { class: 'b-range', title: 'by other published models of the back' })
  const rail = el(
    'div',
    {
      class: 'b-rail',
      role: 'meter',
      'aria-label': options.label,
      'aria-valuemin': 0,
      'data-id': options.id,
    },
    fill,
    range,
  )
  const scale = el('div', { class: 'b-scale', 'aria-hidden': 'true' })
  const element = el(
    'div',
    { class: options.isBig ? 'b-meter big' : 'b-meter' },
    el('div', { class: 'b-line' }, el('span', {}, options.label), figure),
    rail,
    scale,
    advice,
  )
  let marked = ''
  return {
    element,
    show(value, { top, marks, level, words, range: ends }) {
      const at = (each: number) => `${clamp((100 * each) / top, 0, 100)}%`
      if (marked !== String([top, ...marks])) {
        marked = String([top, ...marks])
        for (const mark of rail.querySelectorAll('.b-mark')) mark.remove()
        scale.replaceChildren()
        for (const [k, mark] of marks.entries()) {
          const line = el('span', { class: `b-mark ${tone(k + 2)}` })
          line.style.left = at(mark)
          rail.append(line)
          const number = el('span', {}, tidy(mark, 0))
          number.style.left = at(mark)
          scale.append(number)
        }
        scale.hidden = marks.length === 0
        rail.setAttribute('aria-valuemax', tidy(top, 0))
      }
      element.dataset.tone = tone(level)
      const text = value === undefined ? 'not known' : `${tidy(value, 0)} ${options.unit}`
      setText(figure, text)
      setText(advice, words)
      fill.style.width = at(value ?? 0)
      range.hidden = ends === undefined
      if (ends) {
        range.style.left = at(ends[0])
        range.style.right = `${100 - clamp((100 * ends[1]) / top, 0, 100)}%`
      }
      rail.setAttribute('aria-valuenow', tidy(clamp(value ?? 0, 0, top), 0))
      rail.setAttribute('aria-valuetext', `${text}, ${words}`)
    },
  }
}
