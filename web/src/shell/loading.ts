import type { App, Close } from '../app'
import type { Shapes } from '../room/shapes'

const PEOPLE_TIME_MS = 20_000 // that people may take, after all else is there

/** A message until the first frame, all meshes and all people have arrived. */
export function setUpLoading(app: App, shapes: Shapes): Close {
  const element = Object.assign(document.createElement('div'), { className: 'loading' })
  const ring = Object.assign(document.createElement('div'), { className: 'ring' })
  const words = document.createElement('div')
  element.setAttribute('role', 'status')
  element.append(ring, words)
  app.shell.overlay.append(element)
  let completeAt = Number.POSITIVE_INFINITY // ms, when all shapes were there
  const close = app.stage.onFrame(() => {
    const isRunning = app.room.tick > 0 || app.connection.welcome?.is_replay // that begins at 0
    const isHere = app.room.nodes.length > 0 && isRunning
    const isThere = app.connection.state === 'open'
    const hasShapes = isHere && shapes.pending === 0
    if (hasShapes) completeAt = Math.min(completeAt, performance.now())
    words.textContent = hasShapes
      ? 'People are coming…'
      : isHere
        ? 'Fetching shapes…'
        : isThere
          ? 'The room is being loaded…'
          : 'Connecting to the room…'
    if (!hasShapes) return
    if (isMissingPeople(app) && performance.now() - completeAt < PEOPLE_TIME_MS) return
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

function isMissingPeople({ room }: App): boolean {
  const drawn = room.root.children.filter(({ userData }) => userData.isSkin)
  return drawn.length < room.skins.length
}
