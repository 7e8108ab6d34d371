// How high the hand is, and above what: a line straight down from it, with a ring where it ends. On
// a flat screen this is what depth is judged by.

import { Mesh, MeshBasicMaterial, type Object3D, Raycaster, RingGeometry, Vector3 } from 'three'
import type { Close, RoomNode, RoomView } from '../app'
import { CLEAR } from '../layers'
import { closeAll } from '../listeners'
import { makeLine } from '../room/lines'
import type { OverlayContext } from './overlay'

const COLOUR = '#f0288c' // as the ball that is dragged
const MIN_HEIGHT = 0.02 // m; below this there is nothing to be judged
const MAX_HEIGHT = 3 // m
const STEP = 0.003 // m that the hand moves before the line is looked for again
const PERIOD_MS = 1000 // after which it is looked for anyway: things come and go below the hand
const SAME = 1e-3 // m; a line that ends as near as this to the last one is the same
const RING = { inner: 0.018, outer: 0.026 } // m

/** A line from the hand of the active robot down to what is below it. */
export function drawDropLine({ room, stage }: OverlayContext): Close {
  const line = makeLine({ colour: COLOUR, width: 1.5, isDashed: true })
  const paint = new MeshBasicMaterial({ color: COLOUR, transparent: true, depthTest: false })
  const ring = new Mesh(new RingGeometry(RING.inner, RING.outer, 32), paint)
  ring.layers.set(CLEAR)
  ring.renderOrder = 10
  ring.visible = false
  room.root.add(line.object, ring)
  const caster = new Raycaster()
  caster.layers.enable(CLEAR)
  const hand = new Vector3(Number.POSITIVE_INFINITY, 0, 0)

  const hide = () => {
    line.set([])
    ring.visible = false
  }
  const update = (isDue = false) => {
    const robot = room.robots.get(room.active)
    const tip = robot?.joints.length ? room.node(robot.tip) : undefined
    if (!robot || !tip || isPerson(room, robot.name)) return hide()
    const hasMoved = tip.object.position.distanceTo(hand) >= STEP
    if (!hasMoved && !isDue) return
    hand.copy(tip.object.position)
    const below = findBelow(room, caster, { hand, robot: robot.name })
    const height = below ? hand.z - below.z : 0
    if (!below || height < MIN_HEIGHT || height > MAX_HEIGHT) return hide()
    if (!hasMoved && ring.visible && ring.position.distanceTo(below) < SAME) return
    line.set([hand.toArray(), below.toArray()])
    ring.position.copy(below)
    ring.visible = true
    stage.redraw()
  }
  const timer = window.setInterval(() => update(true), PERIOD_MS)
  const forget = () => hand.setX(Number.POSITIVE_INFINITY)
  return closeAll([
    room.onStates(() => update()),
    room.onChange(forget),
    () => window.clearInterval(timer),
    line.close,
    () => {
      ring.removeFromParent()
      ring.geometry.dispose()
      paint.dispose()
    },
  ])
}

function isPerson(room: RoomView, robot: string): boolean {
  return room.skins.some((skin) => skin.name === robot)
}

/** The point below the hand, in the room, on something that the robot neither is nor holds. */
function findBelow(
  room: RoomView,
  caster: Raycaster,
  { hand, robot }: { hand: Vector3; robot: string },
): Vector3 | undefined {
  const from = room.root.localToWorld(hand.clone())
  caster.set(from, new Vector3(0, -1, 0))
  const hit = caster.intersectObjects(solids(room, robot), false)[0]
  return hit && room.root.worldToLocal(hit.point.clone())
}

function solids(room: RoomView, robot: string): Object3D[] {
  return room.nodes
    .filter((node) => node.object.visible && !node.info.is_region && !hangsOn(room, node, robot))
    .flatMap(({ object }) => object.children.filter((child) => child instanceof Mesh))
}

function hangsOn(room: RoomView, node: RoomNode, robot: string): boolean {
  for (let one: RoomNode | undefined = node; one; one = room.nodes[one.info.parent])
    if (one.info.robot === robot) return true
  return false
}
