// Where words and buttons stand on a board in the headset; pixels, from its upper left corner.

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Lay buttons out in rows of so many; they fill a box. */
export function gridOf(count: number, columns: number, area: Box, gap: number): Box[] {
  const rows = Math.ceil(count / columns)
  const width = (area.width - (columns - 1) * gap) / columns
  const height = (area.height - (rows - 1) * gap) / Math.max(rows, 1)
  return Array.from({ length: count }, (_, index) => ({
    x: area.x + (index % columns) * (width + gap),
    y: area.y + Math.floor(index / columns) * (height + gap),
    width,
    height,
  }))
}

/** Which box a point is in; -1 for none. */
export function boxAt(boxes: readonly Box[], x: number, y: number): number {
  return boxes.findIndex(
    (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
  )
}

/** Break a text into lines that are no wider than `width`, as `measure` says. */
export function wrapWords(
  text: string,
  width: number,
  measure: (text: string) => number,
): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line ? `${line} ${word}` : word
      if (line && measure(longer) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}
