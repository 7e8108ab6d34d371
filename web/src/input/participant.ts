// The page of a participant in a room that sets a task: seen from the seat, driven by what is at hand.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'

const FIRST_FRAMES = 3 // by then the room has been looked at as a whole
const TASK_VIEW = 'task_view' // the viewpoint of the person who does the task

/** Whether the participant sits: there is a task, and a seat to do it from. */
export function isSeatedTask({ room, stage }: App): boolean {
  return room.task !== null && stage.viewpoints.includes(TASK_VIEW)
}

/** Whether people do the task of a room by their own hands: it has nothing to lead an arm by. */
export function isByHand({ room }: Pick<App, 'room'>): boolean {
  const kinds = Object.values(room.devices)
  return room.task !== null && !kinds.includes('translate3') && !kinds.includes('move6')
}

export function setUpParticipant(app: App): Close {
  if (app.role !== 'participant') return () => {}
  const { dataset } = document.documentElement
  let isSeated = false
  const sit = () => {
    if (isSeated || app.stage.frames < FIRST_FRAMES || !isSeatedTask(app)) return
    isSeated = true
    app.stage.goTo(TASK_VIEW)
  }
  const greet = () => {
    if (!app.room.task || dataset.task !== undefined) return
    dataset.task = ''
    const hasFingers = window.matchMedia('(pointer: coarse)').matches
    const stick = document.querySelector<HTMLElement>('.stick-button[aria-pressed=false]')
    if (hasFingers) stick?.click()
  }
  return closeAll([app.room.onChange(greet), app.stage.onFrame(sit)])
}
