import type { Close } from '../app'
import { isTyping, listen } from '../listeners'
import type { KeyHint } from '../net/protocol'

/** Keys of the page itself. The room's own keys come first: those never reach the page. */
export interface Keys {
  readonly all: readonly KeyHint[]
  add(key: string, does: string, onPress: () => void): Close
  close: Close
}

interface Entry extends KeyHint {
  onPress: () => void
}

export function makeKeys(roomKeys: () => readonly KeyHint[]): Keys {
  const entries = new Set<Entry>()
  const press = (event: KeyboardEvent) => {
    const combination = combinationOf(event)
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey
    // Escape stops robots: whatever has the focus, and whatever else a room does with it.
    const isOurs = hasModifier || event.key === 'Escape'
    if (!isOurs && (isTyping(event) || isTaken(event.key, roomKeys()))) return
    if (isEditing(event)) return
    for (const entry of [...entries])
      if (normal(entry.key) === combination) {
        event.preventDefault()
        entry.onPress()
      }
  }
  const close = listen(window, 'keydown', press)
  return {
    get all() {
      return [...entries].map(({ key, does }) => ({ key, does }))
    },
    add(key, does, onPress) {
      const entry = { key, does, onPress }
      entries.add(entry)
      return () => entries.delete(entry)
    },
    close,
  }
}

/** Such as "ctrl+shift+z", "alt+1", "f1" or "escape". */
function combinationOf(event: KeyboardEvent): string {
  // Alt changes the letter on some keyboards, so the place of the key counts with it.
  const plain = event.altKey ? letterOf(event.code) : event.key
  return normal(
    [
      event.ctrlKey || event.metaKey ? 'ctrl' : '',
      event.altKey ? 'alt' : '',
      event.shiftKey && (event.ctrlKey || event.metaKey || event.altKey) ? 'shift' : '',
      plain,
    ]
      .filter(Boolean)
      .join('+'),
  )
}

function letterOf(code: string): string {
  const signs: Record<string, string> = { Equal: '=', Minus: '-' }
  return signs[code] ?? code.replace(/^(Key|Digit)/, '')
}

const normal = (key: string) => key.toLowerCase().replace(/^esc$/, 'escape')

/** Whether a key belongs to the room. */
export function isTaken(key: string, hints: readonly KeyHint[]): boolean {
  return hints.some((hint) => hint.key.toLowerCase() === key.toLowerCase())
}

const NO_TEXT = 'checkbox, radio, range, button, submit, reset, file, color'.split(', ')

/** Whether a key such as Ctrl+Z edits text in a field, and so is not for the page. */
function isEditing(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return false
  if (target instanceof HTMLInputElement) return !NO_TEXT.includes(target.type)
  return target instanceof HTMLElement && target.matches('textarea, [contenteditable]')
}
