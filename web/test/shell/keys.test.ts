import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeKeys } from '../../src/shell/keys'

class Field extends EventTarget {
  constructor(readonly type: string) {
    super()
  }
  matches() {
    return true
  }
}

let page: EventTarget
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('HTMLElement', Field)
  vi.stubGlobal('HTMLInputElement', Field)
})
afterEach(() => vi.unstubAllGlobals())

/** Press a key; returns whether the page used it. */
function press(key: string, options: Partial<KeyboardEvent> = {}): boolean {
  const event = new Event('keydown', { cancelable: true })
  const { target, ...others } = options
  Object.assign(event, { key, code: '', ...others })
  if (target) Object.defineProperty(event, 'target', { value: target })
  page.dispatchEvent(event)
  return event.defaultPrevented
}

describe('keys of the page', () => {
  test('are pressed whatever their case', () => {
    const keys = makeKeys(() => [])
    const pressed = vi.fn()
    keys.add('V', 'show the view', pressed)
    expect(press('v')).toBe(true)
    expect(pressed).toHaveBeenCalledTimes(1)
    expect(press('w')).toBe(false)
    expect(keys.all).toEqual([{ key: 'V', does: 'show the view' }])
  })

  test('leave those of the room alone, unless with Ctrl', () => {
    const keys = makeKeys(() => [{ key: 'J', does: 'move' }])
    const [plain, control] = [vi.fn(), vi.fn()]
    keys.add('j', '', plain)
    keys.add('Ctrl+J', '', control)
    press('j')
    press('j', { ctrlKey: true })
    expect(plain).not.toHaveBeenCalled()
    expect(control).toHaveBeenCalledTimes(1)
  })

  test('with Alt go by the place of the key, not by the letter it makes', () => {
    const pressed = vi.fn()
    const keys = makeKeys(() => [])
    keys.add('Alt+1', '', pressed)
    keys.add('Alt+=', '', pressed)
    press('¡', { altKey: true, code: 'Digit1' })
    press('≠', { altKey: true, code: 'Equal' })
    expect(pressed).toHaveBeenCalledTimes(2)
  })

  test('with Ctrl and Shift differ from those with Ctrl', () => {
    const pressed: string[] = []
    const keys = makeKeys(() => [])
    keys.add('Ctrl+Z', '', () => pressed.push('undo'))
    keys.add('Ctrl+Shift+Z', '', () => pressed.push('redo'))
    press('Z', { ctrlKey: true, shiftKey: true })
    press('z', { metaKey: true })
    expect(pressed).toEqual(['redo', 'undo'])
  })

  test('do nothing while something is typed, and leave its undo to the field', () => {
    const pressed = vi.fn()
    const keys = makeKeys(() => [])
    keys.add('v', '', pressed)
    keys.add('Ctrl+Z', '', pressed)
    const target = new Field('text') as unknown as EventTarget
    press('v', { target })
    press('z', { target, ctrlKey: true })
    expect(pressed).not.toHaveBeenCalled()
    press('z', { target: new Field('range') as unknown as EventTarget, ctrlKey: true })
    expect(pressed).toHaveBeenCalledTimes(1)
  })

  test('are gone when they are closed', () => {
    const pressed = vi.fn()
    const keys = makeKeys(() => [])
    const close = keys.add('Esc', '', pressed)
    press('Escape')
    close()
    press('Escape')
    expect(pressed).toHaveBeenCalledTimes(1)
  })

  test('Escape is heard whatever has the focus, and whatever a room does with it', () => {
    const keys = makeKeys(() => [{ key: 'Escape', does: 'duck' }])
    const stop = vi.fn()
    keys.add('Escape', 'stop every robot', stop)
    press('Escape')
    press('Escape', { target: new Field('range') as unknown as EventTarget })
    expect(stop).toHaveBeenCalledTimes(2)
  })
})
