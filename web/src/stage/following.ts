import type { Close } from '../app'
import { closeAll } from '../listeners'
import type { LiveRoom } from '../room/room'
import type { Drawing } from './drawing'

/** Draw again what changes in the room; whatever moves there is motion, as the view's own is. */
export function followRoom(
  room: Pick<LiveRoom, 'onChange' | 'onLooks' | 'onFrame'>,
  drawing: Pick<Drawing, 'hasFramed' | 'refresh' | 'move' | 'markStale'>,
): Close {
  return closeAll([
    room.onChange(drawing.refresh),
    room.onLooks(drawing.move),
    room.onFrame((moved) => {
      if (!drawing.hasFramed) drawing.markStale()
      if (moved.length) drawing.move()
    }),
  ])
}
