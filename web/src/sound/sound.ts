import { Quaternion, Vector3 } from 'three'
import type { App, Close, MessageOf, Sound } from '../app'
import { closeAll, listen, makeListeners } from '../listeners'
import { fetchWithKey } from '../net/session'
import { recall, remember } from '../remembered'
import { makeMotors } from './motors'
import { clickSound, makePlace, type Place, placeAt } from './sounds'

type SoundMessage = MessageOf<'sound'>
type Parts = Pick<App, 'connection' | 'room' | 'stage' | 'shell'>

interface Playing {
  source: AudioBufferSourceNode
  place: Place
  node: string
}

/** Sound from where it is made: motors, knocks, and what the room plays. Silent until a gesture. */
export function makeSound(parts: Parts): Sound & { close: Close } {
  const changes = makeListeners()
  let context: AudioContext | undefined
  let master: GainNode | undefined
  let volume = recall<number>('volume') ?? 0.5
  let isMuted = recall<boolean>('muted') ?? false
  let closeRoom: Close | undefined
  const lasting = new Map<string, SoundMessage>() // that go on; they may begin before the gesture

  const level = () => {
    if (context && master)
      master.gain.setTargetAtTime(isMuted ? 0 : volume, context.currentTime, 0.02)
    remember('volume', volume)
    remember('muted', isMuted)
    changes.tell()
  }
  const wake = () => {
    if (context) return
    context = new AudioContext()
    void context.resume()
    master = context.createGain()
    master.connect(context.destination)
    closeRoom = playRoom(parts, { context, out: master, lasting: [...lasting.values()] })
    level()
  }
  const close = closeAll([
    parts.connection.on('sound', (message) => {
      if (message.is_on && message.loop) lasting.set(keyOf(message), message)
      else lasting.delete(keyOf(message))
    }),
    parts.connection.onState((state) => {
      if (state === 'lost') lasting.clear() // the server announces those that go on again
    }),
    listen(window, 'pointerdown', wake),
    listen(window, 'keydown', wake),
    () => {
      closeRoom?.()
      void context?.close()
    },
  ])
  return {
    get isAwake() {
      return context !== undefined
    },
    get isMuted() {
      return isMuted
    },
    set isMuted(next) {
      isMuted = next
      level()
    },
    get volume() {
      return volume
    },
    set volume(next) {
      volume = Math.min(1, Math.max(0, next))
      level()
    },
    onChange: changes.on,
    close,
  }
}

interface Output {
  context: AudioContext
  out: AudioNode
  lasting: readonly SoundMessage[] // to begin with
}

function playRoom(
  { connection, room, stage, shell }: Parts,
  { context, out, lasting }: Output,
): Close {
  const newest = new Map<string, SoundMessage>()
  const playing = new Map<string, Playing>()
  const buffers = new Map<string, Promise<AudioBuffer>>()
  const motors = makeMotors(context, out)
  const position = new Vector3()

  const load = (uri: string) => {
    const known = buffers.get(uri)
    if (known) return known
    const coming = fetchWithKey(`sound/${encodeURI(uri)}`)
      .then((answer) =>
        answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(answer.statusText)),
      )
      .then((data) => context.decodeAudioData(data))
    buffers.set(uri, coming)
    return coming
  }
  const stop = (key: string) => {
    const old = playing.get(key)
    playing.delete(key)
    old?.source.stop()
    old?.place.out.disconnect()
  }
  const knock = (names: readonly string[]) => {
    const node = names.map((name) => room.node(name)).find(Boolean)
    if (node) clickSound(context, out, node.object.position)
  }
  const play = async (message: SoundMessage) => {
    const { uri, node, is_on, loop, volume } = message
    const key = keyOf(message)
    newest.set(key, message)
    stop(key)
    if (!is_on) return
    try {
      const buffer = await load(uri)
      if (newest.get(key) !== message) return // stopped or restarted meanwhile
      const place = makePlace(context, out)
      const source = Object.assign(context.createBufferSource(), { buffer, loop })
      place.out.gain.value = volume
      source.connect(place.panner)
      source.onended = () => {
        if (playing.get(key)?.source === source) stop(key)
      }
      playing.set(key, { source, place, node })
      source.start()
    } catch (reason) {
      shell.toast(`The sound ${uri} could not be played: ${String(reason)}`, 'problem')
    }
  }
  for (const message of lasting) void play(message)
  return closeAll([
    motors.close,
    () => {
      for (const key of [...playing.keys()]) stop(key)
    },
    connection.on('sound', play),
    connection.on('happened', ({ what, names, state }) => {
      if (state && (what === 'collision' || what === 'end_of_stroke')) knock(names)
    }),
    room.onStates(() => motors.update(room.states)),
    stage.onFrame(() => {
      hearFrom(
        context.listener,
        stage,
        room.root.worldToLocal(position.copy(stage.camera.position)),
      )
      for (const { place, node } of playing.values()) {
        const at = room.node(node)?.object.position
        placeAt(place.panner, at ?? position, context)
      }
    }),
  ])
}

function keyOf({ uri, node }: SoundMessage): string {
  return `${uri} ${node}`
}

const turned = new Quaternion()
const ahead = new Vector3()
const up = new Vector3()

/** Put the ears where the camera is; in the room's axes, as all sounds are. */
function hearFrom(listener: AudioListener, stage: Parts['stage'], at: Vector3): void {
  stage.camera.getWorldQuaternion(turned)
  ahead.set(0, 0, -1).applyQuaternion(turned)
  up.set(0, 1, 0).applyQuaternion(turned)
  listener.positionX.value = at.x
  listener.positionY.value = at.y
  listener.positionZ.value = at.z
  listener.forwardX.value = ahead.x
  listener.forwardY.value = -ahead.z
  listener.forwardZ.value = ahead.y
  listener.upX.value = up.x
  listener.upY.value = -up.z
  listener.upZ.value = up.y
}
