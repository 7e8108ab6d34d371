import type { Close } from '../app'
import { closeAll, listen } from '../listeners'

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
}

/**
 * One stop of the Tab key for a group of buttons: arrows, Home and End go on from there. Only for who
 * came by the keyboard: after a click the arrows still drive the robot.
 */
export function rove(group: HTMLElement): Close {
  let isByKey = false
  const buttons = () => [...group.querySelectorAll<HTMLElement>('button:not([hidden])')]
  const settle = (stop?: Element | null) => {
    const all = buttons()
    const kept = all.find((each) => each === stop) ?? all.find((each) => each.tabIndex === 0)
    for (const each of all) each.tabIndex = each === (kept ?? all[0]) ? 0 : -1
  }
  const move = (event: KeyboardEvent) => {
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (at < 0 || !isByKey || event.ctrlKey || event.altKey || event.metaKey) return
    const step = STEPS[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? -1
          : step
            ? (at + step) % all.length
            : undefined
    if (next === undefined) return
    event.preventDefault()
    event.stopImmediatePropagation() // nothing is driven
    all.at(next)?.focus()
  }
  const watcher = new MutationObserver(() => settle())
  watcher.observe(group, { childList: true, subtree: true, attributeFilter: ['hidden'] })
  settle()
  return closeAll([
    listen(
      window,
      'pointerdown',
      () => {
        isByKey = false
      },
      { capture: true },
    ),
    listen(
      window,
      'keydown',
      (event) => {
        if (event.key === 'Tab') isByKey = true
      },
      { capture: true },
    ),
    listen(window, 'keydown', move, { capture: true }),
    listen(group, 'focusin', (event) => settle(event.target as Element)),
    () => watcher.disconnect(),
  ])
}
