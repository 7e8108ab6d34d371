import type { Gpu } from '../quality'

/** Ask a canvas of its own, since the answer decides how the real one is made. */
export function findGpu(): Gpu {
  const context = document.createElement('canvas').getContext('webgl2')
  if (!context) return { name: '', isSoftware: true }
  const extension = context.getExtension('WEBGL_debug_renderer_info')
  const name = String(
    context.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : context.RENDERER),
  )
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return { name, isSoftware: /swiftshader|llvmpipe|software|basic render/i.test(name) }
}
