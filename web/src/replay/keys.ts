// Keys of the recording. They come before all others: nothing in a recording listens to keys.

import type { Close, Shell } from '../app'
import { closeAll, isTyping } from '../listeners'
import type { Take } from './contents'
import type { Playback } from './playback'
import { markBeside } from './scale'

const STEP_S = 1

export function setUpReplayKeys(shell: Shell, take: Take, playback: Playback): Close {
  const jump = (direction: 1 | -1) => {
    const mark = markBeside(take.marks, playback.time, direction)
    if (mark) playback.seek(mark.time)
  }
  const keys: [key: string, does: string, press: () => void][] = [
    [' ', 'play or pause the recording', () => playback.toggle()],
    ['ArrowLeft', 'one second back', () => playback.seek(clamp(playback.time - STEP_S, take))],
    ['ArrowRight', 'one second forward', () => playback.seek(clamp(playback.time + STEP_S, take))],
    [',', 'one tick back', () => playback.step(-1)],
    ['.', 'one tick forward', () => playback.step(1)],
    ['Home', 'to the beginning', () => playback.seek(take.start)],
    ['End', 'to the end', () => playback.seek(take.end)],
    ['PageUp', 'to the event before', () => jump(-1)],
    ['PageDown', 'to the next event', () => jump(1)],
  ]
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return
    const isButton = event.target instanceof HTMLButtonElement && event.key === ' '
    const found = keys.find(([key]) => key === event.key)
    if (!found || isButton) return // Space presses the button that has the focus
    event.preventDefault()
    event.stopImmediatePropagation()
    found[2]()
  }
  window.addEventListener('keydown', press, { capture: true })
  return closeAll([
    () => window.removeEventListener('keydown', press, { capture: true }),
    // Listed in the help; pressed above.
    ...keys.map(([key, does]) => shell.key(key === ' ' ? 'Space' : key, does, () => {})),
  ])
}

const clamp = (time: number, take: Take) => Math.min(Math.max(time, take.start), take.end)
