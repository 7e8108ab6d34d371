// Draws a part of the page on a canvas, so that it can be seen in a headset, where there is no page.
// It knows what panels are made of: words, boxes, fields, sliders, switches and drawings.

const RANGE_HEIGHT = 6 // px, of the groove of a slider
const KNOB_RADIUS = 8 // px

interface Tools {
  pen: CanvasRenderingContext2D
  origin: DOMRect // of the part
  drawings: Map<SVGElement, HTMLImageElement>
  onDrawn: () => void // a drawing has come
}

export interface DomPainter {
  paint(): void
}

/** `scale` is pixels of the canvas a pixel of the page; `onDrawn` asks for another picture. */
export function makeDomPainter(
  element: HTMLElement,
  canvas: HTMLCanvasElement,
  scale: number,
  onDrawn: () => void,
): DomPainter {
  const drawings = new Map<SVGElement, HTMLImageElement>()
  return {
    paint() {
      const pen = canvas.getContext('2d')
      const origin = element.getBoundingClientRect()
      if (!pen || origin.width === 0) return
      pen.setTransform(scale, 0, 0, scale, 0, 0)
      pen.clearRect(0, 0, canvas.width, canvas.height)
      paintElement(element, { pen, origin, drawings, onDrawn })
    },
  }
}

function paintElement(element: Element, tools: Tools): void {
  const style = getComputedStyle(element)
  if (style.display === 'none' || style.visibility === 'hidden') return
  const { pen, origin } = tools
  const rect = element.getBoundingClientRect()
  const [x, y] = [rect.left - origin.left, rect.top - origin.top]
  if (element instanceof SVGElement || element instanceof HTMLCanvasElement) {
    if (element instanceof SVGElement) paintDrawing(element, rect, tools)
    else if (rect.width && rect.height) pen.drawImage(element, x, y, rect.width, rect.height)
    return
  }
  pen.save()
  pen.globalAlpha *= Number(style.opacity)
  paintBox(pen, style, x, y, rect)
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
    paintField(pen, element, style, { x, y, width: rect.width, height: rect.height })
  if (/auto|hidden|scroll|clip/.test(style.overflowY)) {
    pen.beginPath()
    pen.rect(x, y, rect.width, rect.height)
    pen.clip()
  }
  if (!(element instanceof HTMLSelectElement))
    for (const child of element.childNodes) {
      if (child instanceof Element) paintElement(child, tools)
      else if (child instanceof Text) paintWords(child, style, tools)
    }
  pen.restore()
}

function paintBox(
  pen: CanvasRenderingContext2D,
  style: CSSStyleDeclaration,
  x: number,
  y: number,
  { width, height }: DOMRect,
): void {
  if (width === 0 || height === 0) return
  const radius = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, height / 2, width / 2)
  pen.beginPath()
  pen.roundRect(x, y, width, height, radius)
  if (style.backgroundColor !== 'rgba(0, 0, 0, 0)') {
    pen.fillStyle = style.backgroundColor
    pen.fill()
  }
  const line = Number.parseFloat(style.borderBottomWidth)
  if (line > 0 && style.borderBottomStyle !== 'none') {
    pen.strokeStyle = style.borderBottomColor
    pen.lineWidth = line
    if (Number.parseFloat(style.borderTopWidth) === 0) {
      pen.beginPath()
      pen.moveTo(x, y + height - line / 2)
      pen.lineTo(x + width, y + height - line / 2)
    }
    pen.stroke()
  }
}

/** Words of one text, each line where the browser has broken it. */
function paintWords(text: Text, style: CSSStyleDeclaration, { pen, origin }: Tools): void {
  if (!text.data.trim()) return
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  pen.fillStyle = style.color
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  for (const { words, rect } of linesOf(text)) {
    const shown = style.textTransform === 'uppercase' ? words.toUpperCase() : words
    pen.fillText(shown, rect.left - origin.left, rect.top - origin.top + rect.height / 2)
  }
}

function linesOf(text: Text): { words: string; rect: DOMRect }[] {
  const range = document.createRange()
  range.selectNodeContents(text)
  const whole = [...range.getClientRects()]
  const first = whole[0]
  if (!first) return []
  if (whole.length === 1) return [{ words: text.data.trim(), rect: first }]
  const lines: { words: string; rect: DOMRect }[] = []
  for (const match of text.data.matchAll(/\S+/g)) {
    range.setStart(text, match.index)
    range.setEnd(text, match.index + match[0].length)
    const rect = range.getBoundingClientRect()
    const last = lines.at(-1)
    if (last && Math.abs(last.rect.top - rect.top) < rect.height / 2) last.words += ` ${match[0]}`
    else lines.push({ words: match[0], rect })
  }
  return lines
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

function paintField(
  pen: CanvasRenderingContext2D,
  field: HTMLInputElement | HTMLSelectElement,
  style: CSSStyleDeclaration,
  area: Area,
): void {
  const accent = style.accentColor === 'auto' ? '#3b78e7' : style.accentColor
  if (field instanceof HTMLInputElement && field.type === 'range') {
    paintSlider(pen, field, accent, style.color, area)
    return
  }
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) {
    if (style.appearance === 'none') return // the box itself shows it
    pen.fillStyle = field.checked ? accent : style.backgroundColor
    pen.strokeStyle = accent
    pen.beginPath()
    pen.roundRect(area.x, area.y, area.width, area.height, 3)
    pen.fill()
    pen.stroke()
    return
  }
  const words =
    field instanceof HTMLSelectElement
      ? `${field.selectedOptions[0]?.label ?? ''}`
      : field.value || field.placeholder
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  pen.fillStyle = style.color
  pen.textBaseline = 'middle'
  const pad = Number.parseFloat(style.paddingLeft) || 0
  const isRight = style.textAlign === 'right' || style.textAlign === 'end'
  pen.textAlign = isRight ? 'right' : 'left'
  const at = isRight ? area.x + area.width - pad : area.x + pad
  pen.fillText(words, at, area.y + area.height / 2, area.width - 2 * pad)
}

function paintSlider(
  pen: CanvasRenderingContext2D,
  field: HTMLInputElement,
  accent: string,
  colour: string,
  { x, y, width, height }: Area,
): void {
  const [min, max] = [Number(field.min), Number(field.max)]
  const share = max > min ? (field.valueAsNumber - min) / (max - min) : 0
  const middle = y + height / 2
  const knob = x + KNOB_RADIUS + share * (width - 2 * KNOB_RADIUS)
  const groove = (to: number, paint: string, alpha: number) => {
    pen.save()
    pen.globalAlpha *= alpha
    pen.fillStyle = paint
    pen.beginPath()
    pen.roundRect(x, middle - RANGE_HEIGHT / 2, to - x, RANGE_HEIGHT, RANGE_HEIGHT / 2)
    pen.fill()
    pen.restore()
  }
  groove(x + width, colour, 0.3)
  groove(knob, accent, 1)
  pen.fillStyle = accent
  pen.beginPath()
  pen.arc(knob, middle, KNOB_RADIUS, 0, 2 * Math.PI)
  pen.fill()
}

/** A drawing is turned into an image, which takes a moment: until then its last one is shown. */
function paintDrawing(svg: SVGElement, rect: DOMRect, { pen, origin, ...tools }: Tools): void {
  if (rect.width === 0 || rect.height === 0) return
  const copy = svg.cloneNode(true) as SVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(rect.width))
  copy.setAttribute('height', String(rect.height))
  copy.style.color = getComputedStyle(svg).color
  const source = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`
  const known = tools.drawings.get(svg)
  if (known?.complete && known.naturalWidth)
    pen.drawImage(known, rect.left - origin.left, rect.top - origin.top, rect.width, rect.height)
  if (known?.src === source) return
  const image = new Image()
  image.onload = () => {
    tools.drawings.set(svg, image)
    tools.onDrawn()
  }
  image.src = source
  if (!known) tools.drawings.set(svg, image)
}

/** The innermost element at a point of the page, whether it is on the screen or not. */
export function elementAt(element: Element, x: number, y: number): Element | undefined {
  const rect = element.getBoundingClientRect()
  const isIn = x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom
  if (!isIn || getComputedStyle(element).display === 'none') return undefined
  for (const child of [...element.children].reverse()) {
    const found = elementAt(child, x, y)
    if (found) return found
  }
  return element
}
