// Who sees what. The participant's page, and any headset, tells where it looks from; other pages may
// follow: a desktop shows what the participant sees.

import { MathUtils, Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { ViewOfPage } from '../net/protocol'

const PERIOD_S = 1 / 30 // between two messages about where one looks from
const FOLLOW_S = 0.08 // in which a follower catches up
const MAX_FIELD_DEG = 80 // a headset sees more than a screen can show well

/** Tell where we look from: always with a headset on, and where we are the participant. */
export function tellView(app: App): Close {
  const { stage, room, connection } = app
  let said = ''
  let saidAt = Number.NEGATIVE_INFINITY
  const pose = new Matrix4()
  return stage.onFrame((_dt, now) => {
    const isWatched = stage.renderer.xr.isPresenting || app.role === 'participant'
    if (!isWatched || now - saidAt < PERIOD_S || connection.state !== 'open') return
    const { camera } = stage
    pose.copy(room.root.matrixWorld).invert().multiply(camera.matrixWorld)
    const [position, quaternion] = [new Vector3(), new Quaternion()]
    pose.decompose(position, quaternion, new Vector3())
    const degrees = camera instanceof PerspectiveCamera ? camera.fov : MAX_FIELD_DEG
    const view = {
      kind: 'view',
      position: position.toArray().map(tidy) as [number, number, number],
      quaternion: quaternion.toArray().map(tidy) as [number, number, number, number],
      field_of_view: tidy(MathUtils.degToRad(MathUtils.clamp(degrees, 10, MAX_FIELD_DEG))),
    } as const
    const words = JSON.stringify(view)
    if (words === said && now - saidAt < 1) return
    said = words
    saidAt = now
    connection.send(view)
  })
}

function tidy(value: number): number {
  return Math.round(1e5 * value) / 1e5
}

export interface Views {
  readonly names: readonly string[] // of pages that tell where they look from
  followed: string // '' for nobody
  onChange(handler: () => void): Close
  readonly close: Close
}

/** What other pages see, and whom we follow; a spectator follows whoever there is. */
export function makeViews(
  app: App,
  changed: { on(handler: () => void): Close; tell(): void },
): Views {
  const { stage, connection } = app
  const known = new Map<string, ViewOfPage>()
  let followed = ''
  const follow = (name: string) => {
    followed = name
    const view = known.get(name)
    stage.followed = view ? seenView(app, view) : undefined
    stage.redraw()
    changed.tell()
  }
  const receive = (view: ViewOfPage) => {
    const isNew = !known.has(view.client)
    if (view.is_there) known.set(view.client, view)
    else known.delete(view.client)
    if (!view.is_there && followed === view.client) follow('')
    else if (isNew && app.role === 'spectator' && !followed) follow(view.client)
    else if (isNew || !view.is_there) changed.tell()
  }
  const glide = (dt: number) => {
    const view = known.get(followed)
    if (!view || !stage.followed) return
    const goal = seenView(app, view)
    const share = 1 - Math.exp(-dt / FOLLOW_S)
    const { position, quaternion } = stage.followed
    if (position.distanceTo(goal.position) > 1e-4 || quaternion.angleTo(goal.quaternion) > 1e-4)
      stage.redraw()
    position.lerp(goal.position, share)
    quaternion.slerp(goal.quaternion, share)
    stage.followed.fieldOfView = goal.fieldOfView
  }
  const ask = () => connection.send({ kind: 'watch_views', is_on: true })
  if (connection.state === 'open') ask()
  const close = closeAll([
    connection.on('welcome', ask),
    connection.on('view_of', receive),
    connection.onState((state) => {
      if (state !== 'open') known.clear()
    }),
    stage.onFrame(glide),
  ])
  return {
    get names() {
      return [...known.keys()]
    },
    get followed() {
      return followed
    },
    set followed(name) {
      follow(name)
    },
    onChange: changed.on,
    close,
  }
}

function seenView(app: App, { position, quaternion, field_of_view }: ViewOfPage) {
  app.room.root.updateWorldMatrix(true, false)
  const pose = new Matrix4()
    .compose(new Vector3(...position), new Quaternion(...quaternion), new Vector3(1, 1, 1))
    .premultiply(app.room.root.matrixWorld)
  const view = {
    position: new Vector3(),
    quaternion: new Quaternion(),
    fieldOfView: MathUtils.radToDeg(field_of_view),
  }
  pose.decompose(view.position, view.quaternion, new Vector3())
  return view
}
