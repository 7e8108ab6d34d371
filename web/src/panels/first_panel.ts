// Which panel is open when somebody comes to a room for the first time: the one that is about it.

import type { App, Close } from '../app'
import { recall } from '../remembered'

export const NARROW = 1000 // pixels; below this the picture comes first, and panels when asked for

/** Show Body in a room of people, and nothing where there is no robot to teach. */
export function openFirstPanel(app: App): Close {
  if (recall('panels') || window.innerWidth < NARROW) return () => {} // the person has chosen
  const close = app.room.onChange(() => {
    if (app.room.nodes.length === 0) return
    close()
    const robots = [...app.room.robots.values()]
    if (robots.length === 0) app.shell.open('teach', false, false)
    else if (robots.every((robot) => robot.is_person)) app.shell.open('body', true, false)
  })
  return close
}
