import { Vector3 } from 'three'
import type { Close, Label, Labels, RoomNode, RoomView, Selection, Stage } from '../app'
import { boundsOf } from '../room/bounds'
import { type Box, cover, makeWay } from './boxes'

interface Shown extends Label {
  element: HTMLElement
  yields: boolean
}

/** Text at points of the room. It faces the camera; labels avoid each other. */
export function makeLabels(
  parent: HTMLElement,
  stage: Stage,
  room: RoomView,
): Labels & { close: Close } {
  const all = new Set<Shown>()
  const screen = new Vector3()

  const place = () => {
    const { clientWidth: width, clientHeight: height } = stage.canvas
    const isFlat = stage.stereo === 'off' && !stage.renderer.xr.isPresenting
    const taken: Box[] = []
    for (const label of [...all].sort((a, b) => Number(a.yields) - Number(b.yields))) {
      room.root.localToWorld(screen.copy(label.at)).project(stage.camera)
      const isSeen = isFlat && label.isVisible && Math.abs(screen.z) < 1
      label.element.hidden = !isSeen
      if (!isSeen) continue
      const size = { width: label.element.offsetWidth, height: label.element.offsetHeight }
      const x = (0.5 + screen.x / 2) * width - size.width / 2
      const y = (0.5 - screen.y / 2) * height - size.height - 10
      const wished = { x, y, ...size }
      if (label.yields && taken.some((other) => cover(wished, other))) {
        label.element.hidden = true
        continue
      }
      const box = makeWay(wished, taken)
      taken.push(box)
      label.element.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`
    }
  }
  const closeFrame = stage.onFrame(() => {
    if (all.size) place()
  })

  return {
    all,
    add(text, options = {}) {
      const element = document.createElement('div')
      element.className = `label ${options.tone ?? 'plain'}`
      element.textContent = text
      parent.append(element)
      const label: Shown = {
        element,
        yields: options.yields ?? false,
        at: new Vector3(),
        isVisible: true,
        get text() {
          return element.textContent ?? ''
        },
        set text(next) {
          if (element.textContent !== next) element.textContent = next
        },
        close() {
          element.remove()
          all.delete(label)
        },
      }
      all.add(label)
      return label
    },
    close() {
      closeFrame()
      for (const label of [...all]) label.close()
    },
  }
}

/** Names of what is chosen and of what the mouse is over. */
export function setUpNames(labels: Labels, selection: Selection, stage: Stage): Close {
  const chosen = followNode(labels.add('', { tone: 'strong' }))
  const hovered = followNode(labels.add(''))
  const closeFrame = stage.onFrame(() => {
    const { node, hovered: under } = selection
    chosen.follow(node)
    hovered.follow(under === node ? undefined : under)
  })
  return () => {
    closeFrame()
    chosen.close()
    hovered.close()
  }
}

/** Make a label stay above a node, and name it. */
export function followNode(label: Label) {
  let named: RoomNode | undefined
  const above = new Vector3() // from the node's origin
  return {
    follow(node: RoomNode | undefined) {
      label.isVisible = node !== undefined
      if (!node) {
        named = undefined
        return
      }
      if (node !== named) {
        named = node
        label.text = node.info.name
        const box = boundsOf([node])
        if (box.isEmpty()) above.set(0, 0, 0)
        else {
          const { x, z } = box.getCenter(above)
          above.set(x, -z, box.max.y).sub(node.object.position) // three's axes into the room's
        }
      }
      label.at.copy(node.object.position).add(above)
    },
    close: label.close,
  }
}
