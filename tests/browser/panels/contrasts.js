(selector) => {
  // Words paler than 4.5 : 1 against what is behind them, and controls without a name.
  const panel = document.querySelector(selector)
  const numbers = (colour) => {
    const found = /^rgba?\(([^)]+)\)$/.exec(colour)
    if (found) {
      const parts = found[1].split(/[ ,/]+/).map(Number)
      return [parts[0] / 255, parts[1] / 255, parts[2] / 255, parts[3] ?? 1]
    }
    const mixed = /^color\(srgb ([^)]+)\)$/.exec(colour)
    const parts = mixed ? mixed[1].split(/[ /]+/).map(Number) : [0, 0, 0, 0]
    return [parts[0], parts[1], parts[2], parts[3] ?? 1]
  }
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]))
  const behind = (element) => {
    const layers = []
    for (let each = element; each; each = each.parentElement) {
      const colour = numbers(getComputedStyle(each).backgroundColor)
      if (colour[3] > 0) layers.push(colour)
      // What the picture shows through a panel is not known: the page's own ground stands for it.
      if (each.classList.contains('panel') || each.tagName === 'DIALOG') break
    }
    const ground = numbers(getComputedStyle(document.body).backgroundColor)
    return layers.reverse().reduce((below, layer) => over(layer, below), ground)
  }
  const light = (colour) => {
    const [r, g, b] = colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pale = []
  const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const isSeen = element.offsetParent !== null && walker.currentNode.textContent.trim() !== ''
    if (!isSeen || element.closest(':disabled, option')) continue
    const ground = behind(element)
    const words = over(numbers(getComputedStyle(element).color), ground)
    const [high, low] = [light(words), light(ground)].sort((a, b) => b - a)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < 4.5) pale.push(`${contrast.toFixed(2)} ${walker.currentNode.textContent.trim()}`)
  }
  const nameless = [...panel.querySelectorAll('button, input, select, [role=treeitem]')]
    .filter((each) => each.offsetParent !== null)
    .filter((each) => {
      const label = [...(each.labels ?? [])].map((one) => one.textContent).join('')
      const words = each.tagName === 'BUTTON' ? each.textContent : label
      return !(each.getAttribute('aria-label') || each.title || words.trim())
    })
    .map((each) => each.outerHTML.slice(0, 120))
  return { pale, nameless }
}
