import { type BufferGeometry, type Group, Mesh, MeshBasicMaterial, SphereGeometry } from 'three'
import type { Close, Connection } from '../app'
import { CLEAR } from '../layers'
import { closeAll } from '../listeners'
import type { ContactMark, JointMark, Touches } from '../net/protocol'
import { makeLine, type ScreenLine } from '../room/lines'
import type { OverlayContext } from './overlay'

const FORCE_COLOUR = '#ff9d2e'
const TOUCH_COLOUR = '#ff3b3b' // where a robot is stopped; its force is not known
const JOINT_COLOUR = '#3ec6ff'
const DOT = 0.006 // m, radius of the mark of a contact
const JOINT = 0.014 // m, of a connection
const AXIS = 0.12 // m, of hinges and sliders
const HEAD = 0.22 // of an arrow's length

type Wish = 'robots' | 'forces'
const wishes = new WeakMap<Connection, Set<Wish>>() // what the overlays of a page show now

/** Where things touch: a dot, and an arrow along the force; connections with their axis. */
export function drawForces(context: OverlayContext): Close {
  return draw(context, 'forces', (marks, { contacts, joints }) => {
    for (const contact of contacts) addContact(marks, contact)
    for (const joint of joints) addJoint(marks, joint)
  })
}

/** Where robots touch what stops them: red dots. */
export function drawRobotTouches(context: OverlayContext): Close {
  return draw(context, 'robots', (marks, { contacts }) => {
    for (const contact of contacts)
      if (!arrowPoints(contact.at, contact.force).length) addContact(marks, contact)
  })
}

function draw(
  { connection, room, stage }: OverlayContext,
  wish: Wish,
  add: (marks: Marks, touches: Touches) => void,
): Close {
  const marks = makeMarks(room.root)
  const wanted = wishes.get(connection) ?? new Set<Wish>()
  wishes.set(connection, wanted.add(wish))
  const ask = () =>
    connection.send({
      kind: 'watch_touches',
      robots: wanted.has('robots'),
      forces: wanted.has('forces'),
    })
  ask()
  return closeAll([
    connection.on('touches', (touches) => {
      marks.begin()
      add(marks, touches)
      marks.end()
      stage.redraw()
    }),
    connection.on('welcome', ask),
    () => {
      wanted.delete(wish)
      ask()
    },
    marks.close,
  ])
}

/** The length of an arrow in m: 1 N is 4 cm, 100 N 12 cm. */
export function arrowLength(newtons: number): number {
  return newtons < 1e-3 ? 0 : 0.04 * Math.log10(1 + 9 * newtons)
}

/** The points of an arrow from a place along a force: a shaft, and a head in a plane with it. */
export function arrowPoints(at: readonly number[], force: readonly number[]): number[][] {
  const [x, y, z] = force as [number, number, number]
  const size = Math.hypot(x, y, z)
  const length = arrowLength(size)
  if (!length) return []
  const along = [x / size, y / size, z / size]
  const side =
    Math.abs(along[2] ?? 0) < 0.9 ? unitCross(along, [0, 0, 1]) : unitCross(along, [1, 0, 0])
  const point = (forward: number, aside: number) =>
    at.map((p, k) => p + length * (forward * (along[k] ?? 0) + aside * (side[k] ?? 0)))
  return [
    point(0, 0),
    point(1, 0),
    point(1 - HEAD, HEAD / 2),
    point(1, 0),
    point(1 - HEAD, -HEAD / 2),
  ]
}

function unitCross(a: readonly number[], b: readonly number[]): number[] {
  const [x = 0, y = 0, z = 0] = a
  const [u = 0, v = 0, w = 0] = b
  const out = [y * w - z * v, z * u - x * w, x * v - y * u]
  const size = Math.hypot(...out) || 1
  return out.map((part) => part / size)
}

interface Marks {
  begin(): void
  dot(at: readonly number[], radius: number, colour: string): void
  line(points: readonly (readonly number[])[], colour: string): void
  end(): void
  close(): void
}

function addContact(marks: Marks, { at, force }: ContactMark): void {
  const points = arrowPoints(at, force)
  marks.dot(at, DOT, points.length ? FORCE_COLOUR : TOUCH_COLOUR)
  if (points.length) marks.line(points, FORCE_COLOUR)
}

function addJoint(marks: Marks, { at, axis, joint }: JointMark): void {
  marks.dot(at, JOINT, JOINT_COLOUR)
  if (joint !== 'hinge' && joint !== 'slider') return
  const size = Math.hypot(...axis) || 1
  const end = (sign: number) => at.map((p, k) => p + (sign * AXIS * (axis[k] ?? 0)) / size)
  marks.line([end(-1), end(1)], JOINT_COLOUR)
}

/** Dots and lines that are used again for every message. */
function makeMarks(root: Group): Marks {
  const ball: BufferGeometry = new SphereGeometry(1, 12, 8)
  const materials = new Map<string, MeshBasicMaterial>()
  const dots: Mesh[] = []
  const lines: ScreenLine[] = []
  let usedDots = 0
  let usedLines = 0
  const material = (colour: string) => {
    const made =
      materials.get(colour) ??
      new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true })
    materials.set(colour, made)
    return made
  }
  return {
    begin() {
      usedDots = usedLines = 0
    },
    dot(at, radius, colour) {
      const mesh = dots[usedDots] ?? new Mesh(ball, material(colour))
      if (usedDots === dots.length) {
        mesh.layers.set(CLEAR)
        mesh.renderOrder = 11
        root.add(mesh)
        dots.push(mesh)
      }
      usedDots += 1
      mesh.material = material(colour)
      mesh.position.fromArray(at as number[])
      mesh.scale.setScalar(radius)
      mesh.visible = true
    },
    line(points, colour) {
      const line = lines[usedLines] ?? makeLine({ colour })
      if (usedLines === lines.length) {
        root.add(line.object)
        lines.push(line)
      }
      usedLines += 1
      line.object.material.color.set(colour)
      line.set(points)
    },
    end() {
      for (const mesh of dots.slice(usedDots)) mesh.visible = false
      for (const line of lines.slice(usedLines)) line.set([])
    },
    close() {
      for (const mesh of dots) mesh.removeFromParent()
      for (const line of lines) line.close()
      ball.dispose()
      for (const each of materials.values()) each.dispose()
    },
  }
}
