import {
  DoubleSide,
  FrontSide,
  type Material,
  MeshLambertMaterial,
  MeshStandardMaterial,
  SRGBColorSpace,
} from 'three'
import type { SurfaceInfo } from '../net/protocol'
import type { Level } from '../quality'
import { GAIN, patternMaps } from './patterns'

export type SurfaceMaterial = MeshStandardMaterial | MeshLambertMaterial

/** Materials for surfaces; equal surfaces share one. */
export interface Surfaces {
  material(surface: SurfaceInfo, look: SurfaceLook): SurfaceMaterial
  /** Forget materials that nothing of these uses. */
  sweep(used: ReadonlySet<Material>): void
}

export interface SurfaceLook {
  wireframe: boolean
  isRegion: boolean
  isThin?: boolean // seen from both sides
  isFloor?: boolean // fades far away
}

const REGION_OPACITY = 0.1

/** `level` says what may be spent; materials asked for after it changed are of the new kind. */
export function makeSurfaces(anisotropy: number, level: () => Level): Surfaces {
  const known = new Map<string, SurfaceMaterial>()
  return {
    material(surface, look) {
      const { shading, relief } = level()
      const key = JSON.stringify([surface, look, shading, relief])
      const old = known.get(key)
      if (old) return old
      const made = makeMaterial(surface, look, shading)
      if (!look.wireframe && !look.isRegion) dress(made, surface, { anisotropy, relief })
      known.set(key, made)
      return made
    },
    sweep(used) {
      for (const [key, material] of known)
        if (!used.has(material)) {
          material.dispose()
          known.delete(key)
        }
    },
  }
}

function makeMaterial(
  surface: SurfaceInfo,
  look: SurfaceLook,
  shading: Level['shading'],
): SurfaceMaterial {
  const opacity = look.isRegion ? Math.min(REGION_OPACITY, surface.opacity) : surface.opacity
  const isClear = opacity < 0.999
  const shared = {
    opacity,
    transparent: isClear,
    depthWrite: !isClear,
    wireframe: look.wireframe,
    side: isClear || look.isThin ? DoubleSide : FrontSide,
    forceSinglePass: true,
  }
  const material =
    shading === 'plain'
      ? new MeshLambertMaterial(shared)
      : new MeshStandardMaterial({
          ...shared,
          metalness: surface.metalness,
          roughness: Math.max(0.06, surface.roughness),
        })
  material.color.setRGB(...surface.colour, SRGBColorSpace)
  return material
}

function dress(
  material: SurfaceMaterial,
  surface: SurfaceInfo,
  options: { anisotropy: number; relief: boolean },
): void {
  const maps = patternMaps(surface.pattern, options.anisotropy)
  if (!maps) return
  material.map = maps.tone
  material.color.multiplyScalar(GAIN)
  if (options.relief) material.normalMap = maps.normal
}
