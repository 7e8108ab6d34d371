// Synthesised sounds, and where they come from.

import type { Vector3 } from 'three'

/** A place that a sound comes from, and how loud it is there. */
export interface Place {
  panner: PannerNode
  out: GainNode
}

export function makePlace(context: AudioContext, out: AudioNode): Place {
  const panner = new PannerNode(context, {
    panningModel: 'HRTF',
    distanceModel: 'inverse',
    refDistance: 1,
    rolloffFactor: 1,
  })
  const gain = context.createGain()
  panner.connect(gain).connect(out)
  return { panner, out: gain }
}

export function placeAt(panner: PannerNode, at: Vector3, context: AudioContext): void {
  const now = context.currentTime
  panner.positionX.setTargetAtTime(at.x, now, 0.02)
  panner.positionY.setTargetAtTime(at.y, now, 0.02)
  panner.positionZ.setTargetAtTime(at.z, now, 0.02)
}

/** A short knock: a burst of noise and a low thud, both dying fast. */
export function clickSound(context: AudioContext, out: AudioNode, at: Vector3): void {
  const now = context.currentTime
  const place = makePlace(context, out)
  placeAt(place.panner, at, context)
  const noise = new AudioBufferSourceNode(context, { buffer: noiseOf(context, 0.12) })
  const band = new BiquadFilterNode(context, { type: 'bandpass', frequency: 1900, Q: 0.8 })
  const crack = fading(context, 0.5, 0.04)
  const thud = new OscillatorNode(context, { type: 'sine', frequency: 150 })
  const body = fading(context, 0.6, 0.09)
  thud.frequency.exponentialRampToValueAtTime(60, now + 0.12)
  noise.connect(band).connect(crack).connect(place.panner)
  thud.connect(body).connect(place.panner)
  noise.start()
  thud.start()
  thud.stop(now + 0.4)
  thud.onended = () => place.out.disconnect()
}

function fading(context: AudioContext, loudness: number, time: number): GainNode {
  const gain = context.createGain()
  gain.gain.setValueAtTime(loudness, context.currentTime)
  gain.gain.setTargetAtTime(0, context.currentTime, time)
  return gain
}

export function noiseOf(context: AudioContext, seconds: number): AudioBuffer {
  const buffer = context.createBuffer(
    1,
    Math.ceil(seconds * context.sampleRate),
    context.sampleRate,
  )
  const data = buffer.getChannelData(0)
  for (let k = 0; k < data.length; k++) data[k] = 2 * Math.random() - 1
  return buffer
}
