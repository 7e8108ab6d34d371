// The choice of what to plot: joints, loads, positions, devices, or the distance of two things.

import { el } from '../panels/dom'
import type { Channel, Take } from './contents'

export interface Chooser {
  readonly element: HTMLElement
  toggle(isOpen?: boolean): void
}

export function makeChooser(take: Take, onChoose: (channel: Channel) => void): Chooser {
  const list = el('ul', { class: 'replay-channels', role: 'listbox', 'aria-label': 'Channels' })
  const search = el('input', {
    type: 'search',
    placeholder: 'Find a channel, such as joint or distance',
    'aria-label': 'Find a channel',
    'data-id': 'channel-search',
  })
  const show = () => fill(list, take.channels, search.value, onChoose)
  search.addEventListener('input', show)
  const element = el(
    'div',
    { class: 'replay-chooser', role: 'dialog', 'aria-label': 'What to plot', hidden: true },
    search,
    list,
    distanceChooser(take, onChoose),
  )
  const toggle = (isOpen = element.hidden) => {
    element.hidden = !isOpen
    if (!isOpen) return
    show()
    search.focus()
  }
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    toggle(false)
  })
  return { element, toggle }
}

function fill(
  list: HTMLElement,
  channels: readonly Channel[],
  text: string,
  onChoose: (channel: Channel) => void,
): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (channel: Channel) => {
    const whole = `${channel.group} ${channel.label} ${channel.id.join(' ')}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  }
  let group = ''
  const rows: HTMLElement[] = []
  for (const channel of channels.filter(fits).slice(0, 400)) {
    if (channel.group !== group) {
      group = channel.group
      rows.push(el('li', { class: 'replay-group', role: 'presentation' }, group))
    }
    const unit = channel.unit === 'rad' ? '°' : channel.unit.replace('rad/s', 'rad/s')
    const choose = el(
      'button',
      { type: 'button', role: 'option', onclick: () => onChoose(channel) },
      el('span', {}, channel.label),
      el('span', { class: 'replay-unit' }, unit),
    )
    rows.push(el('li', { role: 'presentation' }, choose))
  }
  if (!rows.length) rows.push(el('li', { class: 'replay-group' }, 'Nothing is called like that.'))
  list.replaceChildren(...rows)
}

function distanceChooser(take: Take, onChoose: (channel: Channel) => void): HTMLElement {
  const choice = (label: string, index: number) => {
    const select = el(
      'select',
      { 'aria-label': label, 'data-id': label.replaceAll(' ', '-').toLowerCase() },
      ...take.nodes.map((name) => el('option', { value: name }, name)),
    )
    select.selectedIndex = Math.min(index, take.nodes.length - 1)
    return select
  }
  const from = choice('Distance from', 0)
  const to = choice('Distance to', 1)
  const add = el('button', { type: 'button', 'data-id': 'add-distance' }, 'Plot')
  add.addEventListener('click', () => {
    const id = ['distance', from.value, to.value]
    onChoose({ id, label: `${from.value} – ${to.value}`, unit: 'm', group: 'distances' })
  })
  const element = el('div', { class: 'replay-distance' }, 'Distance', from, '–', to, add)
  element.hidden = take.nodes.length < 2
  return element
}
