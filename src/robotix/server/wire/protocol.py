"""Messages between server and page; `web/src/net/protocol.ts` is generated from this file.

Control messages are JSON texts, distinguished by `kind`. Poses change at every tick and are sent as
binary frames (see `frames`). Lengths in m, angles in rad, quaternions in the order of three.js:
(x, y, z, w). The z axis of the world points up.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from robotix.server.wire import viewing
from robotix.server.wire.messages import (
    BoxShape,
    CapsuleShape,
    ControlInfo,
    CylinderShape,
    EllipsoidShape,
    JointInfo,
    KeyHint,
    LightInfo,
    MeshShape,
    NodeInfo,
    PlaneShape,
    RobotInfo,
    ShapeInfo,
    SkinInfo,
    SphereShape,
    SurfaceInfo,
    TaskInfo,
    TraceShape,
    Vector,
    VisualInfo,
    Wire,
    WirePart,
)
from robotix.server.wire.people import (
    BackLimits,
    BackState,
    People,
    PersonState,
    ScoreState,
    StrainState,
    WatchPeople,
)
from robotix.server.wire.physics import Touches, WatchTouches
from robotix.server.wire.plugins import PluginAnswer, PluginQuestion
from robotix.server.wire.viewing import TrackingOrigin
from robotix.server.wire.wizard import (
    FileShape,
    OverHttp,
    WizardJoint,
    WizardPart,
    WizardPoint,
    WizardRobot,
    WizardSaved,
    WizardSolid,
)

__all__ = [
    "VERSION",
    "Announced",
    "Answer",
    "AskControl",
    "BackLimits",
    "BackState",
    "BoxShape",
    "CapsuleShape",
    "ConsoleLine",
    "ControlInfo",
    "CylinderShape",
    "DeviceData",
    "EllipsoidShape",
    "FileShape",
    "GiveControl",
    "Happened",
    "Health",
    "Hello",
    "JointInfo",
    "KeyHint",
    "Lease",
    "LightInfo",
    "MeshShape",
    "NodeInfo",
    "NodesChanged",
    "ObstacleState",
    "OverHttp",
    "Pace",
    "People",
    "PersonState",
    "Ping",
    "PlaneShape",
    "PluginAnswer",
    "PluginQuestion",
    "Pong",
    "RobotInfo",
    "RobotState",
    "RobotStates",
    "RoomChanged",
    "RoomContents",
    "RoomFailed",
    "ScoreState",
    "ShapeInfo",
    "SkinInfo",
    "SnapshotWanted",
    "SoundChanged",
    "SphereShape",
    "StrainState",
    "SurfaceInfo",
    "TickShown",
    "ToClient",
    "ToServer",
    "Touches",
    "TraceShape",
    "TrackingOrigin",
    "VisualInfo",
    "WatchPeople",
    "WatchRobot",
    "WatchTouches",
    "Welcome",
    "WizardJoint",
    "WizardPart",
    "WizardPoint",
    "WizardRobot",
    "WizardSaved",
    "WizardSolid",
]

VERSION = 1  # a page with another version is asked to reload


# -- from the server to the page ----------------------------------------------------------------


class Welcome(Wire, frozen=True, tag="welcome"):
    """First message of the server: name of the client, name and rate of the scene."""

    version: int
    client: str
    room: str
    rate: float  # ticks per second
    run: str  # changes with every start of the server
    key: str  # sent with HTTP requests that change files, as the header `X-Robotix-Page`
    lan: str = ""  # address for other machines; empty without
    lan_qr: str = ""  # its QR code: an SVG image as a data URI
    is_replay: bool = False  # a recording is shown; more about it at `/api/replay`
    can_reset: bool = False  # the line `reset_room` loads the room again


class RoomContents(Wire, frozen=True, tag="room"):
    """All nodes and robots; sent at the start and whenever nodes are added, removed or moved."""

    structure: int  # frames with another number do not match these nodes
    nodes: list[NodeInfo]
    robots: list[RobotInfo]
    skins: list[SkinInfo]
    keys: list[KeyHint]  # that trigger rules
    device_keys: list[KeyHint]  # that move an axis of a device
    devices: dict[str, str]  # kinds of the logical devices that the scene declares, by name
    active: str  # the robot that commands refer to
    can_undo: bool = False
    can_redo: bool = False
    controls: list[ControlInfo] = msgspec.field(default_factory=list)  # that a program added
    task: TaskInfo | None = None  # what the person who drives is asked to do


class NodesChanged(Wire, frozen=True, tag="nodes"):
    """Nodes whose properties, other than the pose, have changed."""

    structure: int
    nodes: list[NodeInfo]


class RoomChanged(Wire, frozen=True, tag="room_changed"):
    """Changes of robots and undo since the last `room`; its nodes remain valid."""

    robots: list[RobotInfo]
    active: str
    can_undo: bool
    can_redo: bool
    controls: list[ControlInfo] = msgspec.field(default_factory=list)
    task: TaskInfo | None = None


class ObstacleState(WirePart, frozen=True):
    """Distance between a robot and an obstacle that it avoids, with the closest points."""

    node: str
    keep: float
    distance: float
    here: Vector  # closest point of the robot, in the world
    there: Vector


class RobotState(WirePart, frozen=True):
    """Current state of a robot; fields after `tip` only for the robot that the page watches."""

    name: str
    q: list[float]
    at_stop: list[bool]
    is_moving: bool
    drive: str  # what moves it, as text; empty when nothing does
    tracked_by: str = ""  # a logical device
    tip: Vector = (0.0, 0.0, 0.0)  # end-effector in the world
    manipulability: float | None = None
    singular_values: list[float] = msgspec.field(default_factory=list)  # of the position rows
    condition: float | None = None
    # (6, n), of the end-effector, in the world's axes
    jacobian: list[list[float]] = msgspec.field(default_factory=list)
    # Half axes of the velocity ellipsoid in the world
    ellipsoid: list[Vector] = msgspec.field(default_factory=list)
    # Likewise, for joint efforts of norm 1; empty without masses
    acceleration: list[Vector] = msgspec.field(default_factory=list)
    # N s, for joint velocities of norm 1; unbounded axes are clipped
    impact: list[Vector] = msgspec.field(default_factory=list)
    obstacles: list[ObstacleState] = msgspec.field(default_factory=list)


class RobotStates(Wire, frozen=True, tag="robots"):
    """State of all robots, about 20 times a second; only the latest is sent."""

    time: float
    robots: list[RobotState]


class Health(Wire, frozen=True, tag="health"):
    """Timing of the loop; about twice a second."""

    time: float  # s, scene time
    rate: float  # ticks per second, measured
    load: float  # fraction of one core
    overruns: int
    lost: float  # s by which the scene lags behind the clock
    worst: float  # s, longest tick
    speed: float
    is_paused: bool
    clients: int
    recording: str = ""


class Announced(Wire, frozen=True, tag="said"):
    """A text for the user; `problem` names the source of an error."""

    text: str
    problem: str = ""


class RoomFailed(Wire, frozen=True, tag="failed"):
    """The room could not be opened; the server ends."""

    text: str


class SoundChanged(Wire, frozen=True, tag="sound"):
    """A sound starts or stops, at a node or everywhere; its file is at `/sound/{uri}`."""

    uri: str
    node: str
    is_on: bool
    loop: bool
    volume: float


class Happened(Wire, frozen=True, tag="happened"):
    """An event of the scene, such as a collision of two nodes."""

    what: str  # collision, region, end_of_stroke, signal
    names: list[str]
    state: bool


class Lease(Wire, frozen=True, tag="lease"):
    """The client in control; empty when there is none."""

    holder: str
    is_mine: bool


class SnapshotWanted(Wire, frozen=True, tag="snapshot"):
    """Request to render a picture and POST it to `/api/snapshots/{id}`."""

    id: str
    viewpoint: str  # a node; the current view when empty
    width: int
    height: int


class Answer(Wire, frozen=True, tag="answer"):
    """Result of a console line."""

    id: int
    ok: bool
    text: str = ""


class Pong(Wire, frozen=True, tag="pong"):
    """Answer to a ping, with its `sent`."""

    sent: float


ToClient: TypeAlias = (
    Welcome
    | RoomContents
    | NodesChanged
    | RoomChanged
    | RobotStates
    | People
    | Touches
    | viewing.ToClient
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
)


# -- from the page to the server ----------------------------------------------------------------


class Hello(Wire, frozen=True, tag="hello"):
    """First message of a page."""

    version: int
    name: str = ""  # shown to other pages, such as "headset"
    key: str = ""  # of the session, from the login


class AskControl(Wire, frozen=True, tag="ask_control"):
    """Request control; `take` takes it from another page."""

    take: bool = False


class GiveControl(Wire, frozen=True, tag="give_control"):
    """Release control."""


class DeviceData(Wire, frozen=True, tag="device"):
    """Data of a physical device at the page, for `robotix.devices`."""

    device: str  # such as keyboard, gamepad, space_mouse, right_controller, cursor
    data: dict[str, Any]


class ConsoleLine(Wire, frozen=True, tag="command"):
    """A line for the console; its `answer` has the same id."""

    id: int
    line: str


class WatchRobot(Wire, frozen=True, tag="watch"):
    """The robot whose full state the page needs; empty for none."""

    robot: str = ""


class Pace(Wire, frozen=True, tag="pace"):
    """Pause or resume the scene, run single ticks, or change the speed; seek in a recording."""

    action: str  # pause, resume, step, speed; of recordings also seek, offset
    value: float = 1.0  # ticks, a factor, or s


class TickShown(Wire, frozen=True, tag="moved"):
    """The latest tick on screen; limits how many frames the server sends ahead."""

    tick: int


class Ping(Wire, frozen=True, tag="ping"):
    """Requests a pong."""

    sent: float


ToServer: TypeAlias = (
    Hello
    | AskControl
    | GiveControl
    | DeviceData
    | ConsoleLine
    | WatchRobot
    | WatchPeople
    | WatchTouches
    | viewing.ToServer
    | Pace
    | TickShown
    | PluginAnswer
    | Ping
)
