// Whether the person is at this page: only then may its devices send.

import type { Close } from '../app'
import { closeAll, makeListeners } from '../listeners'

export interface Attention {
  /** The page is seen and hears keys, or a headset shows it. */
  readonly isHere: boolean
  /** A headset shows the room; then the focus of the window does not matter. */
  inHeadset: boolean
  onChange(handler: () => void): Close
}

export function makeAttention(): Attention & { close: Close } {
  const changes = makeListeners()
  let hasFocus = document.hasFocus()
  let inHeadset = false
  const change = (focus: boolean) => {
    if (hasFocus === focus) return
    hasFocus = focus
    changes.tell()
  }
  const gain = () => change(true)
  const lose = () => change(false)
  const look = () => change(document.visibilityState === 'visible' && document.hasFocus())
  const on = (target: EventTarget, type: string, handler: () => void): Close => {
    target.addEventListener(type, handler, { capture: true })
    return () => target.removeEventListener(type, handler, { capture: true })
  }
  const close = closeAll([
    onWindow('focus', gain),
    onWindow('blur', lose),
    on(window, 'keydown', gain),
    on(window, 'pointerdown', gain),
    on(window, 'pagehide', lose),
    on(document, 'visibilitychange', look),
  ])
  return {
    get isHere() {
      return inHeadset || (hasFocus && document.visibilityState === 'visible')
    },
    get inHeadset() {
      return inHeadset
    },
    set inHeadset(value) {
      inHeadset = value
      changes.tell()
    },
    onChange: changes.on,
    close,
  }
}

/** Listen to the window itself: focus and blur of what is in it do not count. */
function onWindow(type: 'focus' | 'blur', handler: () => void): Close {
  const receive = (event: FocusEvent) => {
    if (event.target === window) handler()
  }
  window.addEventListener(type, receive)
  return () => window.removeEventListener(type, receive)
}
