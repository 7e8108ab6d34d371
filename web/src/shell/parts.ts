import { icon } from './icons'

export function part(tag: string, className: string): HTMLElement {
  return Object.assign(document.createElement(tag), { className })
}

/** A button that shows an icon; its title says what it does. */
export function makeButton(name: string, title: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'icon-button'
  button.title = title
  button.setAttribute('aria-label', title)
  button.append(icon(name))
  return button
}
