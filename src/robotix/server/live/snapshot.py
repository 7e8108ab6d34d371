"""What the loop's thread notes of the room for those who show it: references and small copies.

All that takes time is left to others. The values noted are never changed afterwards, so they can be
read in any thread while the room goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robotix.errors import RobotixError
from robotix.geometry import Array, Shape
from robotix.human import Manikin
from robotix.human.motion.performance import Performance
from robotix.kinematics.solver import Method
from robotix.model import ControlPoint, Model, Visual
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.handles import hand_commands
from robotix.scene.graph.content import Attributes, Content
from robotix.scene.people.person import Person
from robotix.scene.robots.drives import Brake, HoldPosture, Jog, JointMove, Nudge, PathPlay, Reach
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag, Tracking

if TYPE_CHECKING:
    from robotix.scene.robots.driven import Drive
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = [
    "Closeness",
    "NodeSnapshot",
    "PersonSnapshot",
    "RobotDescription",
    "RobotSnapshot",
    "SceneSnapshot",
    "note_nodes",
    "note_person_now",
    "note_robot",
    "note_robot_now",
]

_WORDS: dict[type[object], str] = {
    JointMove: "moves to a posture",
    Nudge: "steps",
    Jog: "steps",
    Reach: "reaches for a point",
    PathPlay: "plays a path",
    HoldPosture: "holds its posture",
    Brake: "comes to rest",
}


@dataclass(frozen=True, eq=False)
class NodeSnapshot:
    """A node as it was."""

    name: str
    parent: int
    robot: str | None
    solids: tuple[Shape, ...]
    visuals: tuple[Visual, ...]
    content: Content | None
    attributes: Attributes
    revision: int
    is_guided: bool  # rules let hands move it, along the way that it can go


@dataclass(frozen=True, eq=False)
class RobotDescription:
    """What seldom changes about a robot."""

    name: str
    row: int
    model: Model
    config: str  # the file it was read from
    first: int
    last: int
    point: ControlPoint
    damping: float
    method: Method
    home: Array
    steps: int  # of a move, by default
    person: Person | None

    def is_as(self, other: RobotDescription | None) -> bool:
        """Tell whether nothing has changed."""
        return (
            other is not None
            and (self.row, self.first, self.last, self.damping, self.method, self.steps)
            == (other.row, other.first, other.last, other.damping, other.method, other.steps)
            and self.model is other.model
            and self.point is other.point
            and self.home is other.home
        )


@dataclass(frozen=True, eq=False)
class Closeness:
    """How far a robot is from something it keeps clear of."""

    node: str
    keep: float
    distance: float
    here: Array
    there: Array


@dataclass(frozen=True, eq=False)
class RobotSnapshot:
    """What changes all the time about a robot."""

    name: str
    q: Array
    at_stop: NDArray[np.bool_]
    is_moving: bool
    drive: str
    tracked_by: str
    tip: Array  # (3,), in the world
    jacobian: Array | None = None  # (6, n), in the base frame; of robots that somebody watches
    base: Array | None = None  # (3, 3), in the world
    obstacles: tuple[Closeness, ...] = ()


@dataclass(frozen=True, eq=False)
class PersonSnapshot:
    """How a person is, for those who work out what that takes."""

    name: str
    subject: Manikin | Performance  # what was done last, which knows what bears; or the body alone
    q: Array
    act_time: float  # s since it began
    base: Array  # (13,), row of the graph


@dataclass(frozen=True, eq=False)
class SceneSnapshot:
    """The room at the end of a tick."""

    structure: int
    tick: int
    time: float
    world: Array  # (n, 13)
    nodes: tuple[NodeSnapshot, ...]  # the same object as before when nothing was touched
    robots: tuple[RobotDescription, ...]  # likewise
    postures: Mapping[str, Array]  # of people, whose skins follow
    active: str
    can_undo: bool
    can_redo: bool


def note_nodes(scene: Scene, before: tuple[NodeSnapshot, ...] | None) -> tuple[NodeSnapshot, ...]:
    """Return all nodes in the order of their rows; those that are as `before` are the same."""
    known = {} if before is None else {facts.name: facts for facts in before}
    guided: Collection[str] | None = None  # asked for when there is a node that nobody knows yet
    noted = []
    for node in scene.graph:
        parent = -1 if node.parent is None else node.parent.row
        old = known.get(node.name)
        if old is None or old.revision != node.revision or old.parent != parent:
            if old is None and guided is None:
                guided = _guided(scene)
            is_guided = node.name in (guided or ()) if old is None else old.is_guided
            old = NodeSnapshot(
                node.name, parent, node.robot, node.solids, node.visuals, node.content,
                node.attributes, node.revision, is_guided,
            )  # fmt: skip
        noted.append(old)
    return tuple(noted)


def _guided(scene: Scene) -> set[str]:
    return {name for name, command in hand_commands(scene).items() if not isinstance(command, Grab)}


def note_robot(scene: Scene, robot: Robot) -> RobotDescription:
    """Return what seldom changes about a robot."""
    chain = robot.chain
    return RobotDescription(
        robot.name, robot.node.row, robot.model, robot.source_file, chain.first, chain.last,
        chain.point, robot.solvers.damping.k, robot.solvers.method, robot.home, robot.move_ticks,
        scene.people.get(robot.name),
    )  # fmt: skip


def note_robot_now(scene: Scene, robot: Robot, *, is_watched: bool) -> RobotSnapshot:
    """Return how a robot is now; more of it for those who watch."""
    drive = robot.drive
    tracked_by = drive.device if isinstance(drive, Tracking) else ""
    plain = (
        robot.name, robot.q, robot.at_stop.copy(), robot.is_moving, _words(drive), tracked_by,
        robot.tip_position(),
    )  # fmt: skip
    if not is_watched:
        return RobotSnapshot(*plain)
    base = np.array(robot.base_rotation())
    return RobotSnapshot(*plain, robot.tip_jacobian(), base, _closeness(scene, robot))


def note_person_now(scene: Scene, person: Person) -> PersonSnapshot:
    """Return how a person is now; the graph is up to date."""
    act, robot = person.act, person.robot
    subject = person.manikin if act is None else act.performance
    base = scene.graph.world[robot.node.row].copy()
    return PersonSnapshot(person.name, subject, robot.q, person.act_time, base)


def _closeness(scene: Scene, robot: Robot) -> tuple[Closeness, ...]:
    if robot.avoidance is None:
        return ()
    found = []
    for node, keep in robot.avoidance.distances.items():
        with suppress(RobotixError, ValueError):  # it is gone, or has no solids any more
            near = scene.contacts.distance(robot.name, node)
            found.append(Closeness(node, keep, near.distance, near.point_a, near.point_b))
    return tuple(found)


def _words(drive: Drive | None) -> str:
    match drive:
        case None:
            return ""
        case Tracking():
            return f"follows {drive.device}"
        case HandDrag() | HandHold():
            return f"is dragged by {drive.hand}"
    return _WORDS.get(type(drive), "is driven")
