const GAP = 4 // pixels between boxes
const MAX_MOVES = 8

/** A rectangle on the screen, in pixels; y points down. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Move a box up until it covers none of those already there. */
export function makeWay(box: Box, taken: readonly Box[]): Box {
  const moved = { ...box }
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const hit = taken.find((other) => cover(moved, other))
    if (!hit) break
    moved.y = hit.y - moved.height - GAP
  }
  return moved
}

/** Whether boxes overlap, or are closer above each other than the gap. */
export function cover(a: Box, b: Box): boolean {
  return (
    a.x < b.x + b.width &&
    b.x < a.x + a.width &&
    a.y < b.y + b.height + GAP &&
    b.y < a.y + a.height + GAP
  )
}
