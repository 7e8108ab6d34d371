import type { App, Close } from '../app'
import type { Shapes } from '../room/shapes'

/** A message until the first frame and all meshes have arrived. */
export function setUpLoading(app: App, shapes: Shapes): Close {
  const element = Object.assign(document.createElement('div'), { className: 'loading' })
  const ring = Object.assign(document.createElement('div'), { className: 'ring' })
  const words = document.createElement('div')
  element.setAttribute('role', 'status')
  element.append(ring, words)
  app.shell.overlay.append(element)
  const close = app.stage.onFrame(() => {
    const isRunning = app.room.tick > 0 || app.connection.welcome?.is_replay // that begins at 0
    const isHere = app.room.nodes.length > 0 && isRunning
    const isThere = app.connection.state === 'open'
    words.textContent = isHere
      ? 'Fetching shapes…'
      : isThere
        ? 'The room is being loaded…'
        : 'Connecting to the room…'
    if (!isHere || shapes.pending > 0) return
    close()
    element.remove()
  })
  // A room that cannot be opened says so elsewhere.
  const closes = [
    app.connection.on('failed', () => {
      element.hidden = true
    }),
    app.connection.on('welcome', () => {
      element.hidden = false
    }),
  ]
  return () => {
    close()
    for (const each of closes) each()
    element.remove()
  }
}
