// The nodes of the room as a tree: found, chosen, hidden, brought into view.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { icon } from '../shell/icons'
import { type Commands, gate } from './commands'
import { button, el, isSeen, row } from './dom'
import { inspector } from './inspector'
import { addControls } from './thing_edits'
import { makeTreeList } from './tree_list'

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
  const list = makeTreeList(app, commands, () => search.value)
  let isStale = true
  const show = () => {
    isStale = !isSeen(body)
    if (!isStale) list.show()
  }
  const reveal = () => {
    list.unfoldToChosen()
    show()
    list.scrollToChosen()
  }
  search.addEventListener('input', show)
  const details = inspector(app, commands)
  const edit = gate(app, details.element, addControls(app, commands))
  const history = editButtons(app, commands)
  body.append(row(search, history.element), list.element, edit.element)
  const watch = new ResizeObserver(() => {
    if (isStale) requestAnimationFrame(show) // not at once: that would change sizes again
  })
  watch.observe(body)
  return closeAll([
    app.room.onChange(show),
    app.selection.onChange(reveal),
    details.close,
    edit.close,
    history.close,
    () => watch.disconnect(),
  ])
}

function editButtons(app: App, commands: Commands): { element: HTMLElement; close: Close } {
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
  const save = button('', () => void commands.run('save_room'), {
    label: 'Save the room',
    title: 'Save the room in its file',
    id: 'save-room',
    icon: icon('save', 18),
  })
  const show = () => {
    undo.disabled = !app.room.canUndo || !app.control.isMine
    redo.disabled = !app.room.canRedo || !app.control.isMine
    save.disabled = !app.control.isMine
  }
  show()
  const closes = [
    app.room.onChange(show),
    app.control.onChange(show),
    app.shell.key('Ctrl+Z', 'undo the last change', () => void commands.run('undo')),
    app.shell.key('Ctrl+Y', 'do it again', () => void commands.run('redo')),
  ]
  const buttons = el('span', { class: 'p-pair' }, undo, redo, save)
  return { element: buttons, close: closeAll(closes) }
}
