import { BufferAttribute, BufferGeometry, Color, Points, PointsMaterial } from 'three'
import type { Close, RoomView } from '../app'
import { CLEAR } from '../layers'
import { fetchBinary } from '../net/mesh_file'
import { addLegend, makeScale } from './legend'
import type { OverlayContext } from './overlay'

const SAMPLES = 20000
const STOPS = ['#3b2a7d', '#2a6db0', '#1fa187', '#8fd744', '#fde725'] // poor to good

/** Where the tip can be, coloured by how freely it moves there. */
export function drawWorkspace({ room, stage, selection, shell }: OverlayContext): Close {
  const closeLegend = addLegend(shell, 'Dexterity', ...makeScale(STOPS, ['singular', 'dexterous']))
  let cloud: Points | undefined
  let robot = ''
  let isClosed = false

  const drop = () => {
    cloud?.removeFromParent()
    cloud?.geometry.dispose()
    cloud = undefined
  }
  const show = async (name: string) => {
    robot = name
    drop()
    if (!name) return
    shell.toast(`Computing where ${name} can reach…`)
    try {
      const buffer = await fetchBinary(
        `api/workspace/${encodeURIComponent(name)}?samples=${SAMPLES}`,
      )
      if (isClosed || robot !== name) return
      drop()
      cloud = makeCloud(new Float32Array(buffer))
      room.root.add(cloud)
      stage.redraw()
    } catch (reason) {
      if (!isClosed)
        shell.toast(`The workspace could not be computed: ${String(reason)}`, 'problem')
    }
  }
  const follow = () => {
    const name = selection.robot?.name ?? ''
    if (name !== robot) void show(name)
    if (cloud) place(cloud, robot, room)
  }
  const close = stage.onFrame(follow)
  return () => {
    isClosed = true
    close()
    drop()
    closeLegend()
  }
}

/** The cloud stands where the robot's node stands. */
function place(cloud: Points, robot: string, room: RoomView): void {
  const node = room.nodes[room.robots.get(robot)?.row ?? -1]
  if (!node) return
  cloud.matrix.copy(node.object.matrix)
  cloud.matrixWorldNeedsUpdate = true
}

/** Four numbers a point: x, y, z and dexterity in 0..1. */
function makeCloud(numbers: Float32Array): Points {
  const count = Math.floor(numbers.length / 4)
  const positions = new Float32Array(3 * count)
  const colours = new Float32Array(3 * count)
  const colour = new Color()
  for (let k = 0; k < count; k++) {
    positions.set(numbers.subarray(4 * k, 4 * k + 3), 3 * k)
    colourAt(numbers[4 * k + 3] ?? 0, colour).toArray(colours, 3 * k)
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  geometry.setAttribute('color', new BufferAttribute(colours, 3))
  const cloud = new Points(
    geometry,
    new PointsMaterial({
      size: 0.018,
      vertexColors: true,
      transparent: true,
      opacity: 0.75,
      depthWrite: false,
    }),
  )
  cloud.matrixAutoUpdate = false
  cloud.layers.set(CLEAR)
  return cloud
}

function colourAt(value: number, out: Color): Color {
  const at = Math.min(1, Math.max(0, value)) * (STOPS.length - 1)
  const low = Math.min(STOPS.length - 2, Math.floor(at))
  return out.set(STOPS[low] ?? '').lerp(new Color(STOPS[low + 1]), at - low)
}
