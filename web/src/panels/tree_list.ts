// The lines of the tree: folded and unfolded, chosen by mouse and keys.

import type { App } from '../app'
import type { NodeInfo } from '../net/protocol'
import { icon } from '../shell/icons'
import type { Commands } from './commands'
import { button, el } from './dom'
import { shortName, type TreeRow, visibleRows } from './tree_rows'

interface TreeList {
  readonly element: HTMLElement
  show(): void
  /** Unfold what hides the chosen node; `show` shows it then. */
  unfoldToChosen(): void
  scrollToChosen(): void
}

/** `wanted`: what is searched for, or ''. */
export function makeTreeList(app: App, commands: Commands, wanted: () => string): TreeList {
  const list = el('div', {
    class: 'p-tree',
    role: 'tree',
    'aria-label': 'Things in the room',
    'data-id': 'tree',
  })
  const folded = new Set<string>() // names; everything else is unfolded
  let known = new Set<string>()

  const foldRobots = () => {
    const names = new Set(app.room.nodes.map((node) => node.info.name))
    for (const robot of app.room.robots.keys()) if (!known.has(robot)) folded.add(robot) // its links come when asked for
    known = names
  }
  const show = () => {
    foldRobots()
    const nodes = app.room.nodes.map((node) => node.info)
    const focused = (document.activeElement as HTMLElement | null)?.dataset.node
    const rows = visibleRows(nodes, wanted(), folded)
    list.replaceChildren(...rows.map((row) => makeLine(row, { app, commands, folded, fold })))
    markChosen(list, app.selection.node?.info.name)
    if (focused)
      list
        .querySelector<HTMLElement>(`[data-node="${CSS.escape(focused)}"]`)
        ?.focus({ preventScroll: true })
  }
  const fold = (name: string, isFolded = !folded.has(name)) => {
    if (isFolded) folded.add(name)
    else folded.delete(name)
    show()
  }
  list.addEventListener('click', (event) => {
    if ((event.target as HTMLElement).closest('button')) return
    const item = nodeAt(event.target)
    if (item) app.selection.choose(item.dataset.node ?? '')
  })
  list.addEventListener('dblclick', (event) => {
    const item = nodeAt(event.target)
    if (item) app.stage.focus(item.dataset.node)
  })
  list.addEventListener('keydown', (event) => walk(event, { app, list, fold, commands }))
  return {
    element: list,
    show,
    unfoldToChosen: () => unfoldTo(app, folded),
    scrollToChosen: () =>
      list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
  }
}

interface LineTools {
  app: App
  commands: Commands
  folded: ReadonlySet<string>
  fold(name: string): void
}

function makeLine({ info, depth, hasChildren }: TreeRow, tools: LineTools): HTMLElement {
  const { app, commands, folded, fold } = tools
  const arrow =
    hasChildren &&
    button('', () => fold(info.name), {
      class: 'arrow',
      label: `Fold ${info.name}`,
      icon: icon('chevron', 14),
    })
  if (arrow) arrow.tabIndex = -1
  const kind = kindOf(info, app)
  const item = el(
    'div',
    {
      class: `p-node${info.visible ? '' : ' hidden-node'}`,
      role: 'treeitem',
      'aria-level': depth + 1,
      'data-node': info.name,
      title: info.name,
      'aria-expanded': hasChildren ? String(!folded.has(info.name)) : undefined,
    },
    arrow || el('span', { class: 'arrow' }),
    el('span', { class: 'p-grow p-node-name' }, shortName(info, app.room.nodes[info.parent]?.info)),
    kind && el('span', { class: 'p-tag' }, kind),
    eyeButton(info, commands),
  )
  item.style.setProperty('--depth', String(depth))
  return item
}

function eyeButton(info: NodeInfo, commands: Commands): HTMLElement {
  const verb = info.visible ? 'Hide' : 'Show'
  const eye = button('', () => void commands.run(`${verb.toLowerCase()} ${info.name}`), {
    class: 'small quiet eye',
    label: `${verb} ${info.name}`,
    title: verb,
    icon: icon(info.visible ? 'eye' : 'eye_off', 16),
  })
  eye.tabIndex = -1
  return eye
}

/** Mark the line of the chosen node, and let the Tab key stop there, or else at the first line. */
function markChosen(list: HTMLElement, chosen: string | undefined): void {
  let hasStop = false
  for (const each of list.children as HTMLCollectionOf<HTMLElement>) {
    const isChosen = each.dataset.node === chosen
    each.setAttribute('aria-selected', String(isChosen))
    each.tabIndex = isChosen ? 0 : -1
    hasStop ||= isChosen
  }
  const first = list.firstElementChild as HTMLElement | null
  if (!hasStop && first) first.tabIndex = 0
}

function nodeAt(target: EventTarget | null): HTMLElement | null | undefined {
  return (target as HTMLElement | null)?.closest<HTMLElement>('[data-node]')
}

function unfoldTo(app: App, folded: Set<string>): void {
  for (let node = app.selection.node; node; node = app.room.nodes[node.info.parent]) {
    if (node !== app.selection.node) folded.delete(node.info.name)
    if (node.info.parent < 0) return
  }
}

function kindOf(info: NodeInfo, app: App): string {
  if (app.room.robots.has(info.name)) return 'robot'
  if (info.light) return 'light'
  if (info.field_of_view > 0) return 'viewpoint'
  return info.is_region ? 'region' : ''
}

/** The keys of a tree, as people who use only the keyboard know them. */
function walk(
  event: KeyboardEvent,
  tree: {
    app: App
    list: HTMLElement
    fold(name: string, isFolded?: boolean): void
    commands: Commands
  },
): void {
  const item = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')
  if (!item) return
  const name = item.dataset.node ?? ''
  const go = (to: Element | null) => (to as HTMLElement | null)?.focus()
  const isFolded = item.getAttribute('aria-expanded') === 'false'
  const actions: Record<string, () => void> = {
    ArrowDown: () => go(item.nextElementSibling),
    ArrowUp: () => go(item.previousElementSibling),
    Home: () => go(tree.list.firstElementChild),
    End: () => go(tree.list.lastElementChild),
    ArrowRight: () => (isFolded ? tree.fold(name, false) : go(item.nextElementSibling)),
    ArrowLeft: () =>
      item.getAttribute('aria-expanded') === 'true' ? tree.fold(name, true) : go(parentOf(item)),
    Enter: () => tree.app.selection.choose(name),
    ' ': () => tree.app.selection.choose(name),
    f: () => tree.app.stage.focus(name),
    h: () =>
      void tree.commands.run(`${tree.app.room.node(name)?.info.visible ? 'hide' : 'show'} ${name}`),
  }
  const action = actions[event.key]
  if (action === undefined || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  event.stopPropagation()
  action()
}

function parentOf(item: HTMLElement): Element | null {
  const level = Number(item.getAttribute('aria-level'))
  let above = item.previousElementSibling
  while (above && Number(above.getAttribute('aria-level')) >= level)
    above = above.previousElementSibling
  return above
}
