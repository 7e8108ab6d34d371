import {
  BackSide,
  BoxGeometry,
  Color,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  Scene,
  SphereGeometry,
  type Texture,
  type WebGLRenderer,
} from 'three'

/** Light from all round, made of a small scene: a bright studio with windows. */
export function makeEnvironment(renderer: WebGLRenderer, isSoftware: boolean): Texture {
  const studio = new Scene()
  studio.add(wall())
  // Large soft panes: one above, two windows, one faint fill from behind.
  studio.add(pane([4, 0.1, 4], [0, 4.6, 0], '#ffffff', 7))
  studio.add(pane([0.1, 3.2, 3], [4.6, 1.4, 1], '#fff4e4', 6))
  studio.add(pane([3, 2.4, 0.1], [-1.5, 1.2, 4.6], '#e6f0ff', 4))
  studio.add(pane([0.1, 2, 2.4], [-4.6, 1.6, -1.6], '#dfeaff', 2.5))
  const generator = new PMREMGenerator(renderer)
  const target = generator.fromScene(studio, isSoftware ? 0.08 : 0.03, 0.1, 20, {
    size: isSoftware ? 64 : 256,
  })
  generator.dispose()
  studio.traverse((part) => {
    if (!(part instanceof Mesh)) return
    part.geometry.dispose()
    part.material.dispose()
  })
  return target.texture
}

/** Walls that darken towards the floor, which is warm, as wood under daylight is. */
function wall(): Mesh {
  const geometry = new SphereGeometry(8, 24, 16)
  const position = geometry.getAttribute('position')
  const colours = new Float32Array(3 * position.count)
  const above = new Color('#d3dbe6')
  const below = new Color('#7d746a')
  const mixed = new Color()
  for (let k = 0; k < position.count; k++) {
    const up = position.getY(k) / 8
    mixed.lerpColors(below, above, Math.min(1, Math.max(0, 0.5 + 0.9 * up))).toArray(colours, 3 * k)
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3))
  return new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: BackSide }))
}

function pane(
  size: [number, number, number],
  at: [number, number, number],
  colour: string,
  strength: number,
): Mesh {
  const material = new MeshBasicMaterial({ color: new Color(colour).multiplyScalar(strength) })
  const mesh = new Mesh(new BoxGeometry(...size), material)
  mesh.position.set(...at)
  return mesh
}
