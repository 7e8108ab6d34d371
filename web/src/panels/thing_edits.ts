// Things are added where one looks; the chosen one is copied, coloured and deleted. All of it can be undone.

import type { App, Close, RoomNode } from '../app'
import { icon } from '../shell/icons'
import { lookedAt } from '../stage/looked_at'
import type { Commands } from './commands'
import { button, choice, el, row } from './dom'
import { plain } from './units'

type Shape = 'box' | 'sphere' | 'cylinder'
// Lengths as the console reads them, and how high the middle is above the floor; m.
const SHAPES: Record<Shape, { label: string; lengths: string; height: number }> = {
  box: { label: 'Box', lengths: '(0.2, 0.2, 0.2)', height: 0.1 },
  sphere: { label: 'Ball', lengths: '(0.1)', height: 0.1 },
  cylinder: { label: 'Cylinder', lengths: '(0.1, 0.2)', height: 0.1 },
}

/** A shape, and a button that puts one onto the floor where the person looks. */
export function addControls(app: App, commands: Commands): HTMLElement {
  const shape = choice<Shape>({
    label: 'Shape of a new thing',
    choices: Object.entries(SHAPES).map(([value, { label }]) => ({ value: value as Shape, label })),
    value: 'box',
    isBare: true,
    id: 'new-shape',
  })
  const add = async () => {
    const { lengths, height } = SHAPES[shape.value]
    const name = freeName(app, shape.value)
    const [x, y] = lookedAt(app)
    const at = `(${plain(x, 3)}, ${plain(y, 3)}, ${height})`
    if (await commands.run(`add ${name}; ${shape.value} ${lengths}; ${at}`)) chooseSoon(app, name)
  }
  return row(
    shape.element,
    button('Add', () => void add(), {
      id: 'add-thing',
      title: 'Put it onto the floor, where you look',
      icon: icon('plus', 18),
    }),
  )
}

/** What can be done with the chosen thing, besides moving it. */
export function thingControls(
  app: App,
  commands: Commands,
): { element: HTMLElement; show(node: RoomNode): void } {
  const colour = el('input', { type: 'color', 'aria-label': 'Colour', 'data-id': 'thing-colour' })
  const run = (line: (name: string) => string) => {
    const node = app.selection.node
    return node ? commands.run(line(node.info.name)) : Promise.resolve(false)
  }
  colour.addEventListener('change', () => void run((name) => `colour ${name}; ${colour.value}`))
  const copy = async () => {
    const before = new Set(app.room.nodes.map((node) => node.info.name))
    if (await run((name) => `copy ${name}`)) chooseSoon(app, (name) => !before.has(name))
  }
  const element = el(
    'div',
    { class: 'p-row p-thing-edits' },
    el('label', { class: 'p-colour' }, colour, el('span', {}, 'Colour')),
    button('Copy', () => void copy(), { id: 'copy-thing', icon: icon('copy', 18) }),
    button('Delete', () => void run((name) => `delete ${name}`), {
      id: 'delete-thing',
      icon: icon('trash', 18),
    }),
  )
  return {
    element,
    show(node) {
      element.hidden = node.info.robot !== '' || node.info.parent < 0
      const painted = node.info.visuals[0]?.surface.colour
      if (painted && document.activeElement !== colour) colour.value = hexOf(painted)
    },
  }
}

function hexOf(colour: readonly number[]): string {
  const parts = colour.map((part) =>
    Math.round(255 * part)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${parts.join('')}`
}

function freeName(app: App, stem: string): string {
  for (let number = 1; ; number++)
    if (!app.room.node(`${stem}_${number}`)) return `${stem}_${number}`
}

/** Choose a node as soon as the page knows it, and where it is. */
function chooseSoon(app: App, wanted: string | ((name: string) => boolean)): void {
  const isWanted = typeof wanted === 'string' ? (name: string) => name === wanted : wanted
  let close: Close = () => {}
  const look = () => {
    const found = app.room.nodes.find((node) => isWanted(node.info.name))
    if (!found?.isPlaced) return
    close()
    app.selection.choose(found.info.name)
  }
  close = app.room.onChange(look)
  look()
}
