import { Vector3 } from 'three'
import type { Close, Label, Labels } from '../app'
import type { ObstacleState } from '../net/protocol'
import { makeLine, type ScreenLine } from '../room/lines'
import type { OverlayContext } from './overlay'

/** How far a robot is from what it keeps clear of: a line with a number. */
export function drawObstacles({ room, stage, labels }: OverlayContext): Close {
  const shown: { line: ScreenLine; label: Label }[] = []
  let before = ''
  const update = () => {
    const all = [...room.states.values()].flatMap((state) => state.obstacles.filter(isNear))
    while (shown.length < all.length) {
      const entry = makeEntry(labels)
      room.root.add(entry.line.object)
      shown.push(entry)
    }
    shown.forEach(({ line, label }, k) => {
      const state = all[k]
      label.isVisible = state !== undefined
      line.set(state ? [state.here, state.there] : [])
      if (!state) return
      line.object.material.color.set(state.distance < state.keep * 1.05 ? '#ff4d4d' : '#ffb020')
      label.text = `${(1000 * state.distance).toFixed(0)} mm to ${state.node.replaceAll('_', ' ')}`
      label.at.fromArray(state.here).lerp(new Vector3().fromArray(state.there), 0.5)
    })
    const next = JSON.stringify(all)
    if (next !== before) stage.redraw()
    before = next
  }
  const close = room.onStates(update)
  update()
  return () => {
    close()
    for (const { line, label } of shown) {
      line.close()
      label.close()
    }
  }
}

/** Only near obstacles are shown. */
function isNear({ distance, keep }: ObstacleState): boolean {
  return distance < 2 * keep
}

function makeEntry(labels: Labels): { line: ScreenLine; label: Label } {
  return {
    line: makeLine({ colour: '#ffb020', isDashed: true }),
    label: labels.add('', { tone: 'warn' }),
  }
}
