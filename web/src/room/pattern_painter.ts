// A worker that paints patterns, so that the page can draw meanwhile: a name in, its pixels out.

import { PATTERNS, type Painted, paint } from './pattern_rules'

export type PaintedPattern = Painted & { name: string }

self.onmessage = ({ data: name }: MessageEvent<string>) => {
  const pattern = PATTERNS[name]
  if (!pattern) return
  const painted: PaintedPattern = { name, ...paint(pattern) }
  self.postMessage(painted, { transfer: [painted.tone.buffer, painted.normal.buffer] })
}
