// Made from server/wire/protocol.py by `python -m robotix.server.wire.typescript`.

export const VERSION = 1

/** The first message: who the page is, and where it has come to. */
export interface Welcome {
  kind: 'welcome'
  version: number
  client: string
  room: string
  rate: number
  run: string
  lan: string
  lan_qr: string
}

/** A box about its middle. */
export interface BoxShape {
  kind: 'box'
  size: [number, number, number]
}

/** A ball. */
export interface SphereShape {
  kind: 'sphere'
  radius: number
}

/** A cylinder along z, about its middle. */
export interface CylinderShape {
  kind: 'cylinder'
  radius: number
  length: number
}

/** A cylinder along z with round ends, `length` between their centres. */
export interface CapsuleShape {
  kind: 'capsule'
  radius: number
  length: number
}

/** The surface z = 0, without end. */
export interface PlaneShape {
  kind: 'plane'
}

/** Triangles to be fetched from `/mesh/{key}`, of one look; `key` changes with the contents. */
export interface MeshShape {
  kind: 'mesh'
  key: string
  scale: [number, number, number]
}

/** An ellipsoid about the origin. */
export interface EllipsoidShape {
  kind: 'ellipsoid'
  half_lengths: [number, number, number]
}

/** The way something went: a line of so many points, or a strip with points in pairs. */
export interface TraceShape {
  kind: 'trace'
  points: [number, number, number][]
  is_surface: boolean
  width: number
}

/** How a surface looks; all numbers in 0..1. */
export interface SurfaceInfo {
  colour: [number, number, number]
  opacity: number
  metalness: number
  roughness: number
  pattern: string
}

/** A shape in the frame of its node, and how it looks. */
export interface VisualInfo {
  shape: ShapeInfo
  surface: SurfaceInfo
  position: [number, number, number]
  quaternion: [number, number, number, number]
}

/** A lamp at a node: `sun` shines along its -z axis, `point` all round, `ambient` anywhere. */
export interface LightInfo {
  sort: string
  colour: [number, number, number]
  strength: number
}

/** A node of the scene graph. Its row is its place in `Room.nodes` and in frames. */
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

/** A robot: its node, its joints, the nodes that can be control points. */
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
}

/** The skinned body of a person: triangles from `/skin/{key}`, moved by `bones`. */
export interface SkinInfo {
  name: string
  key: string
  bones: number[]
}

/** What a key does in this room, in words. */
export interface KeyHint {
  key: string
  does: string
}

/** All that is in the room; sent at the start and whenever nodes come, go or change parents. */
export interface RoomContents {
  kind: 'room'
  structure: number
  nodes: NodeInfo[]
  robots: RobotInfo[]
  skins: SkinInfo[]
  keys: KeyHint[]
  active: string
  can_undo: boolean
  can_redo: boolean
}

/** Nodes that changed in something besides their place. */
export interface NodesChanged {
  kind: 'nodes'
  structure: number
  nodes: NodeInfo[]
}

/** What changed about robots and undo since the last `room`, whose nodes are still right. */
export interface RoomChanged {
  kind: 'room_changed'
  robots: RobotInfo[]
  active: string
  can_undo: boolean
  can_redo: boolean
}

/** How far a robot is from something it keeps clear of, and where they are nearest. */
export interface ObstacleState {
  node: string
  keep: number
  distance: number
  here: [number, number, number]
  there: [number, number, number]
}

/** A robot now; the last fields only for the one that the page watches. */
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

/** All robots now; some 20 times a second, the newest only. */
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

/** L5/S1 now; forces in N, the moment in N m. */
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

/** What a method for postures says. */
export interface ScoreState {
  method: string
  score: number
  level: number
  levels: number
  advice: string
  code: string
}

/** What a joint gives. */
export interface StrainState {
  joint: string
  moment: number
  demand: number | null
  percent: number | null
}

/** A person now; places in the world. */
export interface PersonState {
  name: string
  task: string
  note: string
  bears: string[]
  load: number
  is_dynamic: boolean
  is_borne: boolean
  com: [number, number, number] | null
  cop: [number, number, number] | null
  polygon: [number, number, number][]
  margin: number | null
  back: BackState | null
  scores: ScoreState[]
  strains: StrainState[]
}

/** All people now, some 10 times a second while they move; for pages that watch them. */
export interface People {
  kind: 'people'
  time: number
  limits: BackLimits
  people: PersonState[]
}

/** How the loop is doing; about twice a second. */
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

/** Words for people; `problem` names who went wrong. */
export interface Announced {
  kind: 'said'
  text: string
  problem: string
}

/** A sound starts or stops, at a node or everywhere; fetched from `/sound/{uri}`. */
export interface SoundChanged {
  kind: 'sound'
  uri: string
  node: string
  is_on: boolean
  loop: boolean
  volume: number
}

/** An event that pages can show, such as a collision of two nodes. */
export interface Happened {
  kind: 'happened'
  what: string
  names: string[]
  state: boolean
}

/** Who is in control; empty when nobody is. */
export interface Lease {
  kind: 'lease'
  holder: string
  is_mine: boolean
}

/** The page should draw a picture and POST it to `/api/snapshots/{id}`. */
export interface SnapshotWanted {
  kind: 'snapshot'
  id: string
  viewpoint: string
  width: number
  height: number
}

/** What became of a command. */
export interface Answer {
  kind: 'answer'
  id: number
  ok: boolean
  text: string
}

/** The answer to a ping: what it carried. */
export interface Pong {
  kind: 'pong'
  sent: number
}

/** The first message of a page. */
export interface Hello {
  kind: 'hello'
  version: number
  name?: string
}

/** Ask for the lease; `take` takes it from another page. */
export interface AskControl {
  kind: 'ask_control'
  take?: boolean
}

/** Let go of the lease. */
export interface GiveControl {
  kind: 'give_control'
}

/** What a physical device at the page reports, for `robotix.devices`. */
export interface DeviceData {
  kind: 'device'
  device: string
  data: Record<string, unknown>
}

/** A line for the console; answered with the same id. */
export interface ConsoleLine {
  kind: 'command'
  id: number
  line: string
}

/** Which robot the page wants to know all about; empty for none. */
export interface WatchRobot {
  kind: 'watch'
  robot?: string
}

/** Whether the page wants to know how people are borne and what their joints carry. */
export interface WatchPeople {
  kind: 'watch_people'
  is_on: boolean
}

/** Where the person's room is in the world, after a teleport; for tracked devices. */
export interface TrackingOrigin {
  kind: 'look'
  position: [number, number, number]
  quaternion: [number, number, number, number]
}

/** Pause, go on, make single ticks, or change the speed. */
export interface Pace {
  kind: 'pace'
  action: string
  value?: number
}

/** The newest tick on the page's screen; tells the room how much it may send ahead. */
export interface TickShown {
  kind: 'moved'
  tick: number
}

/** Asks for a pong. */
export interface Ping {
  kind: 'ping'
  sent: number
}

/** Triangles from a file that comes along, in its own unit of length. */
export interface FileShape {
  kind: 'file'
  file: string
  scale: number
}

/** A shape where it is while all joints are at zero, in the frame of the robot. */
export interface WizardSolid {
  shape: BoxShape | SphereShape | CylinderShape | CapsuleShape | FileShape
  position: [number, number, number]
  quaternion: [number, number, number, number]
  colour: [number, number, number]
}

/** How a part is held by another: about or along an axis through a point, both of the robot. */
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

/** A rigid part; the one that nothing holds is the base. */
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

/** A robot as the wizard describes it, with the files of its meshes. */
export interface WizardRobot {
  name: string
  parts: WizardPart[]
  tip: WizardPoint | null
  files: Record<string, string>
}

/** Where the robot was saved. */
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
  | Health
  | Announced
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
  | TrackingOrigin
  | Pace
  | TickShown
  | Ping
