// The one way by which devices of this page send to the room. It is closed while the
// connection is lost or somebody else is in control: silence is the dead man's handle.

import type { App, Close } from '../app'
import { makeListeners } from '../listeners'

const LIVE_TIMEOUT_MS = 200 // a device that sent something within it is live

export type DeviceName =
  | 'keyboard'
  | 'gamepad'
  | 'joystick'
  | 'space_mouse'
  | 'cursor'
  | 'left_controller'
  | 'right_controller'
  | 'left_tracked_hand'
  | 'right_tracked_hand'
  | 'headset'

export interface Feed {
  readonly isOpen: boolean
  /** What is at this page, whether it may speak or not, with a name for people. */
  readonly present: ReadonlyMap<DeviceName, string>
  /** Say that a device is there, or is no longer. */
  setPresent(device: DeviceName, title: string | undefined): void
  send(device: DeviceName, data: Record<string, unknown>): void
  /** Whether a device sent something just now. */
  isLive(device: DeviceName): boolean
  /** A device came or went, or sending became possible or impossible. */
  onChange(handler: () => void): Close
}

export function makeFeed(app: App): Feed & { close: Close } {
  const changes = makeListeners()
  const present = new Map<DeviceName, string>()
  const spoken = new Map<DeviceName, number>() // when, in ms
  const closeControl = app.control.onChange(changes.tell)
  const closeState = app.connection.onState(() => changes.tell())
  return {
    get isOpen() {
      return app.control.isMine && app.connection.state === 'open'
    },
    present,
    setPresent(device, title) {
      if (present.get(device) === title) return
      if (title === undefined) present.delete(device)
      else present.set(device, title)
      changes.tell()
    },
    send(device, data) {
      if (!this.isOpen) return
      spoken.set(device, performance.now())
      app.connection.send({ kind: 'device', device, data })
    },
    isLive(device) {
      return performance.now() - (spoken.get(device) ?? Number.NEGATIVE_INFINITY) < LIVE_TIMEOUT_MS
    },
    onChange: changes.on,
    close() {
      closeControl()
      closeState()
    },
  }
}
