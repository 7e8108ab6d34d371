import { describe, expect, test } from 'vitest'
import { type HidCollection, layoutOf, readField } from '../../src/input/hid'
import { readReport } from '../../src/input/spacemouse'

const AXIS = 0x00010030 // X of the generic desktop page
const BUTTON = 0x00090001

/** Three axes of 16 bits in each of two reports, and 20 buttons in a third, as older models have it. */
const DEVICE: HidCollection[] = [
  {
    usagePage: 1,
    usage: 8,
    inputReports: [
      { reportId: 1, items: [axes(0), { isConstant: true, reportSize: 8, reportCount: 1 }] },
      { reportId: 3, items: [buttons(20), { isConstant: true, reportSize: 12, reportCount: 1 }] },
    ],
    children: [{ inputReports: [{ reportId: 2, items: [axes(3)] }] }],
  },
]

function axes(first: number) {
  return {
    reportSize: 16,
    reportCount: 3,
    usages: [0, 1, 2].map((i) => AXIS + first + i),
    logicalMinimum: -350,
    logicalMaximum: 350,
  }
}

function buttons(count: number) {
  return {
    isRange: true,
    usageMinimum: BUTTON,
    usageMaximum: BUTTON + count - 1,
    reportSize: 1,
    reportCount: count,
    logicalMinimum: 0,
    logicalMaximum: 1,
  }
}

const words = (...values: number[]) => new DataView(new Int16Array(values).buffer)
const bytes = (...values: number[]) => new DataView(new Uint8Array(values).buffer)
const layout = layoutOf(DEVICE)
const fieldsOf = (report: number) => layout.get(report) ?? []
const atRest = () => ({ axes: [0, 0, 0, 0, 0, 0], buttons: 0 })

describe('reports of a SpaceMouse', () => {
  test('are found in all collections; padding is no field', () => {
    expect([...layout.keys()].sort()).toEqual([1, 2, 3])
    expect(fieldsOf(1)).toHaveLength(3)
    expect(fieldsOf(2).map(({ usage }) => usage - AXIS)).toEqual([3, 4, 5])
    expect(fieldsOf(3).at(-1)).toMatchObject({ offset: 19, size: 1 })
  })

  test('move three axes each, and leave the others as they were', () => {
    const mouse = atRest()
    expect(readReport(mouse, fieldsOf(1), words(350, -175, 0))).toBe(true)
    expect(readReport(mouse, fieldsOf(2), words(0, 0, -350))).toBe(true)
    expect(mouse.axes).toEqual([1, -0.5, 0, 0, 0, -1])
  })

  test('beyond the stop count as at the stop', () => {
    const mouse = atRest()
    readReport(mouse, fieldsOf(1), words(500, -32768, 35))
    expect(mouse.axes.slice(0, 3)).toEqual([1, -1, 0.1])
  })

  test('set and release buttons by their bits', () => {
    const mouse = atRest()
    readReport(mouse, fieldsOf(3), bytes(0b101, 0, 0b1000, 0))
    expect(mouse.buttons).toBe(0b101 | (1 << 19))
    readReport(mouse, fieldsOf(3), bytes(0b100, 0, 0, 0))
    expect(mouse.buttons).toBe(0b100)
  })

  test('of the highest button stay positive', () => {
    const mouse = atRest()
    const field = { usage: BUTTON + 31, offset: 0, size: 1, minimum: 0, maximum: 1 }
    readReport(mouse, [field], bytes(1))
    expect(mouse.buttons).toBe(2 ** 31)
  })

  test('about something else are not ours', () => {
    const mouse = atRest()
    const field = { usage: 0x00080001, offset: 0, size: 8, minimum: 0, maximum: 255 }
    expect(readReport(mouse, [field], bytes(9))).toBe(false)
    expect(mouse).toEqual(atRest())
  })

  test('without a range are taken to reach 350', () => {
    const mouse = atRest()
    readReport(mouse, [{ usage: AXIS, offset: 0, size: 16, minimum: 0, maximum: 0 }], words(70))
    expect(mouse.axes[0]).toBeCloseTo(0.2)
  })
})

describe('fields', () => {
  test('may start at any bit', () => {
    const field = { usage: 0, offset: 6, size: 4, minimum: 0, maximum: 15 }
    expect(readField(field, bytes(0b11000000, 0b00000010))).toBe(0b1011)
  })

  test('are signed when their range is', () => {
    const field = { usage: 0, offset: 0, size: 8, minimum: -127, maximum: 127 }
    expect(readField(field, bytes(0xff))).toBe(-1)
    expect(readField({ ...field, minimum: 0 }, bytes(0xff))).toBe(255)
  })

  test('beyond the end of a report are zero', () => {
    expect(readField({ usage: 0, offset: 8, size: 8, minimum: 0, maximum: 1 }, bytes(7))).toBe(0)
  })
})
