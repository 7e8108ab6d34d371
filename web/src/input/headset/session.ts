// Entering the room with a headset, and leaving it.

import type { App, Close } from '../../app'
import { type Mode, makePresence, type Parts } from './presence'

const MODES: [Mode, string, string][] = [
  ['immersive-vr', 'Enter the room with a headset (VR)', 'headset'],
  ['immersive-ar', 'See the robot where you are (AR)', 'cube'],
]

/** Offer the headset, once `ready`: by then an emulated one is there, too. */
export function setUpXr(app: App, parts: Parts, ready: Promise<void>): Close {
  let close: Close | undefined // ends the session
  let isClosed = false
  const enter = async (mode: Mode) => {
    if (close) return close()
    try {
      close = await startSession(app, parts, mode, () => {
        close = undefined
      })
    } catch (error) {
      app.shell.toast(`The headset cannot be used: ${String(error)}`, 'problem')
    }
  }
  const offer = async () => {
    await ready
    for (const [mode, title, icon] of MODES) {
      const isThere = await navigator.xr?.isSessionSupported(mode).catch(() => false)
      if (!isThere || isClosed) continue
      app.shell.tool({ id: mode, title, icon, onClick: () => void enter(mode) })
    }
  }
  void offer()
  return () => {
    isClosed = true
    close?.()
  }
}

async function startSession(app: App, parts: Parts, mode: Mode, onEnd: Close): Promise<Close> {
  const { renderer } = app.stage
  const system = navigator.xr as XRSystem
  const session = await system.requestSession(mode, {
    requiredFeatures: ['local-floor'],
    optionalFeatures: ['hand-tracking', 'layers'],
  })
  renderer.xr.enabled = true
  renderer.xr.setReferenceSpaceType('local-floor')
  try {
    await renderer.xr.setSession(session)
  } catch (error) {
    await session.end()
    throw error
  }
  const closePresence = makePresence(app, parts, session, mode)
  session.addEventListener('end', () => {
    closePresence()
    onEnd()
  })
  return () => void session.end()
}
