import type { Close, Shell } from '../app'

/** A card at the foot of the picture that says what is drawn; several stand above each other. */
export function addLegend(shell: Shell, title: string, ...content: HTMLElement[]): Close {
  const stack = shell.overlay.querySelector('.legends') ?? makeStack(shell)
  const legend = part('div', 'legend')
  legend.append(Object.assign(part('div', 'legend-title'), { textContent: title }), ...content)
  stack.append(legend)
  return () => {
    legend.remove()
    if (!stack.childElementCount) stack.remove()
  }
}

function makeStack(shell: Shell): HTMLElement {
  const stack = part('div', 'legends')
  shell.overlay.append(stack)
  return stack
}

function part(tag: 'div' | 'span', name: string): HTMLElement {
  return Object.assign(document.createElement(tag), { className: name })
}

/** Words at the ends of a bar of colours. */
export function makeScale(stops: readonly string[], ends: readonly string[]): HTMLElement[] {
  const scale = part('div', 'scale')
  scale.style.background = `linear-gradient(90deg, ${stops.join(', ')})`
  const words = part('div', 'ends')
  words.append(...ends.map((word) => Object.assign(part('span', ''), { textContent: word })))
  return [scale, words]
}

/** A colour, with a line of words that may change. */
export function makeKey(colour: string): { element: HTMLElement; say(text: string): void } {
  const element = part('div', 'legend-key')
  const swatch = part('span', 'swatch')
  swatch.style.background = colour
  const words = part('span', '')
  element.append(swatch, words)
  return {
    element,
    say(text) {
      if (words.textContent !== text) words.textContent = text
    },
  }
}
