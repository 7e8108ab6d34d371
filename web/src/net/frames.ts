// Poses of nodes come as binary frames, little endian:
// u32 magic, structure, tick, count; f64 time, sent; u32 rows[count]; f32 places[count × 8].

const MAGIC = 0x52425831
const HEADER_BYTES = 32
export const PLACE = 8 // floats a row: x y z, qx qy qz qw, scale

/** Poses of nodes in the world. Nodes that are not listed have not moved. */
export interface Frame {
  structure: number
  tick: number
  time: number // s of the room
  sent: number // s, of the server's clock
  rows: Uint32Array
  places: Float32Array
}

/** Read a frame; undefined if the data is something else, or incomplete. */
export function readFrame(buffer: ArrayBuffer): Frame | undefined {
  if (buffer.byteLength < HEADER_BYTES) return undefined
  const view = new DataView(buffer)
  const count = view.getUint32(12, true)
  if (
    view.getUint32(0, true) !== MAGIC ||
    buffer.byteLength !== HEADER_BYTES + count * (4 + 4 * PLACE)
  )
    return undefined
  return {
    structure: view.getUint32(4, true),
    tick: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    sent: view.getFloat64(24, true),
    rows: new Uint32Array(buffer, HEADER_BYTES, count),
    places: new Float32Array(buffer, HEADER_BYTES + 4 * count, count * PLACE),
  }
}
