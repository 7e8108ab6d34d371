import { Euler, MathUtils, Vector3 } from 'three'
import type { Close, RoomView } from '../app'
import { codeOf } from '../key_codes'
import { isTyping, listen } from '../listeners'
import type { Manner } from './view'

const SPEED = 1.6 // m/s
const HURRY_FACTOR = 3 // with Shift
const FOLLOW_RATE = 10 // 1/s

/** Keys for ahead, left, back, right, down, up. */
type Keys = readonly [string, string, string, string, string, string]
const CHOICES: readonly Keys[] = [
  ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'KeyQ', 'KeyE'],
  ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'PageDown', 'PageUp'],
  ['KeyI', 'KeyJ', 'KeyK', 'KeyL', 'KeyU', 'KeyO'],
]

interface Flight extends Manner {
  readonly keys: string // in words
  stop(): void
  close: Close
}

/** Fly through the room: look by dragging, move by keys that the room does not use itself. */
export function makeFlight(room: RoomView): Flight {
  const position = new Vector3()
  const velocity = new Vector3()
  const wish = new Vector3()
  const turned = new Euler(0, 0, 0, 'YXZ')
  const pressed = new Set<string>()
  let isOn = false
  let isHurried = false
  let keys: Keys = CHOICES[0] as Keys

  const press = (event: KeyboardEvent) => {
    isHurried = event.shiftKey
    if (!isOn || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys.includes(event.code)) return
    pressed.add(event.code)
    event.preventDefault()
    event.stopImmediatePropagation() // not for the room
  }
  const release = (event: KeyboardEvent) => {
    isHurried = event.shiftKey
    pressed.delete(event.code)
  }
  const closes = [
    listen(window, 'keydown', press, { capture: true }),
    listen(window, 'keyup', release, { capture: true }),
    listen(window, 'blur', () => pressed.clear()),
  ]
  return {
    get keys() {
      return keys.map((key) => key.replace(/^(Key|Arrow)/, '')).join(' ')
    },
    get isMoving() {
      return pressed.size > 0 || velocity.length() > 1e-3
    },
    start(from) {
      isOn = true
      keys = freeKeys(room)
      position.copy(from.position)
      turned.setFromQuaternion(from.quaternion, 'YXZ')
      turned.z = 0
    },
    stop() {
      isOn = false
      pressed.clear()
      velocity.set(0, 0, 0)
    },
    turn(dx, dy) {
      turned.y += dx * 1.6
      turned.x = MathUtils.clamp(turned.x + dy * 1.6, -1.5, 1.5)
    },
    shift(dx, dy) {
      position.add(wish.set(-dx, dy, 0).multiplyScalar(3).applyEuler(turned))
    },
    zoom(factor, towards) {
      position.addScaledVector(towards, -Math.log(factor) * 2)
    },
    update(dt, out) {
      const [ahead, left, back, right, down, up] = keys.map((key) =>
        pressed.has(key) ? 1 : 0,
      ) as [number, number, number, number, number, number]
      wish.set(right - left, 0, back - ahead).applyEuler(turned)
      wish.y += up - down
      const speed = SPEED * (isHurried ? HURRY_FACTOR : 1)
      velocity.lerp(wish.multiplyScalar(speed), 1 - Math.exp(-FOLLOW_RATE * dt))
      position.addScaledVector(velocity, dt)
      out.position.copy(position)
      out.quaternion.setFromEuler(turned)
    },
    close: () => {
      for (const close of closes) close()
    },
  }
}

/** The first choice of keys of which the room uses none. */
function freeKeys(room: RoomView): Keys {
  const taken = new Set(room.keys.map((hint) => codeOf(hint.key)))
  return CHOICES.find((keys) => !keys.some((key) => taken.has(key))) ?? (CHOICES[0] as Keys)
}
