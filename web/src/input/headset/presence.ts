// Everything that is there only while somebody wears the headset.

import { Matrix4 } from 'three'
import type { App, Close } from '../../app'
import { closeAll } from '../../listeners'
import { isQuiet } from '../../shell/quiet'
import type { Attention } from '../attention'
import type { Cursor } from '../cursor'
import type { Feed } from '../feed'
import { isByHand, isSeatedTask } from '../participant'
import { showOwnRoom } from './alone'
import { makeCeiling } from './ceiling'
import { makeComfort } from './comfort'
import { makeXrGrab, type XrGrab } from './grab'
import { makeXrHand, poseData, readHands, type Side, tellHand, type XrHand } from './hands'
import { feelContacts } from './haptics'
import { makeHints } from './hints'
import { makeWornLabels } from './labels'
import { type Matching, makeMatching } from './matching'
import { makeMenu } from './menu'
import type { MenuTools } from './menu_pages'
import { type HandModel, makeHandModel } from './models'
import { makeNotice } from './notice'
import { makePlanes } from './planes'
import { makePointing, SIDES } from './pointing'
import { makeXrRig } from './rig'
import { makeRobotPlacing, type RobotPlacing } from './robot_placing'
import { type KeptSettings, makeSettings } from './settings'
import { makeTaskBoard } from './task_board'
import { makeTravel } from './travel'

export type Mode = 'immersive-vr' | 'immersive-ar'

export interface Parts {
  feed: Feed
  cursor: Cursor
  attention: Attention
  keys: MenuTools['keys']
}

const GREETING =
  'Grip at a thing to take it. The menu is above your other wrist: Actions, Panels, Help.'
const TASK_GREETING =
  'Hold the grip of the right hand: the arm follows it. Trigger: grip a thing, or let go.'
const HAND_GREETING =
  'Close a hand at a thing: take it. Open it: let go. The arm watches out for you.'
const STILL_STICK = { x: 0, y: 0 }

/** What there is in the headset, made once a session. */
function makeThings(app: App, parts: Parts, mode: Mode) {
  const isAr = mode === 'immersive-ar'
  const settings = makeSettings()
  const rig = makeXrRig(app, settings, { isAr })
  const head = new Matrix4()
  const clutch = { isOn: true }
  const hands: Record<Side, XrHand> = { left: makeXrHand('left'), right: makeXrHand('right') }
  const models: Record<Side, HandModel> = { left: makeHandModel(), right: makeHandModel() }
  const comfort = makeComfort(app)
  const travel = makeTravel(app, rig, { settings, onJump: comfort.blink })
  const planes = makePlanes(app)
  const notice = makeNotice(app)
  const view = { isWhole: !isAr }
  const wearer = (): Side => (settings.isLeftHanded ? 'right' : 'left')
  const say = (words: string) => {
    notice.say(words)
    menu.say(words)
  }
  const matching = makeMatching(app, rig, say)
  const robotPlacing = makeRobotPlacing(app, rig, say)
  const ownRoom = isAr ? showOwnRoom(app, () => view.isWhole) : undefined
  const makeGrab = () => makeXrGrab(app, parts.cursor, { mayDrive: () => clutch.isOn, say })
  const grabs: Record<Side, XrGrab> = { left: makeGrab(), right: makeGrab() }
  const main = () => hands[settings.isLeftHanded ? 'left' : 'right']
  const resetView = () => {
    rig.goHome(head)
    comfort.blink()
  }
  const placing = () => [
    ...(isAr ? [placeButton(robotPlacing), wholeButton(view, () => ownRoom?.update())] : []),
    ...matchButton(matching),
  ]
  const menu = makeMenu(app, {
    app,
    settings,
    keys: parts.keys,
    clutch,
    resetView,
    panels: planes,
    get placing() {
      return placing()
    },
  })
  const onTrigger = (hand: XrHand) => {
    if (matching.isOn) matching.measure(hand)
    else if (robotPlacing.isOn) robotPlacing.toggle()
    else return false
    return true
  }
  const pointing = makePointing(app, { hands, models, grabs, menu, planes, wearer, onTrigger })
  const hints = makeHints(app, settings)
  const labels = makeWornLabels(app)
  const task = makeTaskBoard(app)
  ownRoom?.update()
  const things = { settings, rig, head, hands, models, comfort, travel, planes, notice, menu }
  const tools = { matching, robotPlacing, ownRoom, pointing, hints, labels, task }
  return { ...things, ...tools, grabs, main, wearer, say }
}

type Things = ReturnType<typeof makeThings>

function placeButton(placing: RobotPlacing) {
  return { words: placing.isOn ? 'Robot stays here' : 'Robot to my hand', act: placing.toggle }
}

function wholeButton(view: { isWhole: boolean }, update: () => void) {
  const act = () => {
    view.isWhole = !view.isWhole
    update()
  }
  return { words: view.isWhole ? 'Robot alone' : 'Whole room', act }
}

function matchButton(matching: Matching) {
  return matching.landmarks.length < 3
    ? []
    : [{ words: 'Match real points', act: () => matching.begin() }]
}

export function makePresence(app: App, parts: Parts, session: XRSession, mode: Mode): Close {
  const { feed, attention } = parts
  const things = makeThings(app, parts, mode)
  const { hands, models, grabs, say } = things
  for (const side of SIDES) app.stage.rig.add(models[side].group)
  const look = () => {
    const isSeen = session.visibilityState === 'visible'
    attention.inHeadset = isSeen
    if (!isSeen) for (const side of SIDES) grabs[side].release()
  }
  session.addEventListener('visibilitychange', look)
  look()
  feed.setPresent('headset', 'Headset')
  say(isByHand(app) ? HAND_GREETING : app.room.task ? TASK_GREETING : GREETING)
  const { hints, labels, task, planes, menu, notice, travel, comfort, matching } = things
  const shown = [
    hints,
    labels,
    task,
    planes,
    menu,
    notice,
    travel,
    comfort,
    matching,
    ...Object.values(models),
  ]
  return closeAll([
    () => things.rig.restore(),
    () => things.ownRoom?.close(),
    ...shown.map((each) => each.close),
    () => {
      for (const side of SIDES) {
        grabs[side].release()
        hands[side].isSeen = false
        tellHand(feed, hands[side])
      }
      feed.setPresent('headset', undefined)
      attention.inHeadset = false
    },
    app.stage.onFrame(makeUpdate(app, feed, session, things)),
    app.connection.on('said', ({ text, problem }) => {
      if (!isQuiet(problem)) say(text)
    }),
    feelContacts(app, hands),
    mode === 'immersive-vr' ? makeCeiling(app) : () => {},
    () => session.removeEventListener('visibilitychange', look),
  ])
}

/** What is done at every picture. */
function makeUpdate(app: App, feed: Feed, session: XRSession, things: Things) {
  const { settings, rig, head, hands, travel, comfort, menu, planes, pointing, grabs } = things
  let isPlaced = false
  let pictures = 0
  return (dt: number, now: number) => {
    const { xr } = app.stage.renderer
    const [frame, space] = [xr.getFrame(), xr.getReferenceSpace()]
    if (!frame || !space || session.visibilityState !== 'visible') return
    const viewer = frame.getViewerPose(space)
    if (viewer) head.fromArray(viewer.transform.matrix)
    if (viewer && !isPlaced) {
      rig.goHome(head)
      isPlaced = true
    }
    pictures += 1
    setRoles(hands, settings)
    readHands(hands, session, frame, space)
    const main = things.main()
    const isReading = pointing.isReading(main.side) || isSeatedTask(app)
    const isMoving = travel.update(isReading ? { ...main, stick: STILL_STICK } : main, head, dt)
    things.robotPlacing.follow(main)
    rig.update(head, now)
    if (viewer) feed.send('headset', poseData(head))
    for (const side of SIDES) tellHand(feed, hands[side])
    const wearer = hands[things.wearer()]
    menu.place(wearer.isSeen ? wearer.grip : undefined, head)
    pointing.update(pictures, dt)
    comfort.update(dt, head, isMoving && settings.hasVignette)
    menu.update(statusOf(app, grabs))
    planes.update(dt, head)
    things.notice.update(dt, head)
    things.hints.update(hands, head)
    things.labels.update(head)
    things.task.update(head)
  }
}

/** The hand that drives is the room's right one, whichever it is. */
function setRoles(hands: Record<Side, XrHand>, { isLeftHanded }: KeptSettings): void {
  hands.left.role = isLeftHanded ? 'right' : 'left'
  hands.right.role = isLeftHanded ? 'left' : 'right'
}

function statusOf(app: App, grabs: Record<Side, XrGrab>): string {
  if (app.connection.state !== 'open') return 'The connection is lost.'
  if (!app.control.isMine) return app.control.holder ? 'Somebody else drives.' : 'Nobody drives.'
  const held = SIDES.map((side) => grabs[side].holds).filter(Boolean)
  return held.length > 0 ? `Holding ${held.join(' and ')}` : 'You drive.'
}
