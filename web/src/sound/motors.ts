import { Vector3 } from 'three'
import type { Close } from '../app'
import type { RobotState } from '../net/protocol'
import { makePlace, noiseOf, type Place, placeAt } from './sounds'

const FULL_SPEED = 1.5 // rad/s (or m/s) of all joints together: as loud as it gets
const LOUDNESS = 0.16

/** The hum of robots that move: higher and louder the faster they are. */
interface Motors {
  update(states: ReadonlyMap<string, RobotState>): void
  close: Close
}

interface Motor {
  place: Place
  tones: OscillatorNode[]
  hiss: AudioBufferSourceNode
  q: readonly number[]
  heard: number // s
}

export function makeMotors(context: AudioContext, out: AudioNode): Motors {
  const motors = new Map<string, Motor>()
  const tip = new Vector3()
  const drop = (name: string, motor: Motor) => {
    for (const source of [...motor.tones, motor.hiss]) source.stop()
    motor.place.out.disconnect()
    motors.delete(name)
  }
  return {
    update(states) {
      for (const [name, motor] of motors) if (!states.has(name)) drop(name, motor)
      for (const state of states.values()) {
        const motor = motors.get(state.name) ?? makeMotor(context, out)
        motors.set(state.name, motor)
        placeAt(motor.place.panner, tip.fromArray(state.tip), context)
        hum(motor, state, context.currentTime)
      }
    },
    close() {
      for (const [name, motor] of motors) drop(name, motor)
    },
  }
}

function makeMotor(context: AudioContext, out: AudioNode): Motor {
  const place = makePlace(context, out)
  const soft = new BiquadFilterNode(context, { type: 'lowpass', frequency: 900 })
  soft.connect(place.panner)
  const tones = [1, 2.01].map((factor) => {
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: 90 * factor })
    tone.connect(soft)
    tone.start()
    return tone
  })
  const hiss = new AudioBufferSourceNode(context, { buffer: noiseOf(context, 1), loop: true })
  const quiet = new GainNode(context, { gain: 0.12 })
  hiss.connect(quiet).connect(soft)
  hiss.start()
  place.out.gain.value = 0
  return { place, tones, hiss, q: [], heard: 0 }
}

function hum(motor: Motor, state: RobotState, now: number): void {
  const dt = now - motor.heard
  if (dt <= 0) return
  let way = 0
  if (motor.q.length === state.q.length)
    state.q.forEach((q, k) => {
      way += Math.abs(q - (motor.q[k] ?? q))
    })
  motor.q = state.q
  motor.heard = now
  const share = Math.min(1, way / dt / FULL_SPEED)
  motor.place.out.gain.setTargetAtTime(LOUDNESS * Math.sqrt(share), now, 0.06)
  motor.tones.forEach((tone, k) => {
    tone.frequency.setTargetAtTime((80 + 150 * share) * (k ? 2.01 : 1), now, 0.08)
  })
}
