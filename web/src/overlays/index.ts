import type { Close, Overlay, Overlays } from '../app'
import { makeListeners } from '../listeners'
import { recall, remember } from '../remembered'
import { drawBalance } from './balance'
import { drawContacts } from './contacts'
import { drawDropLine } from './drop_line'
import { drawAcceleration, drawEllipsoid, drawImpact } from './ellipsoid'
import { drawFrames } from './frames'
import { drawNames } from './names'
import { drawObstacles } from './obstacles'
import type { OverlayContext, OverlayKind } from './overlay'
import { drawStops } from './stops'
import { drawForces } from './touches'
import { drawTrail } from './trail'
import { drawWorkspace } from './workspace'

const KINDS: readonly OverlayKind[] = [
  {
    name: 'ellipsoid',
    title: 'Velocity ellipsoid',
    icon: 'ellipsoid',
    isOnAtFirst: false,
    start: drawEllipsoid,
  },
  {
    name: 'acceleration',
    title: 'Acceleration ellipsoid (masses)',
    icon: 'ellipsoid',
    isOnAtFirst: false,
    start: drawAcceleration,
  },
  {
    name: 'impact',
    title: 'Impact ellipsoid (masses)',
    icon: 'ellipsoid',
    isOnAtFirst: false,
    start: drawImpact,
  },
  {
    name: 'workspace',
    title: 'Workspace by dexterity',
    icon: 'dots',
    isOnAtFirst: false,
    start: drawWorkspace,
  },
  {
    name: 'frames',
    title: 'Frames of control points',
    icon: 'axes',
    isOnAtFirst: false,
    start: drawFrames,
  },
  {
    name: 'trail',
    title: 'Trail of the tip',
    icon: 'trail',
    isOnAtFirst: false,
    start: drawTrail,
  },
  {
    name: 'drop_line',
    title: 'Line from the hand down',
    icon: 'distance',
    isOnAtFirst: true,
    start: drawDropLine,
  },
  {
    name: 'obstacles',
    title: 'Distances to obstacles',
    icon: 'distance',
    isOnAtFirst: true,
    start: drawObstacles,
  },
  {
    name: 'contacts',
    title: 'Contacts',
    icon: 'contact',
    isOnAtFirst: true,
    start: drawContacts,
  },
  {
    name: 'stops',
    title: 'Ends of stroke',
    icon: 'warning',
    isOnAtFirst: true,
    start: drawStops,
  },
  {
    name: 'names',
    title: 'Names of things',
    icon: 'tree',
    about: 'room',
    isOnAtFirst: false,
    start: drawNames,
  },
  {
    name: 'forces',
    title: 'Contact forces and connections',
    icon: 'contact',
    about: 'room',
    isOnAtFirst: false,
    start: drawForces,
  },
  {
    name: 'balance',
    title: 'Balance and back load of people',
    icon: 'body',
    about: 'people',
    isOnAtFirst: true,
    start: drawBalance,
  },
]

/** All overlays, and which of them are on; the person's choice is remembered. */
export function makeOverlays(context: OverlayContext): Overlays & { close: Close } {
  const changes = makeListeners()
  const save = () =>
    remember('overlays', Object.fromEntries(all.map((overlay) => [overlay.name, overlay.isOn])))
  const all = KINDS.map((kind) =>
    makeOverlay(kind, context, () => {
      save()
      context.stage.redraw()
      changes.tell()
    }),
  )
  const wished = recall<Record<string, boolean>>('overlays') ?? {}
  for (const [k, kind] of KINDS.entries())
    if (wished[kind.name] ?? kind.isOnAtFirst) all[k]?.toggle(true)
  return {
    all,
    get: (name) => all.find((overlay) => overlay.name === name),
    onChange: changes.on,
    close: () => {
      for (const overlay of all) overlay.stop()
    },
  }
}

function makeOverlay(
  { name, title, icon, about = 'robots', start }: OverlayKind,
  context: OverlayContext,
  onChange: () => void,
): Overlay & { stop: Close } {
  let close: Close | undefined
  const stop = () => {
    close?.()
    close = undefined
  }
  return {
    name,
    title,
    icon,
    about,
    get isOn() {
      return close !== undefined
    },
    toggle(isOn = close === undefined) {
      if (isOn === (close !== undefined)) return
      if (isOn) close = start(context)
      else stop()
      onChange()
    },
    stop,
  }
}
