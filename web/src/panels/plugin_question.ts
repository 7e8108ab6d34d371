// The question whether a plug-in may run: the room waits for the answer of the page in control.

import './plugin_question.css'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { PluginQuestion } from '../net/protocol'
import { button, el, row, setText } from './dom'

const WARNING =
  'It can do all that the person can do who started robotix: read, change and delete files, and use the network.'
const ADVICE =
  'Say yes only if you have read it or trust who made it. A yes is remembered until the file changes.'

export function setUpPluginQuestion(app: App): Close {
  let shown: { question: PluginQuestion; close: Close } | undefined
  const hide = () => {
    shown?.close()
    shown = undefined
  }
  return closeAll([
    app.connection.on('plugin_question', (question) => {
      if (shown && !question.is_open && shown.question.id !== question.id) return
      hide()
      if (question.is_open) shown = { question, close: openQuestion(app, question) }
    }),
    // When the connection is back, the server asks again what is still open.
    app.connection.onState((state) => {
      if (state !== 'open') hide()
    }),
    hide,
  ])
}

function openQuestion(app: App, question: PluginQuestion): Close {
  const answer = (mayRun: boolean) =>
    app.connection.send({ kind: 'plugin_answer', id: question.id, may_run: mayRun })
  const no = button('Do not run it', () => answer(false), { id: 'plugin-no', class: 'primary' })
  const yes = button('Run it', () => answer(true), { id: 'plugin-yes' })
  const take = button('Take control', () => void app.control.ask(true), { id: 'plugin-take' })
  const who = el('p', { class: 'p-hint', role: 'status', 'data-id': 'plugin-who' })
  const dialog = el(
    'dialog',
    { class: 'p-dialog p-plugin', 'aria-labelledby': 'plugin-title', 'data-id': 'plugin-question' },
    el('h2', { id: 'plugin-title' }, 'Run this code?'),
    el('p', {}, 'The room wants to run Python code that has not run on this machine before.'),
    facts(question),
    el('p', { class: 'p-plugin-warning' }, WARNING),
    el('p', { class: 'p-hint' }, ADVICE),
    who,
    row(no, yes, take),
  )
  dialog.addEventListener('cancel', (event) => event.preventDefault()) // Escape answers nothing
  dialog.addEventListener('close', () => {
    if (dialog.isConnected) dialog.showModal() // browsers let a second Escape close it
  })
  const show = () => {
    const { isMine, holder } = app.control
    no.disabled = yes.disabled = !isMine
    take.hidden = isMine
    setText(
      who,
      isMine ? '' : `Only the page in control can answer${holder ? `; that is ${holder}` : ''}.`,
    )
  }
  show()
  document.body.append(dialog)
  dialog.showModal()
  const closeControl = app.control.onChange(show)
  return () => {
    closeControl()
    dialog.remove()
  }
}

function facts(question: PluginQuestion): HTMLElement {
  const uses = question.uses.join(', ') || 'nothing that it names'
  const table: [string, string][] = [
    ['Plug-in', question.name],
    ['File', question.file],
    ['SHA-256', question.sha256],
    ['Uses', uses],
  ]
  return el(
    'dl',
    { class: 'p-plugin-facts' },
    ...table.flatMap(([word, value]) => [el('dt', {}, word), el('dd', {}, value)]),
  )
}
