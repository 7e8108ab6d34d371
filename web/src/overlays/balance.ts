import type { Close } from '../app'
import { closeAll } from '../listeners'
import { type BalanceMarks, makeBalanceMarks } from './balance_marks'
import type { OverlayContext } from './overlay'

/**
 * How people stand: support, centres of mass and of pressure, and the load of the back beside them.
 * People who have not moved yet are skipped, unless chosen in the panel.
 */
export function drawBalance(context: OverlayContext): Close {
  const { room, stage, shell, people } = context
  const drawn = new Map<string, BalanceMarks>()
  const busy = new Set<string>() // people who have done something
  let stopWatching: Close | undefined
  const notice = () => {
    for (const { name } of room.skins) if (room.states.get(name)?.is_moving) busy.add(name)
    if (busy.size) stopWatching ??= people.watch()
  }
  const draw = () => {
    for (const [name, marks] of drawn)
      if (!people.states.has(name)) {
        marks.close()
        drawn.delete(name)
      }
    for (const [name, state] of people.states) {
      const marks = drawn.get(name) ?? makeBalanceMarks(context, name)
      drawn.set(name, marks)
      marks.show(busy.has(name) || people.chosen === name ? state : undefined)
    }
    stage.redraw()
  }
  draw()
  return closeAll([
    () => {
      for (const marks of drawn.values()) marks.close()
    },
    () => stopWatching?.(),
    room.onStates(notice),
    people.onChange(draw),
    shell.onTheme(draw),
    stage.onFrame(() => {
      for (const marks of drawn.values()) marks.follow()
    }),
  ])
}
