import type { Close, PanelOptions, Shell, Theme } from '../app'
import type { Covered } from '../cameras/view'
import { listen, makeListeners } from '../listeners'
import type { KeyHint } from '../net/protocol'
import { recall, remember } from '../remembered'
import { isTaken, makeKeys } from './keys'
import { makeNotices } from './notices'
import { makeButton, part } from './parts'
import { rove } from './roving'

/** The shell with what only its owner needs: the elements for picture and status, closing. */
export interface LiveShell extends Shell {
  readonly picture: HTMLElement
  readonly status: HTMLElement // at the start of the bar: the room
  readonly corner: HTMLElement // at its end
  /** How much of the picture open panels cover, in pixels. */
  covered(): Covered
  close: Close
}

/** `roomKeys`: those that the room listens to; the page leaves them alone. */
export function makeShell(root: HTMLElement, roomKeys: () => readonly KeyHint[]): LiveShell {
  const picture = part('main', 'picture')
  const overlay = part('div', 'overlay')
  const bar = part('header', 'bar')
  const status = part('div', 'bar-start')
  const tools = part('div', 'tools')
  const corner = part('div', 'bar-end')
  tools.setAttribute('role', 'toolbar')
  tools.setAttribute('aria-label', 'Tools')
  bar.append(status, tools, corner)
  const notices = makeNotices(() => overlay.querySelector('.loading') !== null)
  const noticeArea = part('div', 'notices')
  noticeArea.append(notices.banners)
  const rails = part('div', 'rails')
  const docks = { left: part('aside', 'dock left'), right: part('aside', 'dock right') }
  const rail = { left: makeRail('left'), right: makeRail('right') }
  rails.append(rail.left, rail.right)
  // In the order of the keyboard: the buttons of panels come before what is in the panels.
  root.append(picture, overlay, bar, rails, docks.left, docks.right, noticeArea, notices.toasts)

  const roving = [tools, rail.left, rail.right].map(rove)
  const keys = makeKeys(roomKeys)
  const themes = makeTheme()
  const panels = makePanels(docks, rail)

  return {
    picture,
    overlay,
    status,
    corner,
    covered: () => coveredBy(docks, picture),
    panel(options) {
      const does = `show or hide “${options.title}”`
      const show = () => panels.open(options.id)
      const number = `Alt+${panels.count + 1}` // works in every room
      if (options.key) keys.add(options.key, does, show)
      keys.add(number, does, show)
      return panels.add(options, () =>
        options.key && !isTaken(options.key, roomKeys()) ? options.key : number,
      )
    },
    open: panels.open,
    tool({ id, title, icon: name, key, onClick }) {
      const button = makeButton(name, key ? `${title} (${key})` : title)
      button.id = `tool-${id}`
      button.addEventListener('click', onClick)
      tools.append(button)
      if (key) keys.add(key, title, onClick)
      return button
    },
    toast: notices.toast,
    banner: notices.banner,
    key: keys.add,
    get keys() {
      return keys.all
    },
    get isDark() {
      return themes.isDark
    },
    get theme() {
      return themes.theme
    },
    set theme(theme) {
      themes.theme = theme
    },
    onTheme: themes.onChange,
    close() {
      for (const close of roving) close()
      keys.close()
      panels.close()
      themes.close()
      root.replaceChildren()
    },
  }
}

type Sides<T> = Record<PanelOptions['side'], T>

function makeRail(side: PanelOptions['side']): HTMLElement {
  const rail = part('nav', `rail ${side}`)
  rail.setAttribute('aria-label', `Panels on the ${side}`)
  return rail
}

interface Panel {
  side: PanelOptions['side']
  element: HTMLElement
  button: HTMLButtonElement
}

/**
 * Panels at the sides, one open on each; where two would leave no room between them only one, on a
 * phone as a sheet at the bottom.
 */
function makePanels(docks: Sides<HTMLElement>, rails: Sides<HTMLElement>) {
  const all = new Map<string, Panel>()
  const isSmall = window.matchMedia('(max-width: 720px)')
  const isNarrow = window.matchMedia('(max-width: 1100px)')
  let latest: Panel | undefined

  const show = (panel: Panel, isOpen: boolean) => {
    panel.element.hidden = !isOpen
    panel.button.setAttribute('aria-expanded', String(isOpen))
  }
  const open = (id: string, isOpen?: boolean, isRemembered = true) => {
    const panel = all.get(id)
    if (!panel) return
    const becomes = isOpen ?? panel.element.hidden !== false
    if (becomes)
      for (const other of all.values())
        if (other !== panel && (isNarrow.matches || other.side === panel.side)) show(other, false)
    if (becomes) latest = panel
    show(panel, becomes)
    if (isRemembered) remember('panels', openIds(all))
  }
  const add = (options: PanelOptions, keyNow: () => string): HTMLElement => {
    const element = part('section', 'panel')
    element.id = `panel-${options.id}`
    const title = Object.assign(document.createElement('h2'), { textContent: options.title })
    const close = makeButton('close', `Close “${options.title}”`)
    const head = part('header', 'panel-head')
    const body = part('div', 'panel-body')
    head.append(title, close)
    element.append(head, body)
    element.setAttribute('aria-label', options.title)
    const button = makeButton(options.icon, options.title)
    // Which key works is known once the room is: it is looked up when somebody wants to know.
    for (const event of ['pointerenter', 'focus'] as const)
      button.addEventListener(event, () => {
        button.title = `${options.title} (${keyNow()})`
      })
    button.setAttribute('aria-controls', element.id)
    button.dataset.label = options.title
    button.addEventListener('click', () => open(options.id))
    close.addEventListener('click', () => {
      open(options.id, false)
      button.focus()
    })
    docks[options.side].append(element)
    rails[options.side].append(button)
    const panel = { side: options.side, element, button }
    all.set(options.id, panel)
    const wished = recall<string[]>('panels')?.includes(options.id) ?? options.isOpen ?? false
    show(panel, false)
    const isFree = isNarrow.matches
      ? !hasOpen(all, 'left') && !hasOpen(all, 'right')
      : !hasOpen(all, options.side)
    if (wished && !isSmall.matches && isFree) show(panel, true)
    return body
  }
  // A window that becomes narrow keeps the panel that was opened last.
  const closeNarrow = listen(isNarrow, 'change', () => {
    const shown = [...all.values()].filter(({ element }) => !element.hidden)
    const kept = latest && shown.includes(latest) ? latest : shown[0]
    if (isNarrow.matches) for (const panel of shown) show(panel, panel === kept)
  })
  return {
    add,
    open,
    close: closeNarrow,
    get count() {
      return all.size
    },
  }
}

/** What open panels cover: a side each, or the bottom on a phone; and what else stands at the foot. */
function coveredBy(docks: Sides<HTMLElement>, picture: HTMLElement): Covered {
  const whole = picture.getBoundingClientRect()
  const covered = { left: 0, right: 0, bottom: 0 }
  for (const dock of [docks.left, docks.right]) {
    const panel = dock.querySelector('.panel:not([hidden])')?.getBoundingClientRect()
    if (!panel?.width) continue // none is open, or it is not for this kind of page
    if (panel.width > 0.8 * whole.width) covered.bottom = whole.bottom - panel.top
    else if (dock === docks.left) covered.left = panel.right - whole.left
    else covered.right = whole.right - panel.left
  }
  const foot = document.querySelector('[data-covers=bottom]')?.getBoundingClientRect()
  if (foot?.height) covered.bottom = Math.max(covered.bottom, whole.bottom - foot.top)
  return covered
}

function hasOpen(all: ReadonlyMap<string, Panel>, side: PanelOptions['side']): boolean {
  return [...all.values()].some((panel) => panel.side === side && !panel.element.hidden)
}

function openIds(all: ReadonlyMap<string, Panel>): string[] {
  return [...all].filter(([, panel]) => !panel.element.hidden).map(([id]) => id)
}

/** Light or dark, as set in the system or chosen here. */
function makeTheme() {
  const changes = makeListeners()
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  let theme: Theme = recall<Theme>('theme') ?? 'system'
  const isDark = () => (theme === 'system' ? system.matches : theme === 'dark')
  const apply = () => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
    changes.tell()
  }
  apply()
  const close = listen(system, 'change', apply)
  return {
    get isDark() {
      return isDark()
    },
    get theme() {
      return theme
    },
    set theme(next: Theme) {
      theme = next
      remember('theme', next)
      apply()
    },
    onChange: changes.on,
    close,
  }
}
