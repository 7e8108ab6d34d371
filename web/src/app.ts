// The interfaces by which the parts of the page use each other. Each part is a function `setUp…(app)` that adds
// itself to the app and returns the function that removes it again.

import type {
  Camera,
  Group,
  Matrix4,
  Object3D,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import type {
  Answer,
  BackLimits,
  ControlInfo,
  JointInfo,
  KeyHint,
  NodeInfo,
  PersonState,
  RobotInfo,
  RobotState,
  SkinInfo,
  TaskInfo,
  ToClient,
  ToServer,
  Welcome,
} from './net/protocol'
import type { Role } from './roles'

export type Close = () => void
export type MessageOf<K extends ToClient['kind']> = Extract<ToClient, { kind: K }>

/** The connection to the room. It reconnects by itself; the page is never reloaded. */
export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost'
  readonly client: string
  readonly welcome: Welcome | undefined // of the last connection
  send(message: ToServer): void
  /** Send a console line; resolves with its answer, or with a failure if the connection is lost. */
  command(line: string): Promise<Answer>
  on<K extends ToClient['kind']>(kind: K, handler: (message: MessageOf<K>) => void): Close
  onState(handler: (state: Connection['state']) => void): Close
}

/** A node of the room as it is drawn. `object` is placed in the world: frames are flat. */
export interface RoomNode {
  info: NodeInfo
  readonly object: Group
  readonly isPlaced: boolean // a frame has said where it is; it is not drawn before
}

/** What is in the room; rebuilt when its structure changes. */
export interface RoomView {
  readonly root: Group // the world of the room: z up
  readonly nodes: readonly RoomNode[]
  readonly robots: ReadonlyMap<string, RobotInfo>
  readonly states: ReadonlyMap<string, RobotState> // the newest
  readonly skins: readonly SkinInfo[]
  readonly keys: readonly KeyHint[] // that the room listens to
  readonly deviceKeys: readonly KeyHint[] // that move an axis of a device
  readonly devices: Readonly<Record<string, string>> // kinds of the logical devices, by name
  readonly controls: readonly ControlInfo[] // sliders and buttons that a program added
  readonly task: TaskInfo | null // what the person who drives is asked to do
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly active: string // the robot that commands mean
  readonly tick: number // of the newest frame
  readonly time: number // s of the room
  isWireframe: boolean // all of it is drawn as wires, in this page alone
  node(name: string): RoomNode | undefined
  /** The node that an object in it is drawn for. */
  nodeOf(object: Object3D): RoomNode | undefined
  joint(robot: string, index: number): JointInfo | undefined
  onChange(handler: () => void): Close // nodes or robots came, went or changed
  onStates(handler: () => void): Close // robots were heard of
}

export type ViewMode = 'orbit' | 'fly' | 'seated'
export type StereoMode = 'off' | 'anaglyph' | 'side_by_side' | 'interlaced' | 'sequential'

/** A screen that stands somewhere, and the head of who looks at it; both in three's world. */
export interface FixedScreen {
  readonly pose: Matrix4 // of its middle: x right, y up, z to who looks
  readonly width: number // m
  readonly height: number
  readonly head: Matrix4 // x to the right ear
}

/** What somebody else sees. */
export interface SeenView {
  position: Vector3 // in three's world
  quaternion: Quaternion
  fieldOfView: number // degrees, vertical
}

/** Where it is drawn. three.js has y up; `room.root` turns the room's z into it. */
export interface Stage {
  readonly element: HTMLElement // that the canvas fills
  readonly canvas: HTMLCanvasElement
  readonly renderer: WebGLRenderer
  readonly scene: Scene
  readonly camera: Camera
  /** Holds camera, controllers and hands; teleporting moves it. */
  readonly rig: Group
  readonly frames: number // drawn so far
  readonly isSettled: boolean // neither does the camera move by itself, nor does a wall fade
  readonly stats: StageStats
  quality: Quality
  cutsAway: boolean // walls between the eye and the room are hidden
  /** Names of nodes to look from; '' is the free view of the whole room. */
  readonly viewpoints: readonly string[]
  readonly viewpoint: string // where we sit now
  mode: ViewMode
  stereo: StereoMode
  eyeDistance: number // m
  convergence: number // m
  /** The canvas is a window at a place of the room, drawn for a head before it. */
  fixedScreen: FixedScreen | undefined
  /** The camera is where somebody else looks from. */
  followed: SeenView | undefined
  /** Whether mouse and touch move the camera; off while something is dragged. */
  cameraIsFree: boolean
  onFrame(update: (dt: number, now: number) => void): Close
  onChange(handler: () => void): Close // mode, viewpoint, stereo or quality
  /** Something changed without an event: draw at full rate for a while. */
  redraw(): void
  /** What the mouse is over, nearest first, in the room; `skip` leaves objects out. */
  pick(event: { clientX: number; clientY: number }): Picked | undefined
  raycaster(event: { clientX: number; clientY: number }): Raycaster
  goTo(viewpoint: string): void
  /** Turn the view as a drag would; distances in heights of the picture. */
  turn(dx: number, dy: number): void
  zoom(factor: number): void // below 1 comes nearer
  readonly hint: string // how one moves in this mode, in words
  /** Bring a node to the middle of the picture; the whole room without a name. */
  focus(name?: string): void
  /** Draw one picture, of the size asked for. */
  snapshot(options: { width: number; height: number; viewpoint: string }): Promise<Blob>
}

/** How much is spent on a picture; `auto` finds what the machine can do. */
export type Quality = 'auto' | 'low' | 'medium' | 'high'

interface StageStats {
  readonly rate: number // pictures a second
  readonly drawTime: number // s a picture, of our own work
  readonly calls: number
  readonly triangles: number
  readonly gpu: string
  readonly isSoftware: boolean // drawn without a graphics card
  readonly pixelRatio: number
}

export interface Picked {
  node: RoomNode
  point: Vector3 // in the room
  normal: Vector3 // in the room
}

/** What the person has chosen. */
export interface Selection {
  readonly node: RoomNode | undefined
  readonly robot: RobotInfo | undefined // to which it belongs, or the active one
  readonly hovered: RoomNode | undefined // under the mouse
  isOn: boolean // whether clicks choose; off while a tool uses them
  choose(name: string): void // '' for nothing
  onChange(handler: () => void): Close
}

/** Which page is in control. Without control, a page sends neither device data nor commands that move. */
export interface Control {
  readonly isMine: boolean
  readonly holder: string
  /** Ask for control, and say whether it was given; `take` takes it from another page. */
  ask(take?: boolean): Promise<boolean>
  give(): void
  onChange(handler: () => void): Close
}

export interface PanelOptions {
  id: string
  title: string
  icon: string // a name of an icon of `icons.ts`
  side: 'left' | 'right'
  isOpen?: boolean
  key?: string // shown in help; opens and closes it
}

/** The frame of buttons, panels and words around the picture. */
export interface Shell {
  readonly overlay: HTMLElement // above the picture, for labels; lets clicks through
  panel(options: PanelOptions): HTMLElement // its body
  /** Open or close a panel; the choice is remembered, unless it is the page's own. */
  open(id: string, isOpen?: boolean, isRemembered?: boolean): void
  tool(options: {
    id: string
    title: string
    icon: string
    key?: string
    onClick: () => void
  }): HTMLButtonElement
  toast(text: string, kind?: 'info' | 'problem'): void
  /** A message that stays until it is closed, such as "connection lost". */
  banner(id: string, text: string, actions?: { label: string; onClick: () => void }[]): Close
  /** A key of the page itself (with Ctrl or Alt, or no key of the room); for the help page. */
  key(key: string, does: string, onPress: () => void): Close
  readonly keys: readonly KeyHint[] // of the page
  readonly isDark: boolean
  theme: Theme
  onTheme(handler: () => void): Close
}

export type Theme = 'system' | 'light' | 'dark'

/** Words at a place in the room, always readable. */
export interface Label {
  text: string
  readonly at: Vector3 // in the room
  isVisible: boolean
  readonly close: Close
}

export interface Labels {
  readonly all: Iterable<Label>
  /** One that `yields` is not shown where it would cover another. */
  add(text: string, options?: { tone?: 'plain' | 'strong' | 'warn'; yields?: boolean }): Label
}

/** Something drawn over the room that can be switched on and off. */
export interface Overlay {
  readonly name: string
  readonly about: 'robots' | 'room' | 'people' // decides in which panel its switch is
  readonly title: string
  readonly icon: string
  readonly isOn: boolean
  toggle(isOn?: boolean): void
}

export interface Overlays {
  readonly all: readonly Overlay[]
  get(name: string): Overlay | undefined
  onChange(handler: () => void): Close
}

/** What people in the room carry, as long as some part of the page watches. */
export interface People {
  readonly states: ReadonlyMap<string, PersonState> // the newest; empty when nobody watches
  readonly limits: BackLimits | undefined
  readonly time: number // s of the room, of the states
  chosen: string // the person that the panel is about; '' when it is closed
  watch(): Close
  onChange(handler: () => void): Close
}

export interface Sound {
  readonly isAwake: boolean // browsers let pages sound only after a click or key
  isMuted: boolean
  volume: number // 0..1
  onChange(handler: () => void): Close
}

/** Measures the distance of two points clicked. */
export interface Measure {
  isOn: boolean
  readonly distance: number | undefined // m
  onChange(handler: () => void): Close
}

export interface App {
  readonly role: Role
  readonly connection: Connection
  readonly room: RoomView
  readonly stage: Stage
  readonly selection: Selection
  readonly control: Control
  readonly shell: Shell
  readonly labels: Labels
  readonly people: People
  readonly overlays: Overlays
  readonly measure: Measure
  readonly sound: Sound
}
