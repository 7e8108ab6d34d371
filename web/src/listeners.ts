import type { Close } from './app'

/** Handlers of one thing that happens. */
interface Listeners<Args extends unknown[]> {
  on(handler: (...args: Args) => void): Close
  tell(...args: Args): void
}

export function makeListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const handlers = new Set<(...args: Args) => void>()
  return {
    on(handler) {
      // Wrapped, so that a function given twice is called twice, and removed one at a time.
      const entry = (...args: Args) => handler(...args)
      handlers.add(entry)
      return () => handlers.delete(entry)
    },
    tell(...args) {
      for (const handler of [...handlers]) handler(...args)
    },
  }
}

/** One function that closes all, last opened first. */
export function closeAll(closes: readonly Close[]): Close {
  return () => {
    for (const close of [...closes].reverse()) close()
  }
}

/** Listen to an event of the page; returns the function that stops it. */
export function listen<K extends keyof HTMLElementEventMap>(
  target: EventTarget,
  type: K,
  handler: (event: HTMLElementEventMap[K]) => void,
  options?: AddEventListenerOptions,
): Close {
  const receive = handler as EventListener
  target.addEventListener(type, receive, options)
  return () => target.removeEventListener(type, receive, options)
}

/** Whether a key goes to a form field, and so neither to the page nor to the room. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  )
}
