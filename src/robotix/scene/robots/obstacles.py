"""Keeping a robot at a distance from things of the room, whatever drives it.

An obstacle is a node with all below it: its solids, as they stand in the world, and as they move.
A mesh counts as its bounding box, which is never smaller than it is. How fast things move and turn
is taken from the last tick. A robot gives way only while it is driven: one that is stopped stays,
one that holds (see `Robot.hold`) does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robotix.errors import BadField
from robotix.geometry import (
    Array,
    Box,
    Capsule,
    Cylinder,
    Halfspace,
    Mesh,
    Pose,
    Shape,
    Sphere,
    log_rotation,
)
from robotix.kinematics import Clearance, Damping, Obstacle, PostureTask, Solver
from robotix.meshes.asset import load_mesh
from robotix.scene.graph.node import Node

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["MAX_GAPS", "ObstacleAvoidance", "scaled_shape"]

MAX_GAPS = 32  # that one tick looks at
LEAP = 0.25  # m in one tick: that far nothing moves, it was put there
STILL = 1e-7  # m or rad in one tick
NEVER = (-1, -1)


@dataclass(frozen=True, eq=False)
class _Piece:
    """One solid of an obstacle."""

    key: str
    node: Node
    shape: Shape
    distance: float


class ObstacleAvoidance:
    """Keeps one robot clear of the nodes that it was told of."""

    def __init__(self, robot: Robot) -> None:
        """Start with no obstacle; refuse a robot that has no solids."""
        model = robot.model
        self._robot = robot
        self.distances: dict[str, float] = {}  # m, by node
        self.clearance = Clearance(model, max_gaps=MAX_GAPS)
        self._task = PostureTask(np.array(robot.q), gain=1 / robot.dt)
        self._solver = Solver(
            model,
            [self._task],
            dt=robot.dt,
            damping=Damping(0.0, "constant"),
            max_inequalities=MAX_GAPS,
        )
        self._kept: Array | None = None  # the posture that was last found to be clear
        self._pieces: list[_Piece] = []
        self._nodes: list[Node] = []  # of all branches, whether they count or not
        self._rows = np.zeros(0, dtype=np.int64)  # of the robot and of every piece, in the graph
        self._seen = NEVER
        self._places: Array = np.zeros((0, 13))
        self._tick = -1
        self._turns: Array = np.zeros((0, 3, 3))  # of the pieces on their nodes
        self._offsets: Array = np.zeros((0, 3))
        self._placed: dict[str, tuple[Array, Array]] = {}  # pieces in the base frame, a tick ago
        self._is_moving = False

    # -- which obstacles --------------------------------------------------------------------

    def add(self, node: str, distance: float) -> None:
        """Keep a distance, in m, from a node and all below it."""
        graph = self._robot.scene.graph
        branch = graph[node]
        if not (math.isfinite(distance) and 0 <= distance <= 10):
            raise BadField("distance", "between 0 and 10 m", distance)
        if not any(each.solids for each in self._branch(branch)):
            raise ValueError(f"{node!r} has no solids to keep clear of")
        self.distances[node] = distance
        self._seen = NEVER

    def remove(self, node: str) -> None:
        """Forget an obstacle."""
        self.distances.pop(node, None)
        self._seen = NEVER

    def _branch(self, node: Node) -> Iterator[Node]:
        """Yield what counts of an obstacle: never the robot itself, nor what it carries."""
        own = self._robot.node
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if each is own:
                continue
            waiting.extend(each.children)
            if each.attributes.collidable and each.robot != self._robot.name:
                yield each

    # -- where they are ---------------------------------------------------------------------

    def look(self) -> None:
        """Bring the obstacles up to date, once a tick."""
        scene = self._robot.scene
        graph = scene.graph
        if self._tick == scene.tick:
            return
        is_next = self._tick == scene.tick - 1
        self._tick = scene.tick
        graph.update()
        now = graph.structure, sum(node.revision for node in self._nodes)
        if self._seen != now:
            self._collect(scene)
            self._seen = graph.structure, sum(node.revision for node in self._nodes)
        places = graph.world[self._rows]
        if not self._is_moving and np.array_equal(places, self._places):
            return
        self._place(places, is_next=is_next)
        self._places = places

    def _collect(self, scene: Scene) -> None:
        """List the solids anew; nodes that are gone are forgotten."""
        self._pieces.clear()
        self._nodes.clear()
        for name, distance in tuple(self.distances.items()):
            if name not in scene.graph:
                del self.distances[name]
                self._robot.say(f"{name!r} is gone, and no longer an obstacle")
                continue
            self._nodes.extend(scene.graph[name].branch())
            for node in self._branch(scene.graph[name]):
                for index, shape in enumerate(node.solids):
                    solid = _boxed(shape, scene) if isinstance(shape, Mesh) else shape
                    key = f"{name}|{node.name}|{index}"
                    self._pieces.append(_Piece(key, node, solid, distance))
        rows = [self._robot.node.row, *(piece.node.row for piece in self._pieces)]
        self._rows = np.array(rows, dtype=np.int64)
        self._places = np.zeros((0, 13))  # so that all are placed anew
        poses = [piece.shape.pose for piece in self._pieces]
        self._turns = np.array([pose.rotation for pose in poses]).reshape(-1, 3, 3)
        self._offsets = np.array([pose.translation for pose in poses]).reshape(-1, 3)

    def _place(self, places: Array, *, is_next: bool) -> None:
        """Tell the clearance where the solids are, in the robot's base frame, and how they move."""
        base, table = places[0], self.clearance.obstacles
        table.clear()
        before, self._placed = self._placed if is_next else {}, {}
        turns, centres, scales = self._in_base(base, places[1:])
        for piece, R, t, scale in zip(self._pieces, turns, centres, scales.tolist(), strict=True):
            self._placed[piece.key] = R, t
            grown = piece.shape if scale == 1.0 else scaled_shape(piece.shape, scale)
            shape = replace(grown, pose=Pose(R, t))
            table[piece.key] = Obstacle(shape, piece.distance / float(base[12]))
        self._pack()
        velocities = self._velocities(before)
        for key, velocity in velocities.items():
            # Clear of where it is now, and of where it will be: it may leave one body of the
            # robot and come nearer to another.
            table[f"{key}|ahead"] = replace(table[key], velocity=velocity)
        self._is_moving = bool(velocities)
        if velocities:
            self._pack()

    def _pack(self) -> None:
        """Let the clearance take over its table: setting one obstacle does it for all."""
        if self._pieces:
            key = self._pieces[-1].key
            self.clearance.set_obstacle(key, self.clearance.obstacles[key])

    def _velocities(self, before: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
        """Return how the pieces that move do so, where they are nearest to the robot."""
        shifts: dict[str, Array] = {}
        spins: dict[str, Array] = {}
        for key, (R, t) in self._placed.items():
            if key not in before:
                continue
            shift, turn = t - before[key][1], R @ before[key][0].T
            length, turns = float(np.linalg.norm(shift)), turn.trace() < 3.0 - STILL**2
            if length > LEAP or (length < STILL and not turns):
                continue
            shifts[key] = shift
            if turns:
                spins[key] = log_rotation(turn)
        for key, point in self._facing(spins).items():
            shifts[key] = shifts[key] + np.cross(spins[key], point - self._placed[key][1])
        return {key: shift / self._robot.dt for key, shift in shifts.items()}

    def _facing(self, keys: Collection[str]) -> dict[str, Array]:
        """Return the points of some pieces that are nearest to the robot, if they are near."""
        if not keys:
            return {}
        tightest_last = reversed(self.clearance.gaps(self._robot.posture))
        return {gap.obstacle: gap.facing for gap in tightest_last if gap.obstacle in keys}

    def _in_base(self, base: Array, rows: Array) -> tuple[Array, Array, Array]:
        """Return rotations, centres and scales of all pieces in the base frame."""
        R, size = base[:9].reshape(3, 3), base[12]
        turns = R.T @ rows[:, :9].reshape(-1, 3, 3)
        scales = rows[:, 12] / size
        offsets = (turns @ self._offsets[:, :, None])[:, :, 0] * scales[:, None]
        centres = (rows[:, 9:12] - base[9:12]) @ R / size + offsets
        return turns @ self._turns, centres, scales

    # -- keeping clear ----------------------------------------------------------------------

    def step(self, solver: Solver) -> Array:
        """Return the posture that a solver finds next, clear of all obstacles."""
        self.look()
        robot = self._robot
        if not self._pieces:
            solver.set_inequalities(np.zeros((0, robot.model.n_dof)), np.zeros(0))
            self._kept = solver.step(robot.q, robot.dq).q
        else:
            self._kept = self.clearance.step(solver, robot.q, robot.dq).q
        return self._kept

    def keep(self, wish: Array) -> Array:
        """Return the posture nearest to a wish that a tick can reach, clear of all obstacles."""
        if wish is self._kept or not np.isfinite(wish).all():
            return wish
        self.look()
        if not self._pieces:
            return wish
        self._solver.replace(0, replace(self._task, target=wish))
        return self.step(self._solver)


def scaled_shape(shape: Shape, scale: float) -> Shape:
    """Return a solid, and its place, in another size."""
    pose = Pose(shape.pose.rotation, shape.pose.translation * scale)
    match shape:
        case Sphere():
            return Sphere(shape.radius * scale, pose)
        case Capsule():
            return Capsule(shape.radius * scale, shape.length * scale, pose)
        case Cylinder():
            return Cylinder(shape.radius * scale, shape.length * scale, pose)
        case Box():
            return Box(shape.size * scale, pose)
        case Halfspace():
            return Halfspace(pose)
        case Mesh():
            x, y, z = (float(stretch) * scale for stretch in shape.scale)
            return Mesh(shape.uri, (x, y, z), pose)


def _boxed(mesh: Mesh, scene: Scene) -> Box:
    """Return the box about a mesh."""
    folder = scene.source.parent if scene.source is not None else Path()
    corners = load_mesh(folder / mesh.uri).vertices * np.array(mesh.scale)
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = np.maximum(high - low, 1e-4)  # a flat mesh is a thin box
    return Box(size, mesh.pose @ Pose(translation=(low + high) / 2))
