"""Messages between the room and a page; `web/src/net/protocol.ts` is generated from this file.

Control messages are JSON texts, told apart by `kind`. Places come as binary frames (see `frames`),
for they change at every tick. Lengths in m, angles in rad, quaternions as three.js has them:
(x, y, z, w). The room's z axis points up.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from robotix.server.wire.messages import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    JointInfo,
    KeyHint,
    LightInfo,
    MeshShape,
    NodeInfo,
    PlaneShape,
    Quaternion,
    RobotInfo,
    ShapeInfo,
    SkinInfo,
    SphereShape,
    SurfaceInfo,
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
    "Pong",
    "RobotInfo",
    "RobotState",
    "RobotStates",
    "RoomChanged",
    "RoomContents",
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
    "TraceShape",
    "TrackingOrigin",
    "VisualInfo",
    "WatchPeople",
    "WatchRobot",
    "Welcome",
    "WizardJoint",
    "WizardPart",
    "WizardPoint",
    "WizardRobot",
    "WizardSaved",
    "WizardSolid",
]

VERSION = 1  # a page of another version asks to be reloaded


# -- from the room to the page ----------------------------------------------------------------


class Welcome(Wire, frozen=True, tag="welcome"):
    """The first message: who the page is, and where it has come to."""

    version: int
    client: str
    room: str
    rate: float  # ticks a second
    run: str  # another one after a restart of the server
    lan: str = ""  # address for other machines, if there is one
    lan_qr: str = ""  # its QR code: an SVG image as a data URI


class RoomContents(Wire, frozen=True, tag="room"):
    """All that is in the room; sent at the start and whenever nodes come, go or change parents."""

    structure: int  # frames of another structure are not for these nodes
    nodes: list[NodeInfo]
    robots: list[RobotInfo]
    skins: list[SkinInfo]
    keys: list[KeyHint]
    active: str  # the robot that commands mean
    can_undo: bool = False
    can_redo: bool = False


class NodesChanged(Wire, frozen=True, tag="nodes"):
    """Nodes that changed in something besides their place."""

    structure: int
    nodes: list[NodeInfo]


class RoomChanged(Wire, frozen=True, tag="room_changed"):
    """What changed about robots and undo since the last `room`, whose nodes are still right."""

    robots: list[RobotInfo]
    active: str
    can_undo: bool
    can_redo: bool


class ObstacleState(WirePart, frozen=True):
    """How far a robot is from something it keeps clear of, and where they are nearest."""

    node: str
    keep: float
    distance: float
    here: Vector  # on the robot, in the world
    there: Vector


class RobotState(WirePart, frozen=True):
    """A robot now; the last fields only for the one that the page watches."""

    name: str
    q: list[float]
    at_stop: list[bool]
    is_moving: bool
    drive: str  # what moves it, in words; empty when nothing does
    tracked_by: str = ""  # a logical device
    tip: Vector = (0.0, 0.0, 0.0)  # end-effector in the world
    manipulability: float | None = None
    singular_values: list[float] = msgspec.field(default_factory=list)  # of the position rows
    condition: float | None = None
    jacobian: list[list[float]] = msgspec.field(
        default_factory=list
    )  # (6, n), of the end-effector, in the world's axes
    ellipsoid: list[Vector] = msgspec.field(
        default_factory=list
    )  # half axes of the velocity ellipsoid in the world
    acceleration: list[Vector] = msgspec.field(
        default_factory=list
    )  # likewise, for joint efforts of norm 1; none without masses
    impact: list[Vector] = msgspec.field(
        default_factory=list
    )  # N s that it can deliver with joint velocities of norm 1; what knows no bounds is cut off
    obstacles: list[ObstacleState] = msgspec.field(default_factory=list)


class RobotStates(Wire, frozen=True, tag="robots"):
    """All robots now; some 20 times a second, the newest only."""

    time: float
    robots: list[RobotState]


class Health(Wire, frozen=True, tag="health"):
    """How the loop is doing; about twice a second."""

    time: float  # s of the room
    rate: float  # ticks a second really made
    load: float  # share of a core
    overruns: int
    lost: float  # s behind the clock
    worst: float  # s
    speed: float
    is_paused: bool
    clients: int
    recording: str = ""


class Announced(Wire, frozen=True, tag="said"):
    """Words for people; `problem` names who went wrong."""

    text: str
    problem: str = ""


class SoundChanged(Wire, frozen=True, tag="sound"):
    """A sound starts or stops, at a node or everywhere; fetched from `/sound/{uri}`."""

    uri: str
    node: str
    is_on: bool
    loop: bool
    volume: float


class Happened(Wire, frozen=True, tag="happened"):
    """An event that pages can show, such as a collision of two nodes."""

    what: str  # collision, region, end_of_stroke, signal
    names: list[str]
    state: bool


class Lease(Wire, frozen=True, tag="lease"):
    """Who is in control; empty when nobody is."""

    holder: str
    is_mine: bool


class SnapshotWanted(Wire, frozen=True, tag="snapshot"):
    """The page should draw a picture and POST it to `/api/snapshots/{id}`."""

    id: str
    viewpoint: str  # a node; where the page stands when empty
    width: int
    height: int


class Answer(Wire, frozen=True, tag="answer"):
    """What became of a command."""

    id: int
    ok: bool
    text: str = ""


class Pong(Wire, frozen=True, tag="pong"):
    """The answer to a ping: what it carried."""

    sent: float


ToClient: TypeAlias = (
    Welcome
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
)


# -- from the page to the room ----------------------------------------------------------------


class Hello(Wire, frozen=True, tag="hello"):
    """The first message of a page."""

    version: int
    name: str = ""  # for others to see, such as "headset"


class AskControl(Wire, frozen=True, tag="ask_control"):
    """Ask for the lease; `take` takes it from another page."""

    take: bool = False


class GiveControl(Wire, frozen=True, tag="give_control"):
    """Let go of the lease."""


class DeviceData(Wire, frozen=True, tag="device"):
    """What a physical device at the page reports, for `robotix.devices`."""

    device: str  # such as keyboard, gamepad, space_mouse, right_controller, cursor
    data: dict[str, Any]


class ConsoleLine(Wire, frozen=True, tag="command"):
    """A line for the console; answered with the same id."""

    id: int
    line: str


class WatchRobot(Wire, frozen=True, tag="watch"):
    """Which robot the page wants to know all about; empty for none."""

    robot: str = ""


class TrackingOrigin(Wire, frozen=True, tag="look"):
    """Where the person's room is in the world, after a teleport; for tracked devices."""

    position: Vector
    quaternion: Quaternion


class Pace(Wire, frozen=True, tag="pace"):
    """Pause, go on, make single ticks, or change the speed."""

    action: str  # pause, resume, step, speed
    value: float = 1.0


class TickShown(Wire, frozen=True, tag="moved"):
    """The newest tick on the page's screen; tells the room how much it may send ahead."""

    tick: int


class Ping(Wire, frozen=True, tag="ping"):
    """Asks for a pong."""

    sent: float


ToServer: TypeAlias = (
    Hello
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
)
