"""Obstacle avoidance: keep a robot at a distance from nodes, whatever drives it.

An obstacle is a node with its whole branch; its solids may move. Meshes, of the robot and of
obstacles, are measured triangle by triangle. Velocities are differences to the last tick. A robot
gives way only while it is driven: a stopped robot stays, a holding one (`Robot.hold`) gives way.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

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
from robotix.kinematics import (
    Clearance,
    Damping,
    Obstacle,
    Posture,
    PostureTask,
    SelfCollision,
    Solver,
)
from robotix.meshes.solids import PackedSolids
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.robots.state import KinematicState

__all__ = ["MAX_GAPS", "ObstacleAvoidance", "SelfAvoidance", "scaled_shape"]

MAX_GAPS = 32  # evaluated per tick
MAX_DISTANCE = 10.0  # m
MAX_JUMP = 0.25  # m per tick; a longer step is a relocation, not a motion
REST_TOLERANCE = 1e-7  # m or rad per tick
NOT_COLLECTED = (-1, -1)
AHEAD = "|ahead"  # behind the name of an obstacle: where it will be in the next tick


@dataclass(frozen=True, eq=False)
class _Piece:
    """One solid of an obstacle."""

    key: str
    node: Node
    shape: Shape
    distance: float


class ObstacleAvoidance:
    """Keeps one robot at a distance from its obstacles."""

    def __init__(self, robot: KinematicState, own: SelfCollision | None = None) -> None:
        """Start without obstacles; raise ValueError for a robot that has no solids.

        With `own`, the robot also keeps its bodies apart while it has obstacles.
        """
        model = robot.model
        self._robot = robot
        self.distances: dict[str, float] = {}  # m, by node
        self.clearance = Clearance(model, own=own, max_gaps=MAX_GAPS)
        self._task = PostureTask(np.array(robot.q), gain=1 / robot.dt)
        self._solver = Solver(
            model,
            [self._task],
            dt=robot.dt,
            damping=Damping(0.0, "constant"),
            max_inequalities=MAX_GAPS,
        )
        self._clear_q: Array | None = None  # the result of the last `step`
        self._pieces: list[_Piece] = []
        self._nodes: list[Node] = []  # of all branches
        self._rows = np.zeros(0, dtype=np.int64)  # of the robot and its obstacles, in the graph
        self._collected = NOT_COLLECTED
        self._node_rows: Array = np.zeros((0, 13))
        self._tick = -1
        self._rotations: Array = np.zeros((0, 3, 3))  # node_from_piece
        self._offsets: Array = np.zeros((0, 3))
        self._placed: dict[str, tuple[Array, Array]] = {}  # base_from_piece in the last tick
        self._is_moving = False

    @property
    def is_active(self) -> bool:
        """Whether there are obstacles."""
        return bool(self._pieces)

    # -- the list of obstacles --------------------------------------------------------------

    def add(self, node: str, distance: float) -> None:
        """Keep a distance, in m, from a node and all below it."""
        graph = self._robot.context.graph
        branch = graph[node]
        if not (math.isfinite(distance) and 0 <= distance <= MAX_DISTANCE):
            raise BadField("distance", f"between 0 and {MAX_DISTANCE:g} m", distance)
        solids = [solid for each in self._branch(branch) for solid in each.solids]
        if not solids:
            raise ValueError(f"{node!r} has no solids to keep clear of")
        PackedSolids.of(map(self._located, solids), with_sides=True)  # raises for broken meshes
        self.distances[node] = distance
        self._collected = NOT_COLLECTED

    def remove(self, node: str) -> None:
        """Remove an obstacle."""
        self.distances.pop(node, None)
        self._collected = NOT_COLLECTED

    def _branch(self, node: Node) -> Iterator[Node]:
        """Yield the collidable nodes of an obstacle, without the robot and what it carries."""
        own = self._robot.node
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if each is own:
                continue
            waiting.extend(each.children)
            if each.attributes.collidable and each.robot != self._robot.name:
                yield each

    # -- their poses ------------------------------------------------------------------------

    def update(self) -> None:
        """Update the poses and velocities of the obstacles, once per tick."""
        graph, tick = self._robot.context.graph, self._robot.context.tick
        if self._tick == tick:
            return
        is_next = self._tick == tick - 1
        self._tick = tick
        graph.update()
        now = graph.structure, sum(node.revision for node in self._nodes)
        if self._collected != now:
            self._collect(graph)
            self._collected = graph.structure, sum(node.revision for node in self._nodes)
        rows = graph.world[self._rows]
        if not self._is_moving and np.array_equal(rows, self._node_rows):
            return
        self._place(rows, is_next=is_next)
        self._node_rows = rows

    def _collect(self, graph: Graph) -> None:
        """List the solids of all obstacles; drop nodes that were removed."""
        self._pieces.clear()
        self._nodes.clear()
        for name, distance in tuple(self.distances.items()):
            if name not in graph:
                del self.distances[name]
                self._robot.say(f"{name!r} is gone, and no longer an obstacle")
                continue
            self._nodes.extend(graph[name].branch())
            for node in self._branch(graph[name]):
                for index, shape in enumerate(node.solids):
                    key = f"{name}|{node.name}|{index}"
                    self._pieces.append(_Piece(key, node, self._located(shape), distance))
        rows = [self._robot.node.row, *(piece.node.row for piece in self._pieces)]
        self._rows = np.array(rows, dtype=np.int64)
        self._node_rows = np.zeros((0, 13))  # forces an update
        poses = [piece.shape.pose for piece in self._pieces]
        self._rotations = np.array([pose.rotation for pose in poses]).reshape(-1, 3, 3)
        self._offsets = np.array([pose.translation for pose in poses]).reshape(-1, 3)

    def _located(self, shape: Shape) -> Shape:
        """Return a solid; the file of a mesh may be relative to the scene's folder."""
        if not isinstance(shape, Mesh):
            return shape
        return replace(shape, file=str(self._robot.context.files.assets / shape.path))

    def _place(self, rows: Array, *, is_next: bool) -> None:
        """Set the solids of the clearance, with poses and velocities in the robot's base frame.

        Only those that moved are set again; all are packed again when one comes or goes.
        """
        base, known = rows[0], self.clearance.obstacles
        before = self._placed if is_next else {}
        changed = self._has_changed(rows)
        rotations, centres, scales = self._in_base(base, rows[1:])
        placed, moved = {}, dict[str, Obstacle]()
        for k, piece in enumerate(self._pieces):
            placed[piece.key] = rotations[k], centres[k]
            if changed[k] or piece.key not in known:
                scale = float(scales[k])
                grown = piece.shape if scale == 1.0 else scaled_shape(piece.shape, scale)
                shape = replace(grown, pose=Pose(rotations[k], centres[k]))
                moved[piece.key] = Obstacle(shape, piece.distance / float(base[12]))
        self._placed = placed
        self._set(moved)
        self._set_ahead(self._velocities({key: before[key] for key in moved if key in before}))

    def _has_changed(self, rows: Array) -> NDArray[np.bool_]:
        """Return which pieces have moved in the robot's base frame since the last tick, (n,)."""
        last = self._node_rows
        if rows.shape == last.shape and np.array_equal(rows[0], last[0]):
            return np.asarray((rows[1:] != last[1:]).any(axis=1))
        return np.ones(len(rows) - 1, dtype=bool)

    def _set(self, moved: dict[str, Obstacle]) -> None:
        """Set the obstacles that moved; remove those that are no longer pieces."""
        gone = [
            key for key in self.clearance.obstacles if key.removesuffix(AHEAD) not in self._placed
        ]
        self.clearance.remove_obstacles(gone)
        self.clearance.set_obstacles(moved)

    def _set_ahead(self, velocities: dict[str, Array]) -> None:
        """Avoid both the current and the next position of what moves.

        It may move away from one body of the robot and towards another.
        """
        known = self.clearance.obstacles
        rested = [
            key
            for key in known
            if key.endswith(AHEAD) and key.removesuffix(AHEAD) not in velocities
        ]
        self.clearance.remove_obstacles(rested)
        self.clearance.set_obstacles(
            {f"{key}{AHEAD}": replace(known[key], velocity=v) for key, v in velocities.items()}
        )
        self._is_moving = bool(velocities)

    def _velocities(self, before: dict[str, tuple[Array, Array]]) -> dict[str, Array]:
        """Return the velocities of the moving pieces, at their points nearest to the robot."""
        shifts: dict[str, Array] = {}
        spins: dict[str, Array] = {}
        for key, (old_R, old_t) in before.items():
            R, t = self._placed[key]
            shift, rotation = t - old_t, R @ old_R.T
            length, rotates = (
                float(np.linalg.norm(shift)),
                rotation.trace() < 3.0 - REST_TOLERANCE**2,
            )
            if length > MAX_JUMP or (length < REST_TOLERANCE and not rotates):
                continue
            shifts[key] = shift
            if rotates:
                spins[key] = log_rotation(rotation)
        for key, point in self._facing(spins).items():
            shifts[key] = shifts[key] + np.cross(spins[key], point - self._placed[key][1])
        return {key: shift / self._robot.dt for key, shift in shifts.items()}

    def _facing(self, keys: Collection[str]) -> dict[str, Array]:
        """Return the points of some pieces that are nearest to the robot, for evaluated gaps."""
        if not keys:
            return {}
        tightest_last = reversed(self.clearance.gaps(self._robot.posture))
        return {gap.obstacle: gap.facing for gap in tightest_last if gap.obstacle in keys}

    def _in_base(self, base: Array, rows: Array) -> tuple[Array, Array, Array]:
        """Return rotations, centres and scales of all pieces in the base frame."""
        R, size = base[:9].reshape(3, 3), base[12]
        rotations = R.T @ rows[:, :9].reshape(-1, 3, 3)
        scales = rows[:, 12] / size
        offsets = (rotations @ self._offsets[:, :, None])[:, :, 0] * scales[:, None]
        centres = (rows[:, 9:12] - base[9:12]) @ R / size + offsets
        return rotations @ self._rotations, centres, scales

    # -- avoiding ---------------------------------------------------------------------------

    def step(self, solver: Solver) -> Array:
        """Return the next joint positions of a solver, clear of all obstacles."""
        self.update()
        robot = self._robot
        if not self._pieces:
            solver.set_inequalities(np.zeros((0, robot.model.n_dof)), np.zeros(0))
            self._clear_q = solver.step(robot.q, robot.dq).q
        else:
            self._clear_q = self.clearance.step(solver, robot.q, robot.dq).q
        return self._clear_q

    def project(self, desired: Array) -> Array:
        """Return the joint positions nearest to `desired` that are reachable and clear."""
        if desired is self._clear_q or not np.isfinite(desired).all():
            return desired
        self.update()
        if not self._pieces:
            return desired
        self._solver.replace(0, replace(self._task, target=desired))
        return self.step(self._solver)


class SelfAvoidance:
    """Keeps the bodies of one robot apart, whatever drives it."""

    def __init__(self, robot: KinematicState, own: SelfCollision) -> None:
        """Keep the distances that `own` asks for."""
        self._robot, self.own = robot, own
        self._clearance = Clearance(robot.model, own=own, max_gaps=MAX_GAPS)
        self._task = PostureTask(np.array(robot.q), gain=1 / robot.dt)
        self._solver = Solver(
            robot.model,
            [self._task],
            dt=robot.dt,
            damping=Damping(0.0, "constant"),
            max_inequalities=MAX_GAPS,
        )

    def project(self, desired: Array) -> Array:
        """Return the joint positions nearest to `desired` at which no bodies are too near."""
        robot = self._robot
        if not np.isfinite(desired).all():
            return desired
        if not len(self.own.rows(Posture(robot.model, desired), influence=0.0)):
            return desired
        self._solver.replace(0, replace(self._task, target=desired))
        return self._clearance.step(self._solver, robot.q, robot.dq).q


def scaled_shape(shape: Shape, scale: float) -> Shape:
    """Return a solid with its size and position scaled."""
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
            return Mesh(shape.uri, (x, y, z), pose, shape.file)
