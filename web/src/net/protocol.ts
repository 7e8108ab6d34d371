// Generated from server/wire/protocol.py by `python -m robotix.server.wire.typescript`.

export const VERSION = 1

/** First message of the server: name of the client, name and rate of the scene. */
export interface Welcome {
  kind: 'welcome'
  version: number
  client: string
  room: string
  rate: number
  run: string
  key: string
  lan: string
  lan_qr: string
  is_replay: boolean
  can_reset: boolean
}

/** A box centred at the origin; `size` holds its edge lengths. */
export interface BoxShape {
  kind: 'box'
  size: [number, number, number]
}

/** A sphere centred at the origin. */
export interface SphereShape {
  kind: 'sphere'
  radius: number
}

/** A cylinder along z, centred at the origin. */
export interface CylinderShape {
  kind: 'cylinder'
  radius: number
  length: number
}

/** A capsule along z; `length` is the distance between the centres of its caps. */
export interface CapsuleShape {
  kind: 'capsule'
  radius: number
  length: number
}

/** The infinite plane z = 0. */
export interface PlaneShape {
  kind: 'plane'
}

/** Triangles of one material, at `/mesh/{key}`; `key` is a hash of the contents. */
export interface MeshShape {
  kind: 'mesh'
  key: string
  scale: [number, number, number]
}

/** An ellipsoid centred at the origin. */
export interface EllipsoidShape {
  kind: 'ellipsoid'
  half_lengths: [number, number, number]
}

/** The path of a node: a polyline, or a strip whose points come in pairs. */
export interface TraceShape {
  kind: 'trace'
  points: [number, number, number][]
  is_surface: boolean
  width: number
}

/** Material of a surface; all numbers in [0, 1]. */
export interface SurfaceInfo {
  colour: [number, number, number]
  opacity: number
  metalness: number
  roughness: number
  pattern: string
}

/** A shape in the frame of its node, and its material. */
export interface VisualInfo {
  shape: ShapeInfo
  surface: SurfaceInfo
  position: [number, number, number]
  quaternion: [number, number, number, number]
}

/** A light at a node: `sun` (along -z of the node), `point` or `ambient`. */
export interface LightInfo {
  sort: string
  colour: [number, number, number]
  strength: number
}

/** A node of the scene graph; `row` is its index in `RoomContents.nodes` and in frames. */
export interface NodeInfo {
  row: number
  name: string
  parent: number
  robot: string
  visuals: VisualInfo[]
  visible: boolean
  wireframe: boolean
  pickable: boolean
  light: LightInfo | null
  field_of_view: number
  is_region: boolean
  is_guided: boolean
  slides_along: [number, number, number] | null
  turns_about: [number, number, number] | null
  hinge: [number, number, number] | null
}

/** One degree of freedom of a robot. */
export interface JointInfo {
  name: string
  unit: string
  lower: number | null
  upper: number | null
  velocity: number | null
  body: string
}

/** Joint positions that a robot keeps by name. */
export interface PostureInfo {
  name: string
  q: number[]
}

/** A robot: its node, joints and control points. */
export interface RobotInfo {
  name: string
  row: number
  joints: JointInfo[]
  points: string[]
  tip: string
  first: number
  last: number
  damping: number
  method: string
  home: number[]
  steps: number
  postures: PostureInfo[]
  is_person: boolean
}

/** The skinned mesh of a person: triangles from `/skin/{key}`, deformed by `bones`. */
export interface SkinInfo {
  name: string
  key: string
  bones: number[]
}

/** What a key does in this scene, as a short text. */
export interface KeyHint {
  key: string
  does: string
}

/** A slider or a button that a program added; pages use it by the console line `use`. */
export interface ControlInfo {
  name: string
  control: 'button' | 'slider'
  lower: number
  upper: number
  step: number
  value: number
}

/** What to do now, what was wrong, what is left. */
export interface TaskInfo {
  now: string
  wrong: string
  left: number
  total: number
  is_stopped: boolean
}

/** All nodes and robots; sent at the start and whenever nodes are added, removed or moved. */
export interface RoomContents {
  kind: 'room'
  structure: number
  nodes: NodeInfo[]
  robots: RobotInfo[]
  skins: SkinInfo[]
  keys: KeyHint[]
  device_keys: KeyHint[]
  devices: Record<string, string>
  active: string
  can_undo: boolean
  can_redo: boolean
  controls: ControlInfo[]
  task: TaskInfo | null
}

/** Nodes whose properties, other than the pose, have changed. */
export interface NodesChanged {
  kind: 'nodes'
  structure: number
  nodes: NodeInfo[]
}

/** Changes of robots and undo since the last `room`; its nodes remain valid. */
export interface RoomChanged {
  kind: 'room_changed'
  robots: RobotInfo[]
  active: string
  can_undo: boolean
  can_redo: boolean
  controls: ControlInfo[]
  task: TaskInfo | null
}

/** Distance between a robot and an obstacle that it avoids, with the closest points. */
export interface ObstacleState {
  node: string
  keep: number
  distance: number
  here: [number, number, number]
  there: [number, number, number]
}

/** Current state of a robot; fields after `tip` only for the robot that the page watches. */
export interface RobotState {
  name: string
  q: number[]
  at_stop: boolean[]
  is_moving: boolean
  drive: string
  tracked_by: string
  tip: [number, number, number]
  manipulability: number | null
  singular_values: number[]
  condition: number | null
  jacobian: number[][]
  ellipsoid: [number, number, number][]
  acceleration: [number, number, number][]
  impact: [number, number, number][]
  obstacles: ObstacleState[]
}

/** State of all robots, about 20 times a second; only the latest is sent. */
export interface RobotStates {
  kind: 'robots'
  time: number
  robots: RobotState[]
}

/** Limits at L5/S1, N. */
export interface BackLimits {
  compression: [number, number]
  shear: [number, number]
}

/** Current loads at L5/S1; forces in N, the moment in N m. */
export interface BackState {
  compression: number
  low: number
  high: number
  level: number
  advice: string
  shear: number
  shear_level: number
  shear_advice: string
  moment: number
}

/** Score of a posture-assessment method. */
export interface ScoreState {
  method: string
  score: number
  level: number
  levels: number
  advice: string
  code: string
}

/** Load of a joint, compared with its strength. */
export interface StrainState {
  joint: string
  moment: number
  demand: number | null
  percent: number | null
}

/** Current state of a person; positions in the world frame. */
export interface PersonState {
  name: string
  task: string
  note: string
  bears: string[]
  load: number
  is_dynamic: boolean
  is_supported: boolean
  com: [number, number, number] | null
  cop: [number, number, number] | null
  polygon: [number, number, number][]
  margin: number | null
  back: BackState | null
  scores: ScoreState[]
  strains: StrainState[]
}

/** State of all people, about 10 times a second while they move; for subscribed pages. */
export interface People {
  kind: 'people'
  time: number
  limits: BackLimits
  people: PersonState[]
}

/** Where two bodies touch, and the force on the second in N; zero where it is not known. */
export interface ContactMark {
  first: string
  second: string
  at: [number, number, number]
  force: [number, number, number]
}

/** A connection of two bodies; `joint` is weld, ball, hinge or slider. */
export interface JointMark {
  name: string
  joint: string
  at: [number, number, number]
  axis: [number, number, number]
}

/** All contacts and connections; sent only while the page watches them. */
export interface Touches {
  kind: 'touches'
  contacts: ContactMark[]
  joints: JointMark[]
}

/** Pose of a tracked logical device in the world. */
export interface DevicePose {
  device: string
  position: [number, number, number]
  quaternion: [number, number, number, number]
  is_live: boolean
}

/** All tracked logical devices at a tick; sent only while the page watches them. */
export interface DevicePoses {
  kind: 'devices'
  tick: number
  time: number
  poses: DevicePose[]
}

/** View of another page; `is_there` is False when it has left. */
export interface ViewOfPage {
  kind: 'view_of'
  client: string
  position: [number, number, number]
  quaternion: [number, number, number, number]
  field_of_view: number
  is_there: boolean
}

/** Timing of the loop; about twice a second. */
export interface Health {
  kind: 'health'
  time: number
  rate: number
  load: number
  overruns: number
  lost: number
  worst: number
  speed: number
  is_paused: boolean
  clients: number
  recording: string
}

/** A text for the user; `problem` names the source of an error. */
export interface Announced {
  kind: 'said'
  text: string
  problem: string
}

/** The room could not be opened; the server ends. */
export interface RoomFailed {
  kind: 'failed'
  text: string
}

/** A plug-in that has not run on this machine before; the scene waits for the answer. */
export interface PluginQuestion {
  kind: 'plugin_question'
  id: number
  name: string
  file: string
  sha256: string
  uses: string[]
  is_open: boolean
}

/** A sound starts or stops, at a node or everywhere; its file is at `/sound/{uri}`. */
export interface SoundChanged {
  kind: 'sound'
  uri: string
  node: string
  is_on: boolean
  loop: boolean
  volume: number
}

/** An event of the scene, such as a collision of two nodes. */
export interface Happened {
  kind: 'happened'
  what: string
  names: string[]
  state: boolean
}

/** The client in control; empty when there is none. */
export interface Lease {
  kind: 'lease'
  holder: string
  is_mine: boolean
}

/** Request to render a picture and POST it to `/api/snapshots/{id}`. */
export interface SnapshotWanted {
  kind: 'snapshot'
  id: string
  viewpoint: string
  width: number
  height: number
}

/** Result of a console line. */
export interface Answer {
  kind: 'answer'
  id: number
  ok: boolean
  text: string
}

/** Answer to a ping, with its `sent`. */
export interface Pong {
  kind: 'pong'
  sent: number
}

/** First message of a page. */
export interface Hello {
  kind: 'hello'
  version: number
  name?: string
  key?: string
}

/** Request control; `take` takes it from another page. */
export interface AskControl {
  kind: 'ask_control'
  take?: boolean
}

/** Release control. */
export interface GiveControl {
  kind: 'give_control'
}

/** Data of a physical device at the page, for `robotix.devices`. */
export interface DeviceData {
  kind: 'device'
  device: string
  data: Record<string, unknown>
}

/** A line for the console; its `answer` has the same id. */
export interface ConsoleLine {
  kind: 'command'
  id: number
  line: string
}

/** The robot whose full state the page needs; empty for none. */
export interface WatchRobot {
  kind: 'watch'
  robot?: string
}

/** Subscribe to `people` messages, or unsubscribe. */
export interface WatchPeople {
  kind: 'watch_people'
  is_on: boolean
}

/** Whether the page needs contacts of robots, and those of free things with their forces. */
export interface WatchTouches {
  kind: 'watch_touches'
  robots?: boolean
  forces?: boolean
}

/** Subscribe to `devices` messages, or unsubscribe. */
export interface WatchDevices {
  kind: 'watch_devices'
  is_on: boolean
}

/** Subscribe to `view_of` messages, or unsubscribe. */
export interface WatchViews {
  kind: 'watch_views'
  is_on: boolean
}

/** Where a page, or who wears its headset, looks from: along -z, with y up. */
export interface PageView {
  kind: 'view'
  position: [number, number, number]
  quaternion: [number, number, number, number]
  field_of_view: number
}

/** Pose of the tracking space of worn devices in the world; changes with a teleport. */
export interface TrackingOrigin {
  kind: 'look'
  position: [number, number, number]
  quaternion: [number, number, number, number]
}

/** Pause or resume the scene, run single ticks, or change the speed; seek in a recording. */
export interface Pace {
  kind: 'pace'
  action: string
  value?: number
}

/** The latest tick on screen; limits how many frames the server sends ahead. */
export interface TickShown {
  kind: 'moved'
  tick: number
}

/** Whether a plug-in may run; from the page in control. */
export interface PluginAnswer {
  kind: 'plugin_answer'
  id: number
  may_run: boolean
}

/** Requests a pong. */
export interface Ping {
  kind: 'ping'
  sent: number
}

/** Triangles from an attached file, in its own unit of length. */
export interface FileShape {
  kind: 'file'
  file: string
  scale: number
}

/** A shape; its pose is that at q = 0, in the frame of the robot. */
export interface WizardSolid {
  shape: BoxShape | SphereShape | CylinderShape | CapsuleShape | FileShape
  position: [number, number, number]
  quaternion: [number, number, number, number]
  colour: [number, number, number]
}

/** The joint that connects a part to its parent; point and axis in the frame of the robot. */
export interface WizardJoint {
  parent: string
  joint: string
  type: 'fixed' | 'prismatic' | 'revolute'
  point: [number, number, number]
  axis: [number, number, number]
  lower: number | null
  upper: number | null
  velocity: number | null
}

/** A rigid part; the one without a joint (`held`) is the base. */
export interface WizardPart {
  name: string
  solids: WizardSolid[]
  held: WizardJoint | null
}

/** A point on a part, in the frame of the robot. */
export interface WizardPoint {
  part: string
  point: [number, number, number]
}

/** A robot described by the wizard, with its mesh files. */
export interface WizardRobot {
  name: string
  parts: WizardPart[]
  tip: WizardPoint | null
  files: Record<string, string>
}

/** Result of saving a robot. */
export interface WizardSaved {
  name: string
  file: string
  path: string
  n_joints: number
}

export type ShapeInfo =
  | BoxShape
  | SphereShape
  | CylinderShape
  | CapsuleShape
  | PlaneShape
  | MeshShape
  | EllipsoidShape
  | TraceShape

export type ToClient =
  | Welcome
  | RoomContents
  | NodesChanged
  | RoomChanged
  | RobotStates
  | People
  | Touches
  | DevicePoses
  | ViewOfPage
  | Health
  | Announced
  | RoomFailed
  | PluginQuestion
  | SoundChanged
  | Happened
  | Lease
  | SnapshotWanted
  | Answer
  | Pong

export type ToServer =
  | Hello
  | AskControl
  | GiveControl
  | DeviceData
  | ConsoleLine
  | WatchRobot
  | WatchPeople
  | WatchTouches
  | WatchDevices
  | WatchViews
  | PageView
  | TrackingOrigin
  | Pace
  | TickShown
  | PluginAnswer
  | Ping
