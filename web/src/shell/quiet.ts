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

const EXCEPTION = /\b[A-Z]\w*(Error|Exception|Warning)\b/ // the name of a mistake in a program

/** What people read of something that was said; Messages has it as it was said. */
export function wordsFor(problem: string, text: string): string {
  if (!problem) return text
  return EXCEPTION.test(text)
    ? `${problem} failed; Messages has the details.`
    : `${problem}: ${text}`
}
