import { Vector3 } from 'three'
import type { Close, Label, Labels } from '../app'
import type { ObstacleState } from '../net/protocol'
import { makeLine, type ScreenLine } from '../room/lines'
import type { OverlayContext } from './overlay'

const MAX_AWAY = 5 // m from the eye: from farther off the number would cover the robot

/** How far a robot is from what it keeps clear of: a line with a number. */
export function drawObstacles({ room, stage, labels }: OverlayContext): Close {
  const shown: { line: ScreenLine; label: Label; isUsed: boolean; isUrgent: boolean }[] = []
  const place = new Vector3()
  let before = ''
  const update = () => {
    const all = [...room.states.values()].flatMap((state) => state.obstacles.filter(isNear))
    while (shown.length < all.length) {
      const entry = makeEntry(labels)
      room.root.add(entry.line.object)
      shown.push({ ...entry, isUsed: false, isUrgent: false })
    }
    shown.forEach((entry, k) => {
      const state = all[k]
      const { line, label } = entry
      entry.isUsed = state !== undefined
      line.set(state ? [state.here, state.there] : [])
      if (!state) return
      entry.isUrgent = state.distance < state.keep * 1.05
      line.object.material.color.set(entry.isUrgent ? '#ff4d4d' : '#ffb020')
      label.text = `${(1000 * state.distance).toFixed(0)} mm to ${state.node.replaceAll('_', ' ')}`
      label.at.fromArray(state.here).lerp(new Vector3().fromArray(state.there), 0.5)
    })
    const next = JSON.stringify(all)
    if (next !== before) stage.redraw()
    before = next
  }
  const showNumbers = () => {
    for (const { label, isUsed, isUrgent } of shown) {
      const away = room.root.localToWorld(place.copy(label.at)).distanceTo(eyeOf(stage))
      label.isVisible = isUsed && (isUrgent || away < MAX_AWAY)
    }
  }
  const closes = [room.onStates(update), stage.onFrame(showNumbers)]
  update()
  return () => {
    for (const close of closes) close()
    for (const { line, label } of shown) {
      line.close()
      label.close()
    }
  }
}

const eye = new Vector3()

function eyeOf(stage: OverlayContext['stage']): Vector3 {
  return eye.setFromMatrixPosition(stage.camera.matrixWorld)
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
