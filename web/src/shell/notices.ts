import type { Shell } from '../app'
import { icon } from './icons'
import { part } from './parts'

const TOAST_TIME_MS = 4000 // and for every character
const READING_TIME_MS = 50
const MAX_TOASTS = 4
const GAP = 8 // px

interface Notices extends Pick<Shell, 'banner' | 'toast'> {
  readonly banners: HTMLElement
  readonly toasts: HTMLElement
}

/**
 * Words for the person: toasts go by themselves, banners stay until they are closed. What is said
 * before there is something to see (`isWaiting`) stays until there is.
 */
export function makeNotices(isWaiting: () => boolean): Notices {
  const banners = part('div', 'banners')
  const toasts = part('div', 'toasts')
  toasts.setAttribute('aria-live', 'polite')
  // On a phone both come at the top: toasts below banners.
  const { style } = document.documentElement
  const watch = new ResizeObserver(() => {
    const height = banners.offsetHeight
    style.setProperty('--banners', height ? `${height + GAP}px` : '0px')
  })
  watch.observe(banners)
  return {
    banners,
    toasts,
    toast(text, kind = 'info') {
      // A repeated message replaces the old one.
      for (const old of [...toasts.children]) if (old.textContent === text) old.remove()
      const toast = part('div', `toast ${kind}`)
      toast.append(icon(kind === 'problem' ? 'warning' : 'info', 18), text)
      if (kind === 'problem') toast.setAttribute('role', 'alert')
      toasts.append(toast)
      while (toasts.children.length > MAX_TOASTS) toasts.firstElementChild?.remove()
      const time = TOAST_TIME_MS + READING_TIME_MS * text.length
      const end = () => {
        if (isWaiting()) window.setTimeout(end, time)
        else toast.remove()
      }
      window.setTimeout(end, time)
    },
    banner(id, text, actions = []) {
      banners.querySelector(`#banner-${id}`)?.remove()
      const banner = part('div', 'banner')
      banner.id = `banner-${id}`
      banner.setAttribute('role', 'alert')
      banner.append(
        icon('warning', 18),
        Object.assign(part('span', 'words'), { textContent: text }),
      )
      for (const { label, onClick } of actions) {
        const button = Object.assign(document.createElement('button'), { textContent: label })
        button.addEventListener('click', onClick)
        banner.append(button)
      }
      banners.append(banner)
      return () => banner.remove()
    },
  }
}
