import type { App, Close } from './app'
import { combine } from './combine'
import { setUpInput } from './input/index'
import { setUpParticipant } from './input/participant'
import { closeAll } from './listeners'
import { confirmFrames } from './net/confirm'
import { connect, type LiveConnection } from './net/connection'
import { makeControl } from './net/control'
import { readFrame } from './net/frames'
import { sendHeartbeats } from './net/heartbeat'
import { makePeople } from './net/people'
import { delayFrames } from './net/playout'
import { makeOverlays } from './overlays/index'
import { setUpPanels } from './panels/index'
import { makePace } from './quality'
import { setUpReplay } from './replay/index'
import { roleOf } from './roles'
import { onPainted } from './room/patterns'
import { makeRoom, makeRoot } from './room/room'
import { makeShapes } from './room/shapes'
import { makeSkins } from './room/skins'
import { makeSurfaces } from './room/surfaces'
import { makeLabels, setUpNames } from './shell/labels'
import { setUpLoading } from './shell/loading'
import { makeMeasure } from './shell/measure'
import { makeSelection } from './shell/selection'
import { makeShell } from './shell/shell'
import { setUpStatus } from './shell/status'
import { setUpTools } from './shell/tools'
import { makeSound } from './sound/sound'
import { findGpu } from './stage/gpu'
import { makeStage } from './stage/stage'
import { setUpWall } from './wall/index'

declare global {
  interface Window {
    robotix?: App // for tests and for tinkering in the browser's console
  }
}

function start(page: HTMLElement): Close {
  const gpu = findGpu()
  if (!gpu.name) throw new Error('there is no WebGL 2') // before anything else is begun
  document.documentElement.dataset.gpu = gpu.isSoftware ? 'software' : 'hardware'
  const role = roleOf(window.location.search)
  document.documentElement.dataset.role = role
  const connection = connect(address(), role === 'operator' ? '' : role)
  const pace = makePace(gpu, () => {
    room.redraw()
    stage.setLevel()
  })
  const surfaces = makeSurfaces(gpu.isSoftware ? 1 : 8, () => pace.level)
  const onLoad = (problem?: string) => {
    stage.refresh()
    if (problem) shell.toast(problem, 'problem')
  }
  const root = makeRoot()
  const shapes = makeShapes(surfaces, onLoad)
  const skins = makeSkins(root, surfaces, onLoad)
  const room = makeRoom(withDelay(connection), { root, shapes, skins })
  const shell = makeShell(page, () => room.keys)
  const stage = makeStage(shell.picture, room, { gpu, pace, covered: shell.covered })
  const selection = makeSelection(stage, room, connection)
  const control = makeControl(connection, role !== 'spectator')
  const labels = makeLabels(shell.overlay, stage, room)
  const people = makePeople(connection)
  const parts = { connection, room, stage, selection, shell, labels, people }
  const overlays = makeOverlays(parts)
  const measure = makeMeasure(parts)
  const sound = makeSound(parts)
  const app: App = {
    role,
    connection,
    room,
    stage,
    selection,
    control,
    shell,
    labels,
    people,
    overlays,
    measure,
    sound,
  }
  const driven = { ...app, control: withoutRecordings(app) } // what drives the room
  const setTheme = () => stage.setDark(shell.isDark)
  setTheme()
  const wall = setUpWall(app)

  const close = closeAll([
    connection.close,
    room.close,
    shell.close,
    stage.close,
    selection.close,
    control.close,
    labels.close,
    people.close,
    overlays.close,
    measure.close,
    sound.close,
    shell.onTheme(setTheme),
    onPainted(() => onLoad()),
    selection.onChange(() => stage.outline(selection.node, selection.hovered)),
    wall.close,
    setUpTools(app),
    confirmFrames(app),
    sendHeartbeats(connection, control),
    setUpNames(labels, selection, stage),
    setUpStatus(app, connection, shell),
    setUpLoading(app, shapes),
    setUpPanels(driven, wall),
    setUpInput(driven),
    setUpReplay(app, page),
    setUpParticipant(app),
  ])
  window.robotix = app
  return close
}

/** Control of the room; over a recording there is none, only over its time. */
function withoutRecordings({ connection, control }: App): App['control'] {
  return combine(
    { ask: control.ask, give: control.give, onChange: control.onChange },
    {
      get isMine() {
        return control.isMine && !connection.welcome?.is_replay
      },
      get holder() {
        return control.holder
      },
    },
  )
}

/** Frames wait for as long as the address says (`?delay=0.05`, s), so that windows are in step. */
function withDelay(connection: LiveConnection): LiveConnection {
  const delay = Number(new URLSearchParams(window.location.search).get('delay'))
  const onBinary = delayFrames(connection.onBinary, delay, (buffer) => readFrame(buffer)?.time)
  return combine(connection, { onBinary })
}

function address(): string {
  const url = new URL('live', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = url.hash = ''
  return url.href
}

const page = document.getElementById('app')
if (page)
  try {
    start(page)
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason)
    page.textContent = `The page cannot draw here: ${why}. It needs WebGL 2; look whether the browser has it switched off.`
    page.className = 'failed'
  }
