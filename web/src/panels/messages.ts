// Messages of the room, and a command line.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { onPageErrors } from '../shell/page_errors'
import { button, el, row, setText } from './dom'
import { healthFigures } from './health'

const MAX_LINES = 300
const MAX_HISTORY = 100 // lines that were typed

export function setUpMessages(app: App): Close {
  const body = app.shell.panel({
    id: 'messages',
    title: 'Messages',
    icon: 'console',
    side: 'left',
    key: 'm',
  })
  const log = el('div', {
    class: 'p-log',
    role: 'log',
    'aria-label': 'What the room says',
    tabindex: 0,
    'data-id': 'log',
  })
  let last: { key: string; line: HTMLElement; count: number } | undefined
  const write = (text: string, kind: 'said' | 'problem' | 'typed') => {
    if (!text) return
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8
    if (last?.key === kind + text && kind !== 'typed') {
      last.count += 1
      last.line.dataset.count = `× ${last.count}`
    } else {
      last = { key: kind + text, line: el('p', { class: kind }, text), count: 1 }
      log.append(last.line)
    }
    while (log.childElementCount > MAX_LINES) log.firstElementChild?.remove()
    if (isAtEnd) log.scrollTop = log.scrollHeight
  }
  const line = commandLine(app, write)
  const health = healthFigures(app)
  body.append(health.element, log, line)
  const said = app.connection.on('said', (message) => {
    write(
      message.problem ? `${message.problem}: ${message.text}` : message.text,
      message.problem ? 'problem' : 'said',
    )
  })
  const failed = onPageErrors((details) => write(`page: ${details}`, 'problem'))
  return closeAll([said, failed, health.close])
}

function commandLine(
  app: App,
  write: (text: string, kind: 'said' | 'problem' | 'typed') => void,
): HTMLElement {
  const input = el('input', {
    type: 'text',
    class: 'p-grow',
    placeholder: 'Command, such as home',
    'aria-label': 'Command line',
    autocomplete: 'off',
    spellcheck: 'false',
    'data-id': 'command-line',
  })
  const usage = el('p', { class: 'p-hint', role: 'status', 'data-id': 'usage' })
  const typed: string[] = []
  let at = 0 // in `typed`, from the end
  let known: Promise<ReadonlyMap<string, string>> | undefined

  const run = async () => {
    const text = input.value.trim()
    if (!text) return
    input.value = ''
    at = 0
    if (typed.at(-1) !== text) typed.push(text)
    if (typed.length > MAX_HISTORY) typed.shift()
    write(text, 'typed')
    const answer = await app.connection.command(text)
    write(
      forPages(answer.text) || (answer.ok ? 'done' : 'not done'),
      answer.ok ? 'said' : 'problem',
    )
  }
  const recall = (by: number) => {
    at = Math.min(Math.max(at + by, 0), typed.length)
    input.value = at === 0 ? '' : (typed[typed.length - at] ?? '')
  }
  const commandNames = () => {
    known ??= readCommands(app)
    return known
  }
  const complete = async () => {
    const words = input.value.trimStart()
    const fitting = [...(await commandNames()).keys()].filter((name) => name.startsWith(words))
    if (fitting.length === 0) return
    const shared = sharedStart(fitting)
    input.value = fitting.length === 1 ? `${shared} ` : shared
    setText(usage, fitting.length === 1 ? await usageOf(shared) : fitting.join('  '))
  }
  const usageOf = async (name: string) => {
    const text = (await commandNames()).get(name)
    return text === undefined ? '' : `${name}: ${text}`
  }
  const hint = async () => {
    const name = /^\s*(\w+)\s/.exec(input.value)?.[1] ?? ''
    if (name || !usage.textContent?.includes('  ')) setText(usage, name ? await usageOf(name) : '')
  }
  input.addEventListener('input', () => void hint())
  input.addEventListener('keydown', (event) => {
    const isWord = !input.value.trimStart().includes(' ') && input.value.trim() !== ''
    if (event.key === 'Enter') void run()
    else if (event.key === 'ArrowUp') recall(1)
    else if (event.key === 'ArrowDown') recall(-1)
    else if (event.key === 'Tab' && isWord && !event.shiftKey) void complete()
    else return
    event.preventDefault()
  })
  return el(
    'div',
    { class: 'p-command' },
    row(
      input,
      button('Do it', () => void run(), { id: 'run-command' }),
    ),
    usage,
  )
}

/** Without the commands that only a terminal has: here, keys are pressed by pressing them. */
function forPages(text: string): string {
  return text.replace(/^(press|release): .*\n?/gm, '')
}

/** The commands of the room, each with its usage: the room itself knows them best. */
async function readCommands(app: App): Promise<ReadonlyMap<string, string>> {
  const answer = await app.connection.command('help')
  const lines = forPages(answer.text)
    .split('\n')
    .map((line) => /^(\w+): (.*)$/.exec(line))
  return new Map(
    lines.filter((match) => match !== null).map((match) => [match[1] ?? '', match[2] ?? '']),
  )
}

function sharedStart(words: readonly string[]): string {
  let start = words[0] ?? ''
  for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1)
  return start
}
