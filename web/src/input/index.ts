// All that a person can drive the room with.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { setUpActions } from './actions'
import { makeAttention } from './attention'
import { makeCursor } from './cursor'
import { setUpDrive } from './drive'
import { makeFeed } from './feed'
import { setUpGamepads } from './gamepad'
import { setUpGizmo } from './gizmo'
import { emulateHeadset } from './headset/emulate'
import './input.css'
import { setUpXr } from './headset/session'
import { setUpKeyboard } from './keyboard'
import { setUpPointer } from './pointer'
import { setUpSpaceMouse } from './spacemouse'
import { setUpTouchStick } from './touch_stick'
import { setUpTray } from './tray'

export function setUpInput(app: App): Close {
  const ready = emulateHeadset(window.location.search)
  const feed = makeFeed(app)
  const attention = makeAttention()
  const drive = setUpDrive(app, feed)
  const onMove = () => drive.push()
  const keyboard = setUpKeyboard(app, feed, { attention, onPress: (code) => drive.pushKey(code) })
  const stick = setUpTouchStick(app, feed, {
    attention,
    onMove: () => {
      drive.isOn = true // it has no other use
      drive.push()
    },
  })
  const cursor = makeCursor(app, feed, attention)
  const gizmo = setUpGizmo(app, cursor)
  const tray = setUpTray(app, feed, { drive, gizmo, stick })
  return closeAll([
    feed.close,
    attention.close,
    drive.close,
    keyboard.close,
    stick.close,
    cursor.close,
    gizmo.close,
    setUpPointer(app, {
      cursor,
      isTaken: () => gizmo.isUsed,
      hasHandle: () => gizmo.node !== undefined,
    }),
    setUpGamepads(app, feed, { attention, onMove }),
    setUpSpaceMouse(app, feed, { attention, onMove }),
    setUpActions(app, keyboard, tray),
    tray.close,
    setUpXr(app, { feed, cursor, attention, keys: keyboard }, ready),
  ])
}
