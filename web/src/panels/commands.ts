// Panels act on the room by console lines; this sends them.

import type { App, Close } from '../app'
import { button, el, setText } from './dom'

const LINE_PERIOD_MS = 50 // between two lines of a stream: twenty a second

export interface Commands {
  /** Do it; a refusal is shown to the person. Resolves with whether it was done. */
  run(line: string): Promise<boolean>
  /** Do it soon. Of lines with the same key that come too fast, the newest counts. */
  flow(key: string, line: string): void
  /** Forget what has not been sent yet. */
  drop(): void
}

export function makeCommands(app: App): Commands {
  const waiting = new Map<string, string>()
  let timer = 0
  let problem = ''

  const run = async (line: string) => {
    if (!app.control.isMine && !(app.control.holder === '' && (await app.control.ask()))) {
      app.shell.toast(whoDrives(app), 'problem')
      return false
    }
    const answer = await app.connection.command(line)
    if (!answer.ok && answer.text !== problem)
      app.shell.toast(answer.text || `not done: ${line}`, 'problem')
    problem = answer.ok ? '' : answer.text // what is refused twenty times a second is said once
    return answer.ok
  }
  const next = () => {
    const first = waiting.entries().next()
    if (first.done) {
      timer = 0
      return
    }
    const [key, line] = first.value
    waiting.delete(key)
    void run(line)
    timer = window.setTimeout(next, LINE_PERIOD_MS)
  }
  return {
    run,
    flow(key, line) {
      waiting.set(key, line)
      if (timer === 0) next()
    },
    drop: () => waiting.clear(),
  }
}

/** Why nothing can be moved from here. */
export function whoDrives(app: App): string {
  if (app.connection.state !== 'open') return 'The room cannot be reached at the moment.'
  return app.control.holder
    ? `${app.control.holder} is driving; take control to drive yourself.`
    : 'Nobody is driving; take control to drive.'
}

/** Contents that are usable only while in control; otherwise a line above says why not. */
export function gate(app: App, ...children: Node[]): { element: HTMLElement; close: Close } {
  const words = el('span')
  const take = button('Take control', () => void app.control.ask(true), {
    class: 'primary',
    id: 'take-control',
  })
  const hint = el('div', { class: 'p-gate', role: 'status' }, words, take)
  const fields = el('fieldset', { class: 'p-plain' }, ...children)
  const show = () => {
    const isOpen = app.control.isMine && app.connection.state === 'open'
    hint.hidden = isOpen
    fields.disabled = !isOpen
    take.hidden = app.connection.state !== 'open'
    setText(words, isOpen ? '' : whoDrives(app))
  }
  show()
  const closes = [app.control.onChange(show), app.connection.onState(show)]
  return {
    element: el('div', {}, hint, fields),
    close: () => {
      for (const close of closes) close()
    },
  }
}
