import type { App, Close } from './app'
import { confirmFrames } from './confirm'
import { connect } from './connection'
import { makeControl } from './control'
import { findGpu } from './gpu'
import { setUpInput } from './input/index'
import { makeLabels, setUpNames } from './labels'
import { closeAll } from './listeners'
import { setUpLoading } from './loading'
import { makeMeasure } from './measure'
import { makeOverlays } from './overlays/index'
import { setUpPanels } from './panels/index'
import { onPainted } from './patterns'
import { makePeople } from './people'
import { makePace } from './quality'
import { makeRoom, makeRoot } from './room'
import { makeSelection } from './selection'
import { makeShapes } from './shapes'
import { makeShell } from './shell'
import { makeSkins } from './skins'
import { makeSound } from './sound'
import { makeStage } from './stage'
import { setUpStatus } from './status'
import { makeSurfaces } from './surfaces'
import { setUpTools } from './tools'

declare global {
  interface Window {
    robotix?: App // for tests and for tinkering in the browser's console
  }
}

function start(page: HTMLElement): Close {
  const gpu = findGpu()
  document.documentElement.dataset.gpu = gpu.isSoftware ? 'software' : 'hardware'
  const connection = connect(address(), '')
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
  const room = makeRoom(connection, { root, shapes, skins: makeSkins(root, surfaces, onLoad) })
  const shell = makeShell(page, () => room.keys)
  const stage = makeStage(shell.picture, room, gpu, pace)
  const selection = makeSelection(stage, room, connection)
  const control = makeControl(connection)
  const labels = makeLabels(shell.overlay, stage, room)
  const people = makePeople(connection)
  const parts = { connection, room, stage, selection, shell, labels, people }
  const overlays = makeOverlays(parts)
  const measure = makeMeasure(parts)
  const sound = makeSound(parts)
  const app: App = {
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
  const setTheme = () => stage.setDark(shell.isDark)
  setTheme()

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
    setUpTools(app),
    confirmFrames(app),
    setUpNames(labels, selection, stage),
    setUpStatus(app, connection, shell),
    setUpLoading(app, shapes),
    setUpPanels(app),
    setUpInput(app),
  ])
  window.robotix = app
  return close
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
    page.textContent = `The page cannot draw here: ${String(reason)}. It needs WebGL 2; look whether the browser has it switched off.`
    page.className = 'failed'
  }
