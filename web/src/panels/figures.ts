// Figures of a robot: how well it can move from where it stands, and how near it is to things.

import type { App, Close, Overlay } from '../app'
import { closeAll } from '../listeners'
import type { RobotState } from '../net/protocol'
import { clamp, el, isSeen, section, setText, tidy, toggle } from './dom'
import { makeReadout } from './readout'

const MAX_VALUES = 200 // values of a curve: ten seconds
const ROWS = ['vx', 'vy', 'vz', 'ωx', 'ωy', 'ωz']

export function setUpFigures(app: App): Close {
  const body = app.shell.panel({
    id: 'figures',
    title: 'Dexterity',
    icon: 'ellipsoid',
    side: 'right',
    key: 'g',
  })
  const manipulability = curve(
    'Manipulability',
    'product of the singular values: how freely it moves',
  )
  const condition = curve(
    'Condition',
    'largest by smallest singular value: 1 is equally easy in all directions',
  )
  const values = bars()
  const matrix = el('table', { class: 'p-matrix', 'data-id': 'jacobian' })
  const matrixSection = section(
    'Jacobian',
    { isOpen: false, id: 'jacobian-section' },
    el(
      'div',
      { class: 'p-scroll', tabindex: 0, role: 'region', 'aria-label': 'Jacobian matrix' },
      matrix,
    ),
  )
  const overlays = overlayToggles(app, 'robots')
  const readout = makeReadout(app)
  body.append(
    section('Read-out', { id: 'readout-section' }, readout.element),
    section('Shown in the room', { id: 'overlays' }, overlays.element),
    section('Singular values', {}, values.element),
    section('Over time', {}, manipulability.element, condition.element),
    matrixSection,
  )
  let robot = ''
  const update = () => {
    const state = app.room.states.get(app.room.active)
    if (state === undefined || !isSeen(body)) return
    if (robot !== state.name) {
      robot = state.name
      manipulability.clear()
      condition.clear()
    }
    manipulability.add(state.manipulability)
    condition.add(state.condition)
    values.show(state.singular_values)
    readout.show(state)
    if (matrixSection.open) showMatrix(matrix, state, jointNames(app))
  }
  return closeAll([app.room.onStates(update), overlays.close, app.shell.onTheme(update)])
}

function jointNames(app: App): string[] {
  return app.room.robots.get(app.room.active)?.joints.map((joint) => joint.name) ?? []
}

/** A switch for each thing that can be drawn over the room, about its robots or about itself. */
export function overlayToggles(
  app: App,
  about: Overlay['about'],
): { element: HTMLElement; close: Close } {
  const element = el('div', { class: 'p-fields' })
  const made = new Map<string, ReturnType<typeof toggle>>()
  const show = () => {
    for (const overlay of app.overlays.all) {
      if (overlay.about !== about) continue
      let each = made.get(overlay.name)
      if (each === undefined) {
        each = toggle({
          label: overlay.title,
          id: `overlay-${overlay.name}`,
          onChange: (isOn) => overlay.toggle(isOn),
        })
        made.set(overlay.name, each)
        element.append(each.element)
      }
      each.set(overlay.isOn)
    }
  }
  show()
  return { element, close: app.overlays.onChange(show) }
}

function bars(): { element: HTMLElement; show(values: readonly number[]): void } {
  const element = el('div', { class: 'p-bars', 'data-id': 'singular-values' })
  let largest = 1e-9 // that was ever seen, so that bars can be compared over time
  return {
    element,
    show(values) {
      if (element.childElementCount !== values.length) {
        element.replaceChildren(
          ...values.map((_, i) =>
            el(
              'div',
              { class: 'p-bar' },
              el('span', { class: 'p-bar-name' }, `σ${i + 1}`),
              el('span', { class: 'p-bar-rail' }, el('span', { class: 'p-bar-fill' })),
              el('span', { class: 'p-figure' }),
            ),
          ),
        )
      }
      largest = Math.max(largest, ...values)
      for (const [i, value] of values.entries()) {
        const each = element.children[i] as HTMLElement
        const fill = each.querySelector<HTMLElement>('.p-bar-fill')
        if (fill) fill.style.width = `${(100 * value) / largest}%`
        each.classList.toggle('low', value < 0.05 * largest)
        setText(each.lastElementChild as Element, tidy(value, 3))
      }
    },
  }
}

interface Curve {
  readonly element: HTMLElement
  add(value: number | null): void
  clear(): void
}

/** A value with the way it went. */
function curve(name: string, title: string): Curve {
  const shown = el('output', { class: 'p-figure' })
  const canvas = el('canvas', { class: 'p-spark', width: 320, height: 40, 'aria-hidden': 'true' })
  const values: number[] = []
  return {
    element: el('div', { class: 'p-curve', title }, el('span', {}, name), shown, canvas),
    add(value) {
      setText(
        shown,
        value === null ? 'singular' : value >= 1000 ? value.toExponential(1) : tidy(value, 3),
      )
      values.push(value ?? Number.NaN)
      if (values.length > MAX_VALUES) values.shift()
      draw(canvas, values)
    },
    clear() {
      values.length = 0
    },
  }
}

function draw(canvas: HTMLCanvasElement, values: readonly number[]): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { width, height } = canvas
  const finite = values.filter(Number.isFinite).sort((a, b) => a - b)
  const top = 1.15 * (finite[Math.floor(0.95 * finite.length)] ?? 1) || 1 // a leap does not flatten the rest
  context.clearRect(0, 0, width, height)
  context.beginPath()
  let isDown = false
  for (const [i, value] of values.entries()) {
    const x = ((i + MAX_VALUES - values.length) / (MAX_VALUES - 1)) * width
    const y = height - 2 - clamp(value / top, 0, 1) * (height - 4)
    if (!Number.isFinite(value)) isDown = false
    else if (isDown) context.lineTo(x, y)
    else {
      context.moveTo(x, y)
      isDown = true
    }
  }
  context.strokeStyle = getComputedStyle(canvas).color
  context.lineWidth = 2
  context.stroke()
}

function showMatrix(table: HTMLTableElement, state: RobotState, names: readonly string[]): void {
  const columns = state.jacobian[0]?.length ?? 0
  if (
    table.rows.length !== state.jacobian.length + 1 ||
    table.rows[0]?.cells.length !== columns + 1
  ) {
    table.replaceChildren(
      el('caption', {}, 'm/s and rad/s a unit of each joint'),
      el(
        'tr',
        {},
        el('td'),
        ...Array.from({ length: columns }, (_, i) =>
          el('th', { scope: 'col', title: names[i] }, names[i]?.slice(-5) ?? String(i + 1)),
        ),
      ),
      ...state.jacobian.map((_, i) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, ROWS[i] ?? ''),
          ...Array.from({ length: columns }, () => el('td')),
        ),
      ),
    )
  }
  state.jacobian.forEach((line, i) => {
    line.forEach((value, j) => {
      const cell = table.rows[i + 1]?.cells[j + 1]
      if (cell === undefined) return
      setText(cell, tidy(value, 2))
      cell.style.setProperty('--share', tidy(clamp(Math.abs(value), 0, 1), 2))
    })
  })
}
