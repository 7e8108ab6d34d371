// Keys of the room. Keys of the page itself (with Ctrl or Alt, or taken by a panel), and what is
// typed into fields, are none.

import type { App, Close } from '../app'
import { codeOf } from '../key_codes'
import { closeAll, listen } from '../listeners'
import type { Attention } from './attention'
import type { Feed } from './feed'
import { onPulse } from './pulse'

const PERIOD_MS = 33 // between two messages that the page is still there
const MAX_KEYS = 20 // at once; with more, something is stuck
const TYPING = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
const STEERED =
  '[role="slider"], [role="listbox"], [role="menu"], [role="tree"], [role="tablist"], [role="radiogroup"]'
const PRESSED = 'button, a[href], summary, [role="button"], [role="menuitem"], [role="switch"]'
const PRESS_KEYS = new Set(['Enter', 'Space', 'NumpadEnter'])
const PAGE_KEYS = new Set(['Tab', 'F5', 'F11', 'F12']) // of the browser, and for use without a mouse
const SCROLLS = /^(Arrow|Page|Home|End|Space|Backspace|Quote|Slash)/ // scroll, go back, or search

interface Keyboard {
  readonly down: ReadonlySet<string> // codes
  /** Press and release a key of the room by its name, as buttons on the screen do. */
  press(key: string): void
  release(key: string): void
  readonly close: Close
}

export function setUpKeyboard(
  app: App,
  feed: Feed,
  options: { attention: Attention; onPress: (code: string) => void },
): Keyboard {
  const { attention } = options
  const down = new Set<string>()
  let said = 0

  const mayHear = () => feed.isOpen && attention.isHere
  const releaseAll = () => {
    if (down.size === 0) return
    down.clear()
    feed.send('keyboard', { type: 'blur' })
  }
  const put = (code: string, key: string) => {
    if (down.has(code) || down.size >= MAX_KEYS) return
    down.add(code)
    feed.send('keyboard', { type: 'down', code, key })
    options.onPress(code)
  }
  const lift = (code: string) => {
    if (down.delete(code)) feed.send('keyboard', { type: 'up', code })
  }
  const press = (event: KeyboardEvent) => {
    if (event.metaKey) return releaseAll() // while it is down, no key is heard to come up
    if (!isForRoom(event) || !mayHear()) return
    if (SCROLLS.test(event.code)) event.preventDefault()
    if (!event.repeat) put(event.code, event.key)
  }
  const beat = (now: number) => {
    if (now - said < PERIOD_MS || !mayHear()) return
    said = now
    feed.send('keyboard', { type: 'state', down: [...down] })
  }

  feed.setPresent('keyboard', 'Keyboard')
  const close = closeAll([
    listen(window, 'keydown', press),
    listen(window, 'keyup', (event) => lift(event.code), { capture: true }),
    attention.onChange(() => {
      if (!attention.isHere) releaseAll()
    }),
    app.control.onChange(() => down.clear()),
    onPulse(app, beat),
    () => feed.setPresent('keyboard', undefined),
  ])
  return {
    down,
    press(key) {
      if (mayHear()) put(codeOf(key), key)
    },
    release: (key) => lift(codeOf(key)),
    close,
  }
}

/** Whether a key means the room, and not the page or something in it. */
function isForRoom(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || !event.code) return false
  if (event.ctrlKey && event.key !== 'Control') return false
  if (event.altKey && event.key !== 'Alt') return false
  if (PAGE_KEYS.has(event.code)) return false
  const target = event.target
  if (!(target instanceof Element)) return true
  if (target.closest(TYPING) || target.closest(STEERED)) return false
  return !(PRESS_KEYS.has(event.code) && target.closest(PRESSED))
}
