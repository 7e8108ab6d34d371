"""Snapshots of the scene, taken on the loop's thread: references and small copies.

Anything slow is left to other threads. Snapshots are immutable, so any thread can read them while
the scene runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robotix.errors import RobotixError
from robotix.geometry import Array, Shape
from robotix.human import Manikin
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.motion.performance import Performance
from robotix.kinematics.solver import Method
from robotix.model import ControlPoint, Model, Visual
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.handles import HandCommand, hand_commands
from robotix.scene.graph.content import Attributes, Content
from robotix.scene.page_controls import PageControl
from robotix.scene.people.person import Person
from robotix.scene.robots.drives import Brake, HoldPosture, Jog, JointMove, Nudge, PathPlay, Reach
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag, Tracking
from robotix.scene.task_display import TaskDisplay

if TYPE_CHECKING:
    from robotix.scene.robots.driven import Drive
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = [
    "NodeSnapshot",
    "ObstacleProximity",
    "PersonSnapshot",
    "RobotDescription",
    "RobotSnapshot",
    "SceneSnapshot",
    "describe_robot",
    "snapshot_nodes",
    "snapshot_person",
    "snapshot_robot",
]

_DRIVE_TEXTS: dict[type[object], str] = {
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
    """A node of the scene graph."""

    name: str
    parent: int
    robot: str | None
    solids: tuple[Shape, ...]
    visuals: tuple[Visual, ...]
    content: Content | None
    attributes: Attributes
    revision: int
    guide: HandCommand | None  # by which hands move it, such as a door or drawer


@dataclass(frozen=True, eq=False)
class RobotDescription:
    """Properties of a robot that rarely change."""

    name: str
    row: int
    model: Model
    config: str  # the file of its model
    first: int
    last: int
    point: ControlPoint
    damping: float
    method: Method
    home: Array
    postures: Mapping[str, Array]  # kept by name; another object after each change
    steps: int  # default duration of a move, ticks
    person: Person | None

    def is_same_as(self, other: RobotDescription | None) -> bool:
        """Return whether all properties are the same."""
        return (
            other is not None
            and (self.row, self.first, self.last, self.damping, self.method, self.steps)
            == (other.row, other.first, other.last, other.damping, other.method, other.steps)
            and self.model is other.model
            and self.point is other.point
            and self.home is other.home
            and self.postures is other.postures
        )


@dataclass(frozen=True, eq=False)
class ObstacleProximity:
    """Distance between a robot and an obstacle that it avoids, with the closest points."""

    node: str
    keep: float
    distance: float
    here: Array
    there: Array


@dataclass(frozen=True, eq=False)
class RobotSnapshot:
    """State of a robot in one tick."""

    name: str
    q: Array
    at_stop: NDArray[np.bool_]
    is_moving: bool
    drive: str
    tracked_by: str
    tip: Array  # (3,), in the world
    jacobian: Array | None = None  # (6, n), in the base frame; only of watched robots
    base: Array | None = None  # (3, 3), in the world
    obstacles: tuple[ObstacleProximity, ...] = ()


@dataclass(frozen=True, eq=False)
class PersonSnapshot:
    """State of a person in one tick, for the assessment."""

    name: str
    subject: Manikin | Performance  # the last task, which defines the contacts; or the body
    q: Array
    act_time: float  # s since the task began
    base: Array  # (13,), row of the graph


@dataclass(frozen=True, eq=False)
class SceneSnapshot:
    """The scene at the end of a tick."""

    structure: int
    tick: int
    time: float
    world: Array  # (n, 13)
    nodes: tuple[NodeSnapshot, ...]  # the same object as before if nothing has changed
    robots: tuple[RobotDescription, ...]  # likewise
    postures: Mapping[str, Array]  # of people, whose skins follow
    heads: Mapping[str, HeadAndHands]  # of people, likewise
    active: str
    can_undo: bool
    can_redo: bool
    controls: tuple[PageControl, ...]  # the same object as before if nothing has changed
    task: TaskDisplay | None


def snapshot_nodes(
    scene: Scene, before: tuple[NodeSnapshot, ...] | None
) -> tuple[NodeSnapshot, ...]:
    """Return all nodes in row order; unchanged ones are the objects in `before`."""
    known = {} if before is None else {node.name: node for node in before}
    guides: Mapping[str, HandCommand] | None = None  # computed when there is a new node
    noted = []
    for node in scene.graph:
        parent = -1 if node.parent is None else node.parent.row
        old = known.get(node.name)
        if old is None or old.revision != node.revision or old.parent != parent:
            if old is None and guides is None:
                guides = _guides(scene)
            guide = (guides or {}).get(node.name) if old is None else old.guide
            old = NodeSnapshot(
                node.name, parent, node.robot, node.solids, node.visuals, node.content,
                node.attributes, node.revision, guide,
            )  # fmt: skip
        noted.append(old)
    return tuple(noted)


def _guides(scene: Scene) -> dict[str, HandCommand]:
    commands = hand_commands(scene)
    return {name: guide for name, guide in commands.items() if not isinstance(guide, Grab)}


def describe_robot(scene: Scene, robot: Robot) -> RobotDescription:
    """Return the properties of a robot that rarely change."""
    chain = robot.chain
    return RobotDescription(
        robot.name, robot.node.row, robot.model, robot.source_file, chain.first, chain.last,
        chain.point, robot.solvers.damping.k, robot.solvers.method, robot.home, robot.postures,
        robot.move_ticks, scene.people.get(robot.name),
    )  # fmt: skip


def snapshot_robot(scene: Scene, robot: Robot, *, is_watched: bool) -> RobotSnapshot:
    """Return the state of a robot; with Jacobian and obstacles if it is watched."""
    drive = robot.drive
    tracked_by = drive.device if isinstance(drive, Tracking) else ""
    plain = (
        robot.name, robot.q, robot.at_stop.copy(), robot.is_moving, _drive_text(drive), tracked_by,
        robot.tip_position(),
    )  # fmt: skip
    if not is_watched:
        return RobotSnapshot(*plain)
    base = np.array(robot.base_rotation())
    return RobotSnapshot(*plain, robot.tip_jacobian(), base, _obstacle_proximities(scene, robot))


def snapshot_person(scene: Scene, person: Person) -> PersonSnapshot:
    """Return the state of a person; the graph must be up to date."""
    act, robot = person.act, person.robot
    subject = person.manikin if act is None else act.performance
    base = scene.graph.world[robot.node.row].copy()
    return PersonSnapshot(person.name, subject, robot.q, person.act_time, base)


def _obstacle_proximities(scene: Scene, robot: Robot) -> tuple[ObstacleProximity, ...]:
    if robot.avoidance is None:
        return ()
    found = []
    for node, keep in robot.avoidance.distances.items():
        with suppress(RobotixError, ValueError):  # it was removed, or has no solids
            near = scene.contacts.distance(robot.name, node)
            found.append(ObstacleProximity(node, keep, near.distance, near.point_a, near.point_b))
    return tuple(found)


def _drive_text(drive: Drive | None) -> str:
    match drive:
        case None:
            return ""
        case Tracking():
            return f"follows {drive.device}"
        case HandDrag() | HandHold():
            return f"is dragged by {drive.hand}"
    return _DRIVE_TEXTS.get(type(drive), "is driven")
