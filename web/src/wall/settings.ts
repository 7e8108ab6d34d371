// A screen that stands somewhere, as the address of the page says:
// ?screen=2.4x1.35&at=1.2,0,1.3&yaw_deg=180&head=head&stereo=anaglyph

import { Euler, Matrix4, Quaternion, Vector3 } from 'three'
import type { StereoMode } from '../app'

const RADIANS = Math.PI / 180
const MODES: readonly StereoMode[] = ['off', 'anaglyph', 'side_by_side', 'interlaced', 'sequential']
const DEFAULT_HEAD = [0, 0, 0.75] as const // m before the middle of the screen

export interface WallSettings {
  width: number // m
  height: number
  /** Pose of the screen in the room, or in the node that carries it: x right, y up, z to who looks. */
  pose: Matrix4
  carrier: string // a node; '' for the room itself
  device: string // the logical device of the head
  eye: Vector3 // where the head is until the device says so; as `pose` is
  eyeDistance: number // m
  stereo: StereoMode
  tracker: Matrix4 // pose of the tracker's frame: in the room, or in the node that carries the screen
}

/** Read the address; undefined if it names no screen. Throws with words for people. */
export function readWall(query: string): WallSettings | undefined {
  const given = new URLSearchParams(query)
  const screen = given.get('screen')
  if (screen === null) return undefined
  const size = /^([\d.]+)x([\d.]+)$/.exec(screen)
  const [width, height] = [Number(size?.[1]), Number(size?.[2])]
  if (!(width > 0 && height > 0))
    throw new Error(`screen must be width x height in m, such as 2.4x1.35, not “${screen}”`)
  const pose = poseOf(given)
  const stereo = (given.get('stereo') ?? 'off') as StereoMode
  if (!MODES.includes(stereo))
    throw new Error(`stereo must be one of ${MODES.join(', ')}, not “${stereo}”`)
  const ahead = new Vector3(...DEFAULT_HEAD).applyMatrix4(pose)
  return {
    width,
    height,
    pose,
    stereo,
    carrier: given.get('on') ?? '',
    device: given.get('head') ?? 'head',
    eye: given.has('eye') ? new Vector3(...numbersOf(given, 'eye', 3)) : ahead,
    eyeDistance: numberOf(given, 'eye_distance', 0.063),
    tracker: trackerOf(given),
  }
}

/** `tracker=x,y,z,qx,qy,qz,qw`: what a registration with real points found. */
export function trackerOf(given: URLSearchParams): Matrix4 {
  const text = given.get('tracker')
  if (text === null) return new Matrix4()
  const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1, ...rest] = text.split(',').map(Number)
  const turn = new Quaternion(qx, qy, qz, qw)
  if (rest.length || !(turn.length() > 0.5 && turn.length() < 2) || !Number.isFinite(x + y + z))
    throw new Error(`tracker must be seven numbers, a place and a quaternion, not “${text}”`)
  return new Matrix4().compose(new Vector3(x, y, z), turn.normalize(), new Vector3(1, 1, 1))
}

/** A pose as `tracker` has it. */
export function writeTracker(pose: Matrix4): string {
  const [place, turn] = [new Vector3(), new Quaternion()]
  pose.decompose(place, turn, new Vector3())
  return [...place.toArray(), ...turn.toArray()].map((value) => value.toFixed(5)).join(',')
}

/** Where the screen is: its middle `at`, turned by `yaw_deg` about the vertical, and by `tilt_deg`. */
function poseOf(given: URLSearchParams): Matrix4 {
  const at = new Vector3(...(given.has('at') ? numbersOf(given, 'at', 3) : [0, 0, 0]))
  // A screen that is not turned is seen by who looks along x, as a viewpoint does.
  const plain = new Matrix4().makeBasis(
    new Vector3(0, -1, 0),
    new Vector3(0, 0, 1),
    new Vector3(-1, 0, 0),
  )
  const yaw = numberOf(given, 'yaw_deg', 0) * RADIANS
  const tilt = numberOf(given, 'tilt_deg', 0) * RADIANS
  const turn = new Quaternion().setFromEuler(new Euler(0, tilt, yaw, 'ZYX'))
  return new Matrix4().makeRotationFromQuaternion(turn).multiply(plain).setPosition(at)
}

function numbersOf(given: URLSearchParams, name: string, count: 3): [number, number, number] {
  const text = given.get(name) ?? ''
  const numbers = text.split(',').map(Number)
  if (numbers.length !== count || !numbers.every(Number.isFinite))
    throw new Error(`${name} must be ${count} numbers, such as 1.2,0,1.3, not “${text}”`)
  return numbers as [number, number, number]
}

function numberOf(given: URLSearchParams, name: string, otherwise: number): number {
  const text = given.get(name)
  if (text === null) return otherwise
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new Error(`${name} must be a number, not “${text}”`)
  return value
}
