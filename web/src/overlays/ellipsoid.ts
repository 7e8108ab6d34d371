import { Matrix4, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import { CLEAR } from '../layers'
import type { RobotState } from '../net/protocol'
import { addLegend, makeKey } from './legend'
import type { OverlayKind } from './overlay'

const MIN_AXIS = 0.002 // m: a flat ellipsoid is still a body
const MAX_AXIS = 3 // m: unbounded axes end here

interface Look {
  name: string // of what is drawn
  title: string // in the legend
  given: string // what the joints do meanwhile
  unit: string
  colour: string
  scale: number // m drawn for 1 of its unit
  axes(state: RobotState): RobotState['ellipsoid']
}

/** How fast the tip can move in each direction, joints at unit speed: live. */
export const drawEllipsoid = makeEllipsoid({
  name: 'ellipsoid',
  title: 'Velocity of the tip',
  given: 'joint speeds of norm 1',
  unit: 'm/s',
  colour: '#38b6c9',
  scale: 0.3,
  axes: (state) => state.ellipsoid,
})

/** How hard the tip can speed up in each direction, with unit efforts at the joints. */
export const drawAcceleration = makeEllipsoid({
  name: 'acceleration',
  title: 'Acceleration of the tip',
  given: 'joint efforts of norm 1',
  unit: 'm/s²',
  colour: '#d98e2b',
  scale: 0.05,
  axes: (state) => state.acceleration,
})

/** How hard the tip hits in each direction, joints at unit speed. */
export const drawImpact = makeEllipsoid({
  name: 'impact',
  title: 'Impulse of the tip',
  given: 'joint speeds of norm 1',
  unit: 'N s',
  colour: '#c9485b',
  scale: 0.3,
  axes: (state) => state.impact,
})

function makeEllipsoid(look: Look): OverlayKind['start'] {
  const { name, colour, scale, axes: axesOf } = look
  return ({ room, stage, selection, shell }) => {
    const key = makeKey(colour)
    const closeLegend = addLegend(shell, look.title, key.element)
    key.say(`for ${look.given}`)
    const { body, dispose } = makeBody(colour)
    body.name = `${name} overlay`
    room.root.add(body)
    const axes = [new Vector3(), new Vector3(), new Vector3()] as const
    const close = stage.onFrame(() => {
      const state = room.states.get(selection.robot?.name ?? '')
      const found = state ? axesOf(state) : []
      body.visible = found.length === 3
      if (!state || !body.visible) {
        key.say('not known: the robot has no masses, or none is chosen')
        return
      }
      key.say(describeAxes(found, look))
      for (const [k, axis] of axes.entries()) setAxis(axis, found[k], { scale, index: k })
      body.matrix.copy(new Matrix4().makeBasis(...axes)).setPosition(...state.tip)
      body.matrixWorldNeedsUpdate = true
    })
    return () => {
      close()
      closeLegend()
      body.removeFromParent()
      dispose()
    }
  }
}

/** The legend: how long the half axes are, what for, and how large they are drawn. */
export function describeAxes(
  axes: readonly [number, number, number][],
  { given, unit, scale }: Pick<Look, 'given' | 'unit' | 'scale'>,
): string {
  const lengths = axes.map((axis) => Math.hypot(...axis)).sort((a, b) => b - a)
  const [most, least] = [lengths[0] ?? 0, lengths.at(-1) ?? 0].map((v) => Number(v.toPrecision(2)))
  return `${least} to ${most} ${unit}, for ${given}; ${100 * scale} cm drawn for 1 ${unit}`
}

/** A ball of glass with lines on it, which is stretched. */
function makeBody(colour: string): { body: Mesh; dispose(): void } {
  const made = [new SphereGeometry(1, 36, 24), new SphereGeometry(1.002, 18, 10)] as const
  const glass = { color: colour, transparent: true, depthWrite: false }
  const materials = [
    new MeshBasicMaterial({ ...glass, opacity: 0.28 }),
    new MeshBasicMaterial({ ...glass, opacity: 0.22, wireframe: true }),
  ] as const
  materials[1].color.multiplyScalar(0.4)
  const body = new Mesh(made[0], materials[0])
  body.add(new Mesh(made[1], materials[1]))
  body.matrixAutoUpdate = false
  body.traverse((part) => part.layers.set(CLEAR))
  return {
    body,
    dispose: () => {
      for (const each of [...made, ...materials]) each.dispose()
    },
  }
}

function setAxis(
  axis: Vector3,
  half: [number, number, number] | undefined,
  { scale, index }: { scale: number; index: number },
): void {
  axis.fromArray(half ?? [0, 0, 0]).multiplyScalar(scale)
  axis.clampLength(0, MAX_AXIS)
  if (axis.length() < MIN_AXIS) axis.setComponent(index, MIN_AXIS)
}
