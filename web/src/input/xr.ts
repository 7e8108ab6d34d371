// The room in a headset.

import { Matrix4, Vector3 } from 'three'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { Attention } from './attention'
import type { Cursor } from './cursor'
import type { Feed } from './feed'
import { type Met, meet } from './ray'
import { makeXrGrab, type XrGrab } from './xr_grab'
import { makeXrHand, poseData, readHands, type Side, tellHand, type XrHand } from './xr_hands'
import { type HandModel, makeHandModel } from './xr_models'
import { makeXrPanel, type PanelButton, type XrPanel } from './xr_panel'
import { makeXrRig } from './xr_rig'
import { makeTravel } from './xr_travel'

type Mode = 'immersive-vr' | 'immersive-ar'

const SIDES: readonly Side[] = ['left', 'right']
const MODES: [Mode, string, string][] = [
  ['immersive-vr', 'Enter the room with a headset (VR)', 'headset'],
  ['immersive-ar', 'See the room where you are (AR)', 'cube'],
]
const NOTICE_PICTURES = 300 // for which words about a problem stay
const RAY_PERIOD = 3 // pictures between two looks along the same ray

interface Parts {
  feed: Feed
  cursor: Cursor
  attention: Attention
}

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

/** Everything that is there only while somebody wears the headset. */
function makePresence(app: App, parts: Parts, session: XRSession, mode: Mode): Close {
  const { stage } = app
  const { feed, cursor, attention } = parts
  const rig = makeXrRig(app, { isAr: mode === 'immersive-ar' })
  const hands: Record<Side, XrHand> = { left: makeXrHand('left'), right: makeXrHand('right') }
  const models: Record<Side, HandModel> = { left: makeHandModel(), right: makeHandModel() }
  const travel = makeTravel(app, rig)
  const head = new Matrix4()
  const clutch = { isOn: true }
  const notice = { words: '', until: 0 }
  let isPlaced = false
  let pictures = 0
  const panel = makeXrPanel(
    app,
    panelButtons(app, clutch, () => rig.goHome(head)),
  )
  const say = (words: string) => Object.assign(notice, { words, until: pictures + NOTICE_PICTURES })
  const makeGrab = () => makeXrGrab(app, cursor, { mayDrive: () => clutch.isOn, say })
  const grabs: Record<Side, XrGrab> = { left: makeGrab(), right: makeGrab() }
  const point = makePointing(app, { hands, models, grabs, panel })
  for (const side of SIDES) stage.rig.add(models[side].group)

  const update = (_dt: number, now: number) => {
    const frame = stage.renderer.xr.getFrame()
    const space = stage.renderer.xr.getReferenceSpace()
    if (!frame || !space || session.visibilityState !== 'visible') return
    const viewer = frame.getViewerPose(space)
    if (viewer) head.fromArray(viewer.transform.matrix)
    if (viewer && !isPlaced) {
      rig.goHome(head)
      isPlaced = true
    }
    pictures += 1
    readHands(hands, session, frame, space)
    travel.update(hands.right, head)
    rig.update(now)
    if (viewer) feed.send('headset', poseData(head))
    for (const side of SIDES) tellHand(feed, hands[side])
    panel.place(hands.left.isSeen ? hands.left.grip : undefined, head)
    point(pictures)
    panel.say(pictures < notice.until ? notice.words : statusOf(app, grabs))
    panel.update()
  }
  const look = () => {
    const isSeen = session.visibilityState === 'visible'
    attention.inHeadset = isSeen
    if (!isSeen) for (const side of SIDES) grabs[side].release()
  }
  session.addEventListener('visibilitychange', look)
  look()
  feed.setPresent('headset', 'Headset')
  const showBackground = mode === 'immersive-ar' ? hideBackground(app) : () => {}
  return closeAll([
    () => rig.restore(),
    showBackground,
    travel.close,
    panel.close,
    ...SIDES.map((side) => models[side].close),
    () => {
      for (const side of SIDES) {
        grabs[side].release()
        hands[side].isSeen = false
        tellHand(feed, hands[side])
      }
      feed.setPresent('headset', undefined)
      attention.inHeadset = false
    },
    stage.onFrame(update),
    app.connection.on('said', ({ text }) => say(text)),
    () => session.removeEventListener('visibilitychange', look),
  ])
}

function panelButtons(app: App, clutch: { isOn: boolean }, goHome: () => void): PanelButton[] {
  const { connection, control } = app
  return [
    {
      words: () => 'Stop',
      colour: '#d64545',
      onPress: () => void connection.command('stop all'),
    },
    {
      words: () => (control.isMine ? 'Give control' : 'Take control'),
      colour: '#3b6fd4',
      onPress: () => (control.isMine ? control.give() : void control.ask(true)),
    },
    { words: () => 'Reset view', colour: '#4a5462', onPress: goHome },
    {
      words: () => (clutch.isOn ? 'Clutch: on' : 'Clutch: off'),
      colour: '#4a5462',
      onPress: () => {
        clutch.isOn = !clutch.isOn
      },
    },
  ]
}

interface Pointers {
  hands: Record<Side, XrHand>
  models: Record<Side, HandModel>
  grabs: Record<Side, XrGrab>
  panel: XrPanel
}

/** What both hands point at: buttons are pressed, things are grabbed, the ray ends there. */
function makePointing(app: App, { hands, models, grabs, panel }: Pointers) {
  const met: Partial<Record<Side, Met>> = {}
  const wasSelecting: Partial<Record<Side, boolean>> = {}
  const point = (side: Side, isDue: boolean) => {
    const hand = hands[side]
    const [origin, direction] = rayOf(app, hand)
    const onPanel = hand.isSeen ? panel.meet(origin, direction) : undefined
    if (!hand.isSeen) delete met[side]
    else if ((isDue || hand.isHolding) && !grabs[side].holds) {
      const found = meet(app, origin, direction)
      if (found) met[side] = found
      else delete met[side]
    }
    if (onPanel !== undefined && hand.isSelecting && !wasSelecting[side]) panel.press()
    wasSelecting[side] = hand.isSelecting
    if (onPanel === undefined || grabs[side].holds) grabs[side].update(hand, met[side])
    models[side].draw(hand, onPanel ?? met[side]?.distance)
  }
  return (pictures: number) => {
    for (const [index, side] of SIDES.entries()) point(side, pictures % RAY_PERIOD === index)
  }
}

function rayOf(app: App, hand: XrHand): [Vector3, Vector3] {
  const world = app.stage.rig.matrixWorld.clone().multiply(hand.ray)
  const direction = new Vector3(0, 0, -1).transformDirection(world)
  return [new Vector3().setFromMatrixPosition(world), direction]
}

function statusOf(app: App, grabs: Record<Side, XrGrab>): string {
  if (app.connection.state !== 'open') return 'The connection is lost.'
  if (!app.control.isMine) return app.control.holder ? 'Somebody else drives.' : 'Nobody drives.'
  const held = SIDES.map((side) => grabs[side].holds).filter(Boolean)
  return held.length > 0 ? `Holding ${held.join(' and ')}` : 'You drive.'
}

/** Let the person's own room be seen behind ours. */
function hideBackground(app: App): Close {
  const { scene, renderer } = app.stage
  const { background } = scene
  const alpha = renderer.getClearAlpha()
  scene.background = null
  renderer.setClearAlpha(0)
  return () => {
    scene.background = background
    renderer.setClearAlpha(alpha)
  }
}
