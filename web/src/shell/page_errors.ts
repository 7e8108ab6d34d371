// Mistakes of the page itself: people read that something failed, Messages has the browser's words.

import type { Close } from '../app'

export const PAGE_FAILED =
  'Something in this page failed. If it misbehaves, reload it; Messages has the details.'

/** Call back with the browser's words for every mistake that nobody has caught. */
export function onPageErrors(handle: (details: string) => void): Close {
  const onError = ({ message }: ErrorEvent) => {
    // Browsers say so when a change of size leads to another one; the next picture has it right.
    if (!message.startsWith('ResizeObserver loop')) handle(message)
  }
  const onRejection = ({ reason }: PromiseRejectionEvent) => handle(String(reason))
  window.addEventListener('error', onError)
  window.addEventListener('unhandledrejection', onRejection)
  return () => {
    window.removeEventListener('error', onError)
    window.removeEventListener('unhandledrejection', onRejection)
  }
}
