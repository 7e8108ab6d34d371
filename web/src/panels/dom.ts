// Small pieces of page: elements, and the controls that panels are made of. Controls that show what
// the room says keep their text while they are edited, whatever `set` says meanwhile.

export type Child = Node | string | null | undefined | false
type Handler = (event: never) => void
type Attributes = Record<string, string | number | boolean | undefined | Handler>

/** An element with attributes (`onclick: …` listens, `true` sets, `false` leaves out) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value))
  }
  element.append(...children.filter((child): child is Node | string => child !== null && !!child))
  return element
}

/** Write text only where it differs: the browser need not lay out what has not changed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

interface ButtonOptions {
  title?: string
  class?: string
  label?: string // for those who do not see `text`
  icon?: SVGElement
  id?: string
}

export function button(
  text: string,
  onClick: () => void,
  options: ButtonOptions = {},
): HTMLButtonElement {
  const attributes: Attributes = { type: 'button', class: `p-button ${options.class ?? ''}`.trim() }
  attributes.title = options.title
  attributes['aria-label'] = options.label
  attributes['data-id'] = options.id
  attributes.onclick = () => onClick()
  return el('button', attributes, options.icon, text)
}

/** A button that repeats its action while it is held. */
export function holdButton(
  text: string,
  work: () => void,
  options: ButtonOptions,
): HTMLButtonElement {
  let timer = 0
  const release = () => {
    window.clearTimeout(timer)
    timer = 0
  }
  const again = () => {
    if (holder.disabled) return release()
    work()
    timer = window.setTimeout(again, 80)
  }
  const holder = button(text, () => {}, options)
  holder.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || holder.disabled) return
    work()
    timer = window.setTimeout(again, 350)
  })
  for (const end of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) {
    holder.addEventListener(end, release)
  }
  holder.addEventListener('click', (event) => {
    if (event.detail === 0) work() // by keyboard, which repeats by itself
  })
  holder.addEventListener('contextmenu', (event) => event.preventDefault()) // of a long touch
  return holder
}

/** A heading with its contents, which can be folded away. */
export function section(
  title: string,
  options: { isOpen?: boolean; id?: string },
  ...children: Child[]
): HTMLDetailsElement {
  const attributes = { class: 'p-section', open: options.isOpen ?? true, 'data-id': options.id }
  return el(
    'details',
    attributes,
    el('summary', {}, title),
    el('div', { class: 'p-section-body' }, ...children),
  )
}

export function row(...children: Child[]): HTMLDivElement {
  return el('div', { class: 'p-row' }, ...children)
}

/** A control with its name before it, and its unit behind. */
export function field(label: string, control: HTMLElement, unit = ''): HTMLLabelElement {
  return el(
    'label',
    { class: 'p-field' },
    el('span', {}, label),
    control,
    unit && el('span', { class: 'p-unit' }, unit),
  )
}

export interface Control<T> {
  readonly element: HTMLElement
  readonly value: T
  set(value: T): void // unless it is being edited
}

interface NumberOptions {
  label: string
  unit?: string
  value?: number
  min?: number
  max?: number
  step?: number
  digits?: number
  isBare?: boolean // without its name to be seen
  id?: string
  onCommit?: (value: number) => void
}

/** A number field; committed by Enter or when it loses the focus. */
export function numberField(
  options: NumberOptions,
): Control<number> & { readonly input: HTMLInputElement } {
  const digits = options.digits ?? 2
  const input = el('input', {
    type: 'number',
    class: 'p-number',
    inputmode: 'decimal',
    step: options.step ?? 'any',
    min: options.min,
    max: options.max,
    'aria-label': options.label,
    'data-id': options.id,
  })
  let value = options.value ?? 0
  let isEdited = false
  const show = () => {
    const text = tidy(value, digits)
    if (input.value !== text) input.value = text
  }
  const commit = () => {
    if (!isEdited) return
    isEdited = false
    const typed = Number.parseFloat(input.value)
    if (Number.isFinite(typed)) {
      value = clamp(typed, options.min ?? -Infinity, options.max ?? Infinity)
      options.onCommit?.(value)
    }
    show()
  }
  input.addEventListener('input', () => {
    isEdited = true
  })
  input.addEventListener('change', commit)
  input.addEventListener('blur', commit)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') commit()
    if (event.key === 'Escape' && isEdited) {
      isEdited = false
      show()
      event.stopPropagation() // it was for the number, not for the panel
    }
  })
  show()
  return {
    element: options.isBare ? input : field(options.label, input, options.unit),
    input,
    get value() {
      const typed = Number.parseFloat(input.value)
      return isEdited && Number.isFinite(typed) ? typed : value
    },
    set(next) {
      value = next
      if (!isEdited) show()
    },
  }
}

export interface Choice<T extends string = string> {
  value: T
  label: string
}

/** One of several, from a list that may change. */
export function choice<T extends string = string>(options: {
  label: string
  choices: readonly Choice<T>[]
  value?: T
  isBare?: boolean
  id?: string
  onChange?: (value: T) => void
}): Control<T> & {
  offer(choices: readonly Choice<T>[]): void
  readonly select: HTMLSelectElement
} {
  const select = el('select', { 'aria-label': options.label, 'data-id': options.id })
  let offered = ''
  const offer = (choices: readonly Choice<T>[]) => {
    const key = JSON.stringify(choices)
    if (key === offered) return
    offered = key
    const before = select.value
    select.replaceChildren(
      ...choices.map((each) => el('option', { value: each.value }, each.label)),
    )
    select.value = before
  }
  offer(options.choices)
  if (options.value !== undefined) select.value = options.value
  select.addEventListener('change', () => options.onChange?.(select.value as T))
  return {
    element: options.isBare ? select : field(options.label, select),
    select,
    offer,
    get value() {
      return select.value as T
    },
    set(value) {
      if (select.value !== value) select.value = value
    },
  }
}

/** On or off. */
export function toggle(options: {
  label: string
  value?: boolean
  title?: string
  id?: string
  onChange?: (isOn: boolean) => void
}): Control<boolean> & { readonly input: HTMLInputElement } {
  const input = el('input', { type: 'checkbox', role: 'switch', 'data-id': options.id })
  input.checked = options.value ?? false
  input.addEventListener('change', () => options.onChange?.(input.checked))
  const element = el(
    'label',
    { class: 'p-toggle', title: options.title },
    input,
    el('span', {}, options.label),
  )
  return {
    element,
    input,
    get value() {
      return input.checked
    },
    set(value) {
      input.checked = value
    },
  }
}

/** A number on a rail. */
export function rail(options: {
  label: string
  min: number
  max: number
  step: number
  value: number
  id?: string
  write?: (value: number) => string // what is shown beside it
  onInput: (value: number) => void
}): Control<number> {
  const write = options.write ?? ((value: number) => tidy(value, 2))
  const input = el('input', {
    type: 'range',
    min: options.min,
    max: options.max,
    step: options.step,
    'aria-label': options.label,
    'data-id': options.id,
  })
  const shown = el('output', { class: 'p-rail-value' })
  let isHeld = false
  const show = () => {
    setText(shown, write(input.valueAsNumber))
    input.setAttribute('aria-valuetext', write(input.valueAsNumber))
  }
  input.valueAsNumber = options.value
  input.addEventListener('pointerdown', () => {
    isHeld = true
  })
  for (const end of ['pointerup', 'pointercancel', 'blur']) {
    input.addEventListener(end, () => {
      isHeld = false
    })
  }
  input.addEventListener('input', () => {
    show()
    options.onInput(input.valueAsNumber)
  })
  show()
  return {
    element: el('label', { class: 'p-rail' }, el('span', {}, options.label), input, shown),
    get value() {
      return input.valueAsNumber
    },
    set(value) {
      if (isHeld) return
      input.valueAsNumber = value
      show()
    },
  }
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** A number as people write it: no minus zero. */
export function tidy(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) === 0 ? (0).toFixed(digits) : text
}

/** Whether an element can be seen, so that it is worth being brought up to date. */
export function isSeen(element: HTMLElement): boolean {
  return element.isConnected && element.offsetParent !== null
}
