// Pages for special places: a screen that stands somewhere, with a tracked head before it; the
// participant's page, and that of a spectator.

import { Matrix4, Quaternion, Vector3 } from 'three'
import type { App, Close } from '../app'
import { closeAll, makeListeners } from '../listeners'
import type { DevicePoses } from '../net/protocol'
import { readWall, type WallSettings } from './settings'
import { makeViews, tellView, type Views } from './views'

export interface Wall {
  readonly settings: WallSettings | undefined // of the screen; undefined without one
  readonly views: Views
  /** Where tracked logical devices are, in the room; empty unless something asked for them. */
  readonly devices: ReadonlyMap<string, Matrix4>
  readonly isTracked: boolean // the head is known
  /** Be told of tracked devices, as long as the function that is returned is not called. */
  watchDevices(): Close
  readonly close: Close
}

const HISTORY_S = 1 // of poses that wait for their moment of the room

export function setUpWall(app: App): Wall {
  const devices = new Map<string, Matrix4>()
  const views = makeViews(app, makeListeners())
  const settings = settingsOf(app)
  const { watch, poseAt, close } = followDevices(app, devices)
  const closes = [close, views.close, tellView(app)]
  let isTracked = false
  if (settings) {
    app.stage.stereo = settings.stereo
    app.stage.eyeDistance = settings.eyeDistance
    closes.push(watch())
    closes.push(
      app.stage.onFrame(() => {
        const head = poseAt(settings.device, app.room.time)
        isTracked = head !== undefined
        app.stage.fixedScreen = screenOf(app, settings, head?.premultiply(settings.tracker))
        app.stage.redraw()
      }),
    )
  }
  return {
    settings,
    views,
    devices,
    get isTracked() {
      return isTracked
    },
    watchDevices: watch,
    close: closeAll(closes),
  }
}

function settingsOf(app: App): WallSettings | undefined {
  try {
    return readWall(window.location.search)
  } catch (error) {
    app.shell.toast(error instanceof Error ? error.message : String(error), 'problem')
    return undefined
  }
}

/** The screen and the head in three's world: both move with the node that carries them. */
function screenOf(app: App, settings: WallSettings, head: Matrix4 | undefined) {
  const carrier = app.room.node(settings.carrier)?.object ?? app.room.root
  carrier.updateWorldMatrix(true, false)
  const place = settings.eye
  const still = settings.pose.clone().setPosition(place)
  return {
    pose: carrier.matrixWorld.clone().multiply(settings.pose),
    width: settings.width,
    height: settings.height,
    head: carrier.matrixWorld.clone().multiply(head ? eyesOf(head) : still),
  }
}

// A tracked head has x forwards, y left and z up; eyes have x right, y up and z backwards.
const HEAD_FROM_EYES = new Matrix4().makeBasis(
  new Vector3(0, -1, 0),
  new Vector3(0, 0, 1),
  new Vector3(-1, 0, 0),
)

function eyesOf(head: Matrix4): Matrix4 {
  return head.clone().multiply(HEAD_FROM_EYES)
}

/** Poses of tracked devices as they were at a moment of the room: that which is on the screen. */
function followDevices(app: App, devices: Map<string, Matrix4>) {
  let watchers = 0
  let past: DevicePoses[] = []
  const ask = () => app.connection.send({ kind: 'watch_devices', is_on: watchers > 0 })
  const receive = (message: DevicePoses) => {
    if (message.time < (past.at(-1)?.time ?? 0)) past = []
    past.push(message)
    past = past.filter(({ time }) => message.time - time < HISTORY_S)
    devices.clear()
    for (const each of message.poses) if (each.is_live) devices.set(each.device, matrixOf(each))
  }
  const poseAt = (device: string, time: number): Matrix4 | undefined => {
    const then = past.filter((message) => message.time <= time + 1e-6).at(-1) ?? past[0]
    // Nothing is moved by it, so it counts at once; if it is lost, the picture stays as it was.
    const found = then?.poses.find((each) => each.device === device)
    return found && matrixOf(found)
  }
  const close = closeAll([
    app.connection.on('devices', receive),
    app.connection.on('welcome', () => {
      if (watchers > 0) ask()
    }),
  ])
  const watch = () => {
    watchers += 1
    if (app.connection.state === 'open') ask()
    return () => {
      watchers -= 1
      if (app.connection.state === 'open') ask()
    }
  }
  return { watch, poseAt, close }
}

function matrixOf({ position, quaternion }: DevicePoses['poses'][number]): Matrix4 {
  return new Matrix4().compose(
    new Vector3(...position),
    new Quaternion(...quaternion),
    new Vector3(1, 1, 1),
  )
}
