import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  type Group,
  Matrix4,
  Skeleton,
  SkinnedMesh,
  Sphere,
} from 'three'
import { fetchBinary, floats } from '../net/mesh_file'
import type { SkinInfo, SurfaceInfo } from '../net/protocol'
import type { Surfaces } from './surfaces'

/** Bodies of people: one mesh each, bent by bones whose places come with frames. */
export interface Skins {
  receive(skins: readonly SkinInfo[]): void
  /** The bone of a row of frames, if there is one. */
  bone(row: number): Bone | undefined
  /** Call after bones were placed. */
  follow(): void
  /** Draw them in the current quality, or as wireframes. */
  dress(wireframe: boolean): void
}

interface Body {
  info: SkinInfo
  bones: Bone[]
  skin: Skin | undefined // once it has come
}

interface Skin {
  mesh: SkinnedMesh
  groups: readonly SurfaceInfo[] // of its triangles
}

const SPREAD = 1.6 // how much larger than at rest a body in motion may be

export function makeSkins(
  root: Group,
  surfaces: Surfaces,
  onLoad: (problem?: string) => void,
): Skins {
  let bodies: Body[] = []
  let bones = new Map<number, Bone>()
  let wireframe = false

  const dress = ({ mesh, groups }: Skin) => {
    const look = { wireframe, isRegion: false }
    mesh.material = groups.map((surface) => surfaces.material(surface, look))
  }
  const load = async (body: Body) => {
    try {
      const made = makeSkin(await fetchBinary(`skin/${body.info.key}`), body.bones)
      if (!bodies.includes(body)) return // gone meanwhile
      made.mesh.name = body.info.name
      made.mesh.userData.node = body.info.name
      made.mesh.userData.isSkin = true
      body.skin = made
      dress(made)
      root.add(made.mesh)
      follow(body)
      onLoad()
    } catch (reason) {
      onLoad(`The body of ${body.info.name} could not be fetched: ${String(reason)}`)
    }
  }
  return {
    receive(skins) {
      const isSame = JSON.stringify(skins) === JSON.stringify(bodies.map((body) => body.info))
      if (isSame) return
      for (const body of bodies) {
        body.skin?.mesh.removeFromParent()
        body.skin?.mesh.geometry.dispose()
        root.remove(...body.bones)
      }
      bodies = skins.map((info) => ({ info, bones: info.bones.map(makeBone), skin: undefined }))
      bones = new Map(
        bodies.flatMap((b) => b.bones.map((bone, k) => [b.info.bones[k] ?? -1, bone])),
      )
      for (const body of bodies) {
        root.add(...body.bones)
        void load(body)
      }
    },
    bone: (row) => bones.get(row),
    follow: () => bodies.forEach(follow),
    dress(next) {
      wireframe = next
      for (const { skin } of bodies) if (skin) dress(skin)
    },
  }
}

function makeBone(): Bone {
  const bone = new Bone()
  bone.matrixAutoUpdate = false
  return bone
}

/** Keep the bounding sphere, which culling and picking use, at the body. */
function follow({ skin, bones }: Body): void {
  const mesh = skin?.mesh
  const rest = mesh?.geometry.boundingSphere
  const first = bones[0]
  if (!mesh || !rest || !first) return
  mesh.boundingSphere ??= new Sphere()
  mesh.boundingSphere.copy(rest).applyMatrix4(first.matrix)
  mesh.boundingSphere.radius *= SPREAD
}

/**
 * u32 vertices, triangles, bones, groups; f32 positions, normals; u16 four bones and f32 four
 * weights a vertex; f32 inverse bind matrices; u32 indices; then groups: u32 start, count and
 * f32 red, green, blue, roughness.
 */
function makeSkin(buffer: ArrayBuffer, bones: Bone[]): Skin {
  const [vertices = 0, triangles = 0, nBones = 0, nGroups = 0] = new Uint32Array(buffer, 0, 4)
  let at = 16
  const take = (bytes: number) => {
    const here = at
    at += bytes
    return here
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', floats(buffer, take(12 * vertices), vertices, 3))
  geometry.setAttribute('normal', floats(buffer, take(12 * vertices), vertices, 3))
  const indices = new Uint16Array(buffer, take(8 * vertices), 4 * vertices)
  geometry.setAttribute('skinIndex', new BufferAttribute(indices, 4))
  geometry.setAttribute('skinWeight', floats(buffer, take(16 * vertices), vertices, 4))
  const binds = new Float32Array(buffer, take(64 * nBones), 16 * nBones)
  geometry.setIndex(
    new BufferAttribute(new Uint32Array(buffer, take(12 * triangles), 3 * triangles), 1),
  )
  geometry.computeBoundingSphere()
  const view = new DataView(buffer, at)
  const groups = Array.from({ length: nGroups }, (_, k): SurfaceInfo => {
    const word = (n: number) => view.getUint32(24 * k + 4 * n, true)
    const real = (n: number) => view.getFloat32(24 * k + 4 * n, true)
    geometry.addGroup(word(0), word(1), k)
    const colour: SurfaceInfo['colour'] = [real(2), real(3), real(4)]
    return { colour, opacity: 1, metalness: 0, roughness: real(5), pattern: '' }
  })
  const mesh = new SkinnedMesh(geometry)
  const inverses = bones.map((_, k) => new Matrix4().fromArray(binds, 16 * k))
  mesh.bind(new Skeleton(bones, inverses), new Matrix4())
  mesh.castShadow = mesh.receiveShadow = true
  return { mesh, groups }
}
