// The nodes of the room as a tree: found, chosen, hidden, brought into view.

import type { App, Close } from '../app'
import { icon } from '../icons'
import { closeAll } from '../listeners'
import type { NodeInfo } from '../protocol'
import { type Commands, gate } from './commands'
import { button, el, isSeen, row } from './dom'
import { inspector } from './inspector'

interface Shown {
  info: NodeInfo
  depth: number
  hasChildren: boolean
}

export function setUpTree(app: App, commands: Commands): Close {
  const body = app.shell.panel({
    id: 'tree',
    title: 'Things',
    icon: 'tree',
    side: 'left',
    key: 'n',
  })
  const search = el('input', {
    type: 'search',
    placeholder: 'Search things',
    'aria-label': 'Search things',
    'data-id': 'tree-search',
  })
  const list = el('div', {
    class: 'p-tree',
    role: 'tree',
    'aria-label': 'Things in the room',
    'data-id': 'tree',
  })
  const folded = new Set<string>() // names; everything else is unfolded
  let known = new Set<string>()
  let isStale = true

  const show = () => {
    if (!isSeen(body)) {
      isStale = true
      return
    }
    isStale = false
    foldRobots()
    const nodes = app.room.nodes.map((node) => node.info)
    const focused = (document.activeElement as HTMLElement | null)?.dataset.node
    list.replaceChildren(...visible(nodes, search.value, folded).map(line))
    mark()
    if (focused)
      list
        .querySelector<HTMLElement>(`[data-node="${CSS.escape(focused)}"]`)
        ?.focus({ preventScroll: true })
  }
  const foldRobots = () => {
    const names = new Set(app.room.nodes.map((node) => node.info.name))
    for (const robot of app.room.robots.keys()) if (!known.has(robot)) folded.add(robot) // its links come when asked for
    known = names
  }
  const fold = (name: string, isFolded = !folded.has(name)) => {
    if (isFolded) folded.add(name)
    else folded.delete(name)
    show()
  }
  const mark = () => {
    const chosen = app.selection.node?.info.name
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
  const line = ({ info, depth, hasChildren }: Shown) => {
    const arrow =
      hasChildren &&
      button('', () => fold(info.name), {
        class: 'arrow',
        label: `Fold ${info.name}`,
        icon: icon('chevron', 14),
      })
    if (arrow) arrow.tabIndex = -1
    const eye = button(
      '',
      () => void commands.run(`${info.visible ? 'hide' : 'show'} ${info.name}`),
      {
        class: 'small quiet eye',
        label: `${info.visible ? 'Hide' : 'Show'} ${info.name}`,
        title: info.visible ? 'Hide' : 'Show',
        icon: icon(info.visible ? 'eye' : 'eye_off', 16),
      },
    )
    eye.tabIndex = -1
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
      el('span', { class: 'p-grow p-node-name' }, shortName(info, app)),
      kindOf(info, app) && el('span', { class: 'p-tag' }, kindOf(info, app)),
      eye,
    )
    item.style.setProperty('--depth', String(depth))
    return item
  }
  const nodeAt = (target: EventTarget | null) =>
    (target as HTMLElement | null)?.closest<HTMLElement>('[data-node]')
  list.addEventListener('click', (event) => {
    if ((event.target as HTMLElement).closest('button')) return
    const item = nodeAt(event.target)
    if (item) app.selection.choose(item.dataset.node ?? '')
  })
  list.addEventListener('dblclick', (event) => {
    const item = nodeAt(event.target)
    if (item) app.stage.focus(item.dataset.node)
  })
  list.addEventListener('keydown', (event) => walk(event, { app, list, fold, folded, commands }))
  search.addEventListener('input', show)
  const details = inspector(app, commands)
  const edit = gate(app, details.element)
  const history = undoButtons(app, commands)
  body.append(row(search, history.element), list, edit.element)
  const watch = new ResizeObserver(() => {
    if (isStale) requestAnimationFrame(show) // not at once: that would change sizes again
  })
  watch.observe(body)
  const reveal = () => {
    unfoldTo(app, folded)
    show()
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }
  return closeAll([
    app.room.onChange(show),
    app.selection.onChange(reveal),
    details.close,
    edit.close,
    history.close,
    () => watch.disconnect(),
  ])
}

/** The nodes to be shown, parents before their children; a search shows what is found and its way. */
function visible(nodes: readonly NodeInfo[], wanted: string, folded: ReadonlySet<string>): Shown[] {
  const children = new Map<number, NodeInfo[]>()
  for (const node of nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node])
  const words = wanted.trim().toLowerCase()
  const found = new Set<number>()
  if (words) {
    const byRow = new Map(nodes.map((node) => [node.row, node]))
    for (const node of nodes) {
      if (!node.name.toLowerCase().includes(words)) continue
      for (
        let each: NodeInfo | undefined = node;
        each && !found.has(each.row);
        each = byRow.get(each.parent)
      )
        found.add(each.row)
    }
  }
  const shown: Shown[] = []
  const visit = (node: NodeInfo, depth: number) => {
    if (words && !found.has(node.row)) return
    const below = children.get(node.row) ?? []
    shown.push({ info: node, depth, hasChildren: below.length > 0 })
    if (words || !folded.has(node.name)) for (const child of below) visit(child, depth + 1)
  }
  for (const root of children.get(-1) ?? []) {
    if (words) visit(root, 0)
    else for (const child of children.get(root.row) ?? []) visit(child, 0) // the root is the room itself
  }
  return shown
}

function unfoldTo(app: App, folded: Set<string>): void {
  for (let node = app.selection.node; node; node = app.room.nodes[node.info.parent]) {
    if (node !== app.selection.node) folded.delete(node.info.name)
    if (node.info.parent < 0) return
  }
}

function shortName(info: NodeInfo, app: App): string {
  const above = app.room.nodes[info.parent]?.info
  const prefix = info.robot ? `${info.robot}/` : above ? `${above.name}/` : ''
  return prefix && info.name.startsWith(prefix) ? info.name.slice(prefix.length) : info.name
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
    folded: ReadonlySet<string>
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

function undoButtons(app: App, commands: Commands): { element: HTMLElement; close: Close } {
  const undo = button('', () => void commands.run('undo'), {
    label: 'Undo',
    title: 'Undo (Ctrl+Z)',
    id: 'undo',
    icon: icon('undo', 18),
  })
  const redo = button('', () => void commands.run('redo'), {
    label: 'Redo',
    title: 'Redo (Ctrl+Y)',
    id: 'redo',
    icon: icon('redo', 18),
  })
  const show = () => {
    undo.disabled = !app.room.canUndo || !app.control.isMine
    redo.disabled = !app.room.canRedo || !app.control.isMine
  }
  show()
  const closes = [
    app.room.onChange(show),
    app.control.onChange(show),
    app.shell.key('Ctrl+Z', 'undo the last change', () => void commands.run('undo')),
    app.shell.key('Ctrl+Y', 'do it again', () => void commands.run('redo')),
  ]
  return { element: el('span', { class: 'p-pair' }, undo, redo), close: closeAll(closes) }
}
