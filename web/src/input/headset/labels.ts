// The labels of the page, at their places in the room, for who wears a headset.

import { type Matrix4, Vector3 } from 'three'
import type { App, Close, Label } from '../../app'
import { face, makeSign, type Sign } from './signs'

const PIXEL_SIZE = 0.0007 // m, at a distance of 1 m; letters stay as large as they look there
const WIDTH_PX = 700
const ABOVE = 0.04 // m
const MAX_LABELS = 24 // the nearest

export interface WornLabels {
  update(head: Matrix4): void
  readonly close: Close
}

export function makeWornLabels(app: App): WornLabels {
  const { stage, room } = app
  const signs = new Map<Label, Sign>()
  const eye = new Vector3()
  const at = new Vector3()
  const awayOf = (label: Label) => room.root.localToWorld(at.copy(label.at)).distanceTo(eye)
  return {
    update(head) {
      eye.setFromMatrixPosition(head).applyMatrix4(stage.rig.matrixWorld)
      const shown = [...app.labels.all]
        .filter((label) => label.isVisible && label.text)
        .sort((one, other) => awayOf(one) - awayOf(other))
        .slice(0, MAX_LABELS)
      for (const [label, sign] of signs) {
        if (shown.includes(label)) continue
        sign.close()
        signs.delete(label)
      }
      for (const label of shown) {
        const away = awayOf(label)
        const sign = signs.get(label) ?? makeSign(stage.scene, PIXEL_SIZE, WIDTH_PX)
        signs.set(label, sign)
        sign.text = label.text
        sign.mesh.position.copy(at).setY(at.y + ABOVE * away)
        sign.zoom = away
        face(sign.mesh, eye)
      }
    },
    close() {
      for (const sign of signs.values()) sign.close()
      signs.clear()
    },
  }
}
