import {
  BackSide,
  Color,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from 'three'

/** What is behind everything: a calm gradient from the horizon up, and another down. */
interface Backdrop {
  readonly mesh: Mesh
  setDark(isDark: boolean): void
}

const LOOKS = {
  light: { horizon: '#eef0f2', sky: '#b4c8e0', ground: '#d3d6da' },
  dark: { horizon: '#30353e', sky: '#121419', ground: '#1b1e24' },
}
const RADIUS = 100 // m

export function makeBackdrop(): Backdrop {
  const geometry = new SphereGeometry(RADIUS, 16, 48)
  const position = geometry.getAttribute('position')
  const colours = new Float32BufferAttribute(new Float32Array(3 * position.count), 3)
  geometry.setAttribute('color', colours)
  const material = new MeshBasicMaterial({
    vertexColors: true,
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    toneMapped: false,
    fog: false,
    dithering: true, // so that the gradient shows no steps
  })
  const mesh = new Mesh(geometry, material)
  mesh.name = 'backdrop'
  mesh.frustumCulled = false
  mesh.renderOrder = -1000
  return {
    mesh,
    setDark(isDark) {
      const look = isDark ? LOOKS.dark : LOOKS.light
      const [horizon, sky, ground] = [look.horizon, look.sky, look.ground].map((c) => new Color(c))
      if (!horizon || !sky || !ground) return
      const mixed = new Color()
      for (let k = 0; k < position.count; k++) {
        const up = position.getY(k) / RADIUS
        mixed.lerpColors(horizon, up > 0 ? sky : ground, Math.min(1, Math.abs(up) * 1.3) ** 0.8)
        colours.setXYZ(k, mixed.r, mixed.g, mixed.b)
      }
      colours.needsUpdate = true
    },
  }
}
