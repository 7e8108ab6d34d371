import type { Close, Overlay, Overlays } from '../app'
import { makeListeners } from '../listeners'
import { recall, remember } from '../remembered'
import { balance } from './balance'
import { contacts } from './contacts'
import { acceleration, ellipsoid, impact } from './ellipsoid'
import { frames } from './frames'
import { names } from './names'
import { obstacles } from './obstacles'
import type { OverlayContext, OverlayKind } from './overlay'
import { stops } from './stops'
import { trail } from './trail'
import { workspace } from './workspace'

const KINDS: readonly OverlayKind[] = [
  ellipsoid,
  acceleration,
  impact,
  workspace,
  frames,
  trail,
  obstacles,
  contacts,
  stops,
  names,
  balance,
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
