import { Line2 } from 'three/addons/lines/Line2.js'
import { LineGeometry } from 'three/addons/lines/LineGeometry.js'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { CLEAR } from '../layers'

/** A line of even width on the screen, seen through what is in front of it. */
export interface ScreenLine {
  readonly object: Line2
  set(points: readonly (readonly number[])[]): void
  close(): void
}

export function makeLine(options: {
  colour: string
  width?: number
  isDashed?: boolean
}): ScreenLine {
  const material = new LineMaterial({
    color: options.colour,
    linewidth: options.width ?? 2,
    depthTest: false,
    transparent: true,
    dashed: options.isDashed ?? false,
    dashSize: 0.02,
    gapSize: 0.012,
  })
  const object = new Line2(new LineGeometry(), material)
  object.layers.set(CLEAR)
  object.frustumCulled = false
  object.renderOrder = 10
  object.visible = false
  return {
    object,
    set(points) {
      object.visible = points.length > 1
      if (!object.visible) return
      const before = object.geometry
      object.geometry = new LineGeometry()
      object.geometry.setPositions(points.flat())
      if (options.isDashed) object.computeLineDistances()
      before.dispose()
    },
    close() {
      object.removeFromParent()
      object.geometry.dispose()
      material.dispose()
    },
  }
}
