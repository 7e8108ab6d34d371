// Which panel is open when somebody comes to a room for the first time: the one that is about it.

import type { App, Close } from '../app'
import { recall } from '../remembered'

/** Show Body in a room of people, and nothing where there is no robot to teach. */
export function openFirstPanel(app: App): Close {
  if (recall('panels') || window.innerWidth < 800) return () => {} // the person has chosen
  const close = app.room.onChange(() => {
    if (app.room.nodes.length === 0) return
    close()
    const people = new Set(app.room.skins.map((skin) => skin.name))
    const robots = [...app.room.robots.keys()]
    if (robots.length === 0) app.shell.open('teach', false, false)
    else if (robots.every((name) => people.has(name))) app.shell.open('body', true, false)
  })
  return close
}
