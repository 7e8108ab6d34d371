// The part of WebHID that is used here. TypeScript has no types for it yet.

interface HidItem {
  isConstant?: boolean
  isRange?: boolean
  logicalMinimum?: number
  logicalMaximum?: number
  reportSize?: number // bits
  reportCount?: number
  usageMinimum?: number
  usageMaximum?: number
  usages?: number[] // page << 16 | usage
}

interface HidReport {
  reportId?: number
  items?: HidItem[]
}

export interface HidCollection {
  usagePage?: number
  usage?: number
  inputReports?: HidReport[]
  children?: HidCollection[]
}

export interface HidDevice extends EventTarget {
  readonly opened: boolean
  readonly vendorId: number
  readonly productId: number
  readonly productName: string
  readonly collections: readonly HidCollection[]
  open(): Promise<void>
  close(): Promise<void>
}

export interface HidReportEvent extends Event {
  readonly device: HidDevice
  readonly reportId: number
  readonly data: DataView
}

export interface HidConnectionEvent extends Event {
  readonly device: HidDevice
}

interface HidFilter {
  vendorId?: number
  usagePage?: number
  usage?: number
}

export interface Hid extends EventTarget {
  getDevices(): Promise<HidDevice[]>
  requestDevice(options: { filters: HidFilter[] }): Promise<HidDevice[]>
}

/** Where one number is in the bytes of a report. */
export interface Field {
  usage: number // page << 16 | usage
  offset: number // bits
  size: number // bits
  minimum: number
  maximum: number
}

/** Where the numbers of each report are, by the report's number. */
export function layoutOf(collections: readonly HidCollection[]): Map<number, Field[]> {
  const layout = new Map<number, Field[]>()
  const visit = (collection: HidCollection) => {
    for (const report of collection.inputReports ?? []) {
      const id = report.reportId ?? 0
      if (!layout.has(id)) layout.set(id, fieldsOf(report.items ?? []))
    }
    collection.children?.forEach(visit)
  }
  collections.forEach(visit)
  return layout
}

function fieldsOf(items: readonly HidItem[]): Field[] {
  const fields: Field[] = []
  let offset = 0
  for (const item of items) {
    const size = item.reportSize ?? 0
    const count = item.reportCount ?? 0
    for (let index = 0; index < count && !item.isConstant; index++) {
      const usage = usageOf(item, index)
      if (usage === undefined) continue
      const minimum = item.logicalMinimum ?? 0
      const maximum = item.logicalMaximum ?? 0
      fields.push({ usage, offset: offset + index * size, size, minimum, maximum })
    }
    offset += size * count
  }
  return fields
}

function usageOf(item: HidItem, index: number): number | undefined {
  if (item.isRange && item.usageMinimum !== undefined) {
    const usage = item.usageMinimum + index
    return usage <= (item.usageMaximum ?? usage) ? usage : undefined
  }
  return item.usages?.[Math.min(index, item.usages.length - 1)]
}

/** The number in a field; 0 where the report is too short. */
export function readField(field: Field, data: DataView): number {
  if (field.offset + field.size > data.byteLength * 8 || field.size > 31) return 0
  let value = 0
  for (let bit = 0; bit < field.size; bit++) {
    const at = field.offset + bit
    value |= ((data.getUint8(at >> 3) >> (at & 7)) & 1) << bit
  }
  const isNegative = field.minimum < 0 && (value >> (field.size - 1)) & 1
  return isNegative ? value - 2 ** field.size : value
}
