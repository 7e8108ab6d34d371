"""Plug-in: a gripper that takes what is between its fingers, and lets it go to fall.

Its args say where it grips, what it can take, and what these fall on, parted by semicolons:

    args: grip_point; cup, ball; floor, table

In a room with physics, free things fall by themselves, as they are let go; others fall upright.
A rule calls `grip`, which takes or lets go in turn. The fingers are the nodes `finger_left` and
`finger_right`, which move along y. What was let go is named once more when it has come to rest,
with what it stands on. Closing on nothing emits the signal `grip_empty`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Pose, Sphere, rotation_from_rpy
from robotix.scene import Event, Node, Running, Scene, Signal
from robotix.scene.commands import Fall

REACH = 0.045  # m between the grip point and an object to grasp
MAX_OPENING = 0.065  # m from the middle to a finger
PAD_OFFSET = 0.011  # m from the middle of a finger to what it presses on
SPEED = 0.12  # m/s of a finger
STILL_SPEED = 0.005  # m/s; slower is at rest
STILL_TIME = 0.3  # s that a thing which was let go must be at rest
MAX_GAP = 0.01  # m between a thing and what it stands on


@dataclass
class Gripper:
    """The gripper of one room."""

    scene: Scene
    point: str = ""
    things: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    held: str = ""
    opening: float = MAX_OPENING
    falling: dict[str, Running] = field(default_factory=dict)
    dropped: str = ""  # let go, and not at rest yet
    still_time: float = 0.0  # s that it has been at rest
    last_position: Array = field(default_factory=lambda: np.zeros(3))

    def grasp(self) -> None:
        """Grasp the nearest object within reach."""
        gaps = {name: self.scene.contacts.distance(self.point, name) for name in self.things}
        name = min(gaps, key=lambda each: gaps[each].distance, default="")
        if not name or gaps[name].distance > REACH:
            self.scene.say("There is nothing between the fingers; bring the gripper nearer.")
            self.scene.emit("grip_empty")
            return
        if name in self.falling:
            self.scene.stop(self.falling.pop(name))
        node, point = self.scene.graph[name], self.scene.graph[self.point]
        assert point.parent is not None
        self.scene.graph.attach(node, point.parent)
        self.held, self.dropped = name, ""
        self.scene.say(f"Held: {name.replace('_', ' ')}.")

    def release(self) -> None:
        """Let the held object fall."""
        node = self.scene.graph[self.held]
        self.scene.graph.attach(node, self.scene.graph.root)
        if not self.scene.physics.is_simulated(node):
            self._fall_upright(node)
        self.scene.say(f"Let go: {self.held.replace('_', ' ')}.")
        self.held, self.dropped, self.still_time = "", self.held, 0.0

    def _fall_upright(self, node: Node) -> None:
        there = node.world_pose
        yaw = float(np.arctan2(there.rotation[1, 0], there.rotation[0, 0]))
        upright = Pose(rotation_from_rpy(0.0, 0.0, yaw), there.translation)
        self.scene.graph.set_world_pose(node, upright)
        fall = Fall(self.held, self.floors, restitution=0.1)(self.scene, Event(Signal("let go")))
        assert fall is not None
        self.falling[self.held] = self.scene.start(fall, name=f"{self.held} falls")

    def watch_dropped(self, dt: float) -> None:
        """Say what the object that was let go stands on, once it is at rest."""
        if not self.dropped:
            return
        position = self.scene.graph[self.dropped].world_position
        is_still = np.linalg.norm(position - self.last_position) < STILL_SPEED * dt
        self.still_time = self.still_time + dt if is_still else 0.0
        self.last_position = np.array(position)
        if self.still_time < STILL_TIME:
            return
        gaps = {name: self.scene.contacts.distance(self.dropped, name) for name in self.floors}
        below = min(gaps, key=lambda each: gaps[each].distance, default="")
        if below and gaps[below].distance < MAX_GAP:
            thing, surface = (name.replace("_", " ") for name in (self.dropped, below))
            self.scene.say(f"{thing.capitalize()} is on the {surface}.")
        self.dropped = ""

    def move_fingers(self, dt: float) -> None:
        """Move the fingers towards their target."""
        goal = MAX_OPENING
        if self.held:
            goal = min(_half_width(self.scene.graph[self.held]) + PAD_OFFSET, MAX_OPENING)
        if self.opening == goal:
            return
        step = SPEED * dt
        self.opening = float(np.clip(goal, self.opening - step, self.opening + step))
        for name, side in (("finger_left", 1.0), ("finger_right", -1.0)):
            node = self.scene.graph[name]
            x, _, z = node.pose.translation
            node.pose = Pose(node.pose.rotation, np.array([x, side * self.opening, z]))


grippers: list[Gripper] = []  # one: every room loads this module again


def setup(scene: Scene) -> None:
    """Remember the room."""
    grippers.append(Gripper(scene))


def init(args: str) -> None:
    """Read the arguments from the scene file."""
    point, things, floors = (part.strip() for part in args.split(";"))
    gripper = grippers[0]
    gripper.point = point
    gripper.things = tuple(name.strip() for name in things.split(","))
    gripper.floors = tuple(name.strip() for name in floors.split(","))


def grip(state: bool, args: str) -> None:
    """Grasp or release."""
    if state:
        gripper = grippers[0]
        (gripper.release if gripper.held else gripper.grasp)()


def loop(dt: float) -> None:
    """Move the fingers, and watch what was let go."""
    grippers[0].move_fingers(dt)
    grippers[0].watch_dropped(dt)


def _half_width(node: Node) -> float:
    match node.solids[0]:
        case Box(size=size):
            return float(min(size[0], size[1])) / 2
        case Cylinder(radius=radius) | Capsule(radius=radius) | Sphere(radius=radius):
            return float(radius)
    return 0.0
