// SpaceMouse over WebHID. Models pack their reports differently, so these are read as the device
// itself describes them, and sent to the room in one common form.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { Attention } from './attention'
import type { Feed } from './feed'
import {
  type Field,
  type Hid,
  type HidConnectionEvent,
  type HidDevice,
  type HidReportEvent,
  layoutOf,
  readField,
} from './hid'
import { onPulse } from './pulse'

const VENDORS = [0x256f, 0x046d] // 3Dconnexion, and Logitech, which owned it
const MULTI_AXIS = { usagePage: 1, usage: 8 }
const FIRST_AXIS = 0x00010030 // X, then Y, Z, Rx, Ry, Rz
const FIRST_BUTTON = 0x00090001
const N_AXES = 6
const N_BUTTONS = 32
const FULL_SCALE = 350 // what the room takes for a push to the stop
const [MOTION, BUTTONS] = [1, 3] as const // numbers of the room's reports
const PERIOD_MS = 33 // between two messages while nothing changes
const MOVE_THRESHOLD = 0.15 // fraction of a full push that counts as a move

/** The last state that a device reported. */
export interface SpaceMouse {
  readonly axes: number[] // -1..1
  buttons: number // bits
}

interface OpenMouse extends SpaceMouse {
  readonly device: HidDevice
  readonly close: Close
}

export function setUpSpaceMouse(
  app: App,
  feed: Feed,
  options: { attention: Attention; onMove: () => void },
): Close {
  const hid = (navigator as Navigator & { hid?: Hid }).hid
  if (!hid) return () => {}
  const mice = new Map<HidDevice, OpenMouse | undefined>() // none yet while it is being opened
  let latest: OpenMouse | undefined // that said something
  let said = 0
  let wasMoved = false

  const tell = (mouse: OpenMouse) => {
    latest = mouse
    if (!options.attention.isHere) return
    said = performance.now()
    feed.send('space_mouse', { report: MOTION, data: motionBytes(mouse.axes) })
    feed.send('space_mouse', { report: BUTTONS, data: buttonBytes(mouse.buttons) })
    const isMoved =
      mouse.buttons !== 0 || mouse.axes.some((value) => Math.abs(value) > MOVE_THRESHOLD)
    if (isMoved && !wasMoved) options.onMove()
    wasMoved = isMoved
  }
  const use = async (device: HidDevice) => {
    if (mice.has(device) || !isSpaceMouse(device)) return
    const name = nameOf(device)
    mice.set(device, undefined)
    try {
      mice.set(device, await openMouse(device, tell))
    } catch (error) {
      mice.delete(device)
      app.shell.toast(`${name} cannot be opened: ${String(error)}`, 'problem')
      return
    }
    feed.setPresent('space_mouse', name)
    app.shell.toast(`${name} is connected.`)
  }
  const drop = (device: HidDevice) => {
    if (!mice.has(device)) return
    mice.get(device)?.close()
    mice.delete(device)
    if (mice.size > 0) return
    feed.setPresent('space_mouse', undefined)
    app.shell.toast(`${nameOf(device)} is gone.`, 'problem')
  }
  const ask = async () => {
    const filters = VENDORS.map((vendorId) => ({ vendorId, ...MULTI_AXIS }))
    const devices = await hid.requestDevice({ filters })
    await Promise.all(devices.map(use))
  }
  // At rest the device says nothing, so we repeat what it said last, all of it: what the room
  // remembers may be from before we looked away, or from another device.
  const beat = (now: number) => {
    const open = [...mice.values()].filter((one) => one?.device.opened)
    const mouse = open.includes(latest) ? latest : open[0]
    if (mouse && now - said >= PERIOD_MS) tell(mouse)
  }
  const connected = (event: Event) => void use((event as HidConnectionEvent).device)
  const gone = (event: Event) => drop((event as HidConnectionEvent).device)
  hid.addEventListener('connect', connected)
  hid.addEventListener('disconnect', gone)
  void hid.getDevices().then((devices) => devices.forEach((device) => void use(device)))
  app.shell.tool({
    id: 'space-mouse',
    title: 'Connect a SpaceMouse',
    icon: 'spacemouse',
    onClick: () => void ask().catch((error) => app.shell.toast(String(error), 'problem')),
  })
  return closeAll([
    onPulse(app, beat),
    () => hid.removeEventListener('connect', connected),
    () => hid.removeEventListener('disconnect', gone),
    () => mice.forEach((mouse) => void mouse?.close()),
  ])
}

function isSpaceMouse(device: HidDevice): boolean {
  return (
    VENDORS.includes(device.vendorId) &&
    device.collections.some((one) => one.usagePage === 1 && one.usage === MULTI_AXIS.usage)
  )
}

async function openMouse(device: HidDevice, tell: (mouse: OpenMouse) => void): Promise<OpenMouse> {
  if (!device.opened) await device.open()
  const layout = layoutOf(device.collections)
  const receive = (event: Event) => {
    const { reportId, data } = event as HidReportEvent
    const fields = layout.get(reportId)
    if (fields && readReport(mouse, fields, data)) tell(mouse)
  }
  const close = () => {
    device.removeEventListener('inputreport', receive)
    void device.close()
  }
  const mouse: OpenMouse = { device, axes: Array(N_AXES).fill(0), buttons: 0, close }
  device.addEventListener('inputreport', receive)
  return mouse
}

function nameOf(device: HidDevice): string {
  return device.productName || 'SpaceMouse'
}

/** Take over what a report says, be it all six axes, three of them, or buttons. */
export function readReport(mouse: SpaceMouse, fields: readonly Field[], data: DataView): boolean {
  let isOurs = false
  for (const field of fields) {
    const axis = field.usage - FIRST_AXIS
    const button = field.usage - FIRST_BUTTON
    if (axis >= 0 && axis < N_AXES) {
      const reach = Math.max(Math.abs(field.minimum), Math.abs(field.maximum)) || FULL_SCALE
      mouse.axes[axis] = Math.max(-1, Math.min(1, readField(field, data) / reach))
    } else if (button >= 0 && button < N_BUTTONS) {
      const bit = (1 << button) >>> 0
      const isDown = readField(field, data) !== 0
      mouse.buttons = (isDown ? mouse.buttons | bit : mouse.buttons & ~bit) >>> 0
    } else continue
    isOurs = true
  }
  return isOurs
}

function motionBytes(axes: readonly number[]): number[] {
  return axes.flatMap((value) => {
    const number = Math.round(value * FULL_SCALE) & 0xffff
    return [number & 255, number >> 8]
  })
}

function buttonBytes(buttons: number): number[] {
  return [0, 8, 16, 24].map((shift) => (buttons >>> shift) & 255)
}
