// Whose problems are for those who look into them: in Messages, not over the room.

const QUIET_SOURCES: ReadonlySet<string> = new Set([
  'loop',
  'keyboard',
  'gamepad',
  'joystick',
  'space_mouse',
  'cursor',
  'headset',
  'left_controller',
  'right_controller',
  'left_tracked_hand',
  'right_tracked_hand',
])

/** Whether something that was said is a problem that only Messages shows; '' is no problem. */
export function isQuiet(problem: string): boolean {
  return QUIET_SOURCES.has(problem)
}
