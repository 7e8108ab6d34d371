"""How near the bodies of people are to a robot, and how fast both move.

People are measured by their collision shapes, robots by those of their moving links, of which a
mesh counts as the box around it; what a robot holds is not seen. Speeds are differences to the last
tick. The speed of a robot or a person is that of the fastest corner of the boxes around their
solids, so no point of them is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from robotix.collision.distance import ROW_SIZE, place_shapes
from robotix.collision.distance_kernels import HALF, ROTATION
from robotix.geometry import Array, Box, Capsule, Cylinder, Mesh, Pose, Shape, Sphere
from robotix.kinematics import Posture
from robotix.kinematics.kernels import clearance as ck
from robotix.kinematics.obstacles.obstacle import moving_solids
from robotix.meshes.solids import PackedSolids
from robotix.scene.robots.state import KinematicState

__all__ = ["PersonSensor", "Proximity", "SolidCorners"]

RANGE = 3.0  # m; who is farther away is not seen
SIGNS = np.array(list(product((-1.0, 1.0), repeat=3)))


@dataclass(frozen=True, eq=False)
class Proximity:
    """How near a part of a person is to the robot, in the base frame of the robot."""

    person: str
    segment: str
    body: str  # of the robot
    distance: float  # m, negative when they overlap
    point: Array  # (3,), m, of the robot
    normal: Array  # (3,), from the person to the robot
    robot_speed: float  # m/s, of this point towards the person
    person_speed: float  # m/s, of the point of the person towards the robot

    @property
    def closing_speed(self) -> float:
        """How fast the distance shrinks, m/s."""
        return self.robot_speed + self.person_speed

    @property
    def time_to_contact(self) -> float:
        """Seconds until they touch if both go on; infinite if they part."""
        speed = self.closing_speed
        return max(self.distance, 0.0) / speed if speed > 1e-9 else np.inf


class SolidCorners:
    """Corners of boxes around solids that are fixed on some of many bodies."""

    def __init__(self, shapes: Sequence[Shape], bodies: Sequence[int]) -> None:
        self._points = np.array([_corners(shape) for shape in shapes]).reshape(-1, 3)
        self._bodies = np.repeat(np.array(bodies, dtype=np.int64), len(SIGNS))

    def at(self, rows: Array) -> Array:
        """Return them where bodies are at rows of rotation and translation (n, 12): (k, 3)."""
        own = rows[self._bodies]
        turned = np.einsum("nij,nj->ni", own[:, :9].reshape(-1, 3, 3), self._points)
        return np.asarray(turned + own[:, 9:12])


class _People:
    """The solids of all people, and where they are in the base frame of a robot."""

    def __init__(self, people: Sequence[KinematicState]) -> None:
        links = [(each, body) for each in people for body in each.model.bodies if body.collision]
        self.nodes = [each.links[body.name] for each, body in links]
        solids = [(s, k) for k, (_, body) in enumerate(links) for s in body.collision]
        if not solids:
            raise ValueError("there are no people to keep clear of; add one to `people`")
        self.owners = [(links[k][0].name, links[k][1].name) for _, k in solids]
        packed = PackedSolids.of(shape for shape, _ in solids)
        self.radii, self._local = packed.radii, packed.rows
        self.bodies = np.array([k for _, k in solids], dtype=np.int64)
        self.placed = np.empty_like(packed.rows)
        self.corners = SolidCorners([shape for shape, _ in solids], self.bodies.tolist())

    def place(self, base: Array, world: Array) -> Array:
        """Place all solids; return the bodies in the base frame, (n, 12)."""
        R = base[:9].reshape(3, 3)
        rows = world[[node.row for node in self.nodes]]
        turned = np.einsum("ji,njk->nik", R, rows[:, :9].reshape(-1, 3, 3))
        out = np.concatenate([turned.reshape(-1, 9), (rows[:, 9:12] - base[9:12]) @ R], axis=1)
        place_shapes(self._local, self.bodies, out, self.placed)
        return out


class PersonSensor:
    """Measures the people around one robot, once a tick."""

    def __init__(self, robot: KinematicState, people: Sequence[KinematicState]) -> None:
        self._robot, self._people = robot, _People(people)
        solids, links, self._bodies = moving_solids(robot.model)
        shapes = [_as_box(robot, shape) for shape in solids]
        if not shapes:
            raise ValueError(f"{robot.name!r} has no solids that move; people cannot be near it")
        packed = PackedSolids.of(shapes)
        self._rows, self._radii = packed.rows, packed.radii
        self._links = np.array(links, dtype=np.int64)
        self._placed, self._pair = np.empty((len(shapes), ROW_SIZE)), np.empty(10)
        self._gaps = np.empty((len(shapes) * len(self._people.owners), ck.N_GAP))
        self._keep = np.zeros(len(self._people.owners))
        self._corners = SolidCorners(shapes, links)
        self._before: tuple[Array, Array] | None = None  # rows of links and of bodies of people
        self.person_speed = 0.0  # m/s, of the fastest point of all people

    def speed_between(self, q: Array, other: Array) -> float:
        """Return the speed of the fastest point of the robot if it moves so in a tick, m/s."""
        model = self._robot.model
        a, b = (self._corners.at(Posture(model, each).world) for each in (q, other))
        return _fastest(a, b) / self._robot.dt

    def measure(self) -> tuple[Proximity, ...]:
        """Return every part of a person within `RANGE`, nearest first."""
        robot, graph, dt = self._robot, self._robot.context.graph, self._robot.dt
        graph.update()
        bodies = self._people.place(graph.world[robot.node.row], graph.world)
        links = np.array(robot.posture.world)
        before, self._before = self._before, (links, bodies)
        corners = self._people.corners
        self.person_speed = 0.0
        if before is not None:
            self.person_speed = _fastest(corners.at(before[1]), corners.at(bodies)) / dt
        gaps = self._gaps[: self._find(robot.posture)[0]]
        gaps = gaps[np.argsort(gaps[:, ck.SLACK], kind="stable")]
        _, first = np.unique(gaps[:, ck.OBSTACLE], return_index=True)
        return self._proximities(gaps[np.sort(first)], before)

    def _find(self, posture: Posture) -> tuple[int, float]:
        count, least = ck.find_gaps(
            posture.world, self._rows, self._links, self._radii, self._placed,
            self._people.placed, self._people.radii, self._keep, RANGE, self._pair, self._gaps,
        )  # fmt: skip
        return int(count), float(least)

    def _proximities(
        self, gaps: Array, before: tuple[Array, Array] | None
    ) -> tuple[Proximity, ...]:
        solids, others = (gaps[:, k].astype(np.int64) for k in (ck.SOLID, ck.OBSTACLE))
        points, facing = gaps[:, ck.POINT : ck.FACING], gaps[:, ck.FACING : ck.NORMAL]
        normals = gaps[:, ck.NORMAL :]
        own = towards = np.zeros(len(gaps))
        if before is not None and self._before is not None:
            links, bodies, dt = self._links[solids], self._people.bodies[others], self._robot.dt
            moved = _shifts(before[0][links], self._before[0][links], points)
            own = (normals * moved).sum(axis=1) / -dt
            moved = _shifts(before[1][bodies], self._before[1][bodies], facing)
            towards = (normals * moved).sum(axis=1) / dt
        distances, found = gaps[:, ck.SLACK].tolist(), []
        for k, (solid, other) in enumerate(zip(solids.tolist(), others.tolist(), strict=True)):
            person, segment = self._people.owners[other]
            part = Proximity(
                person, segment, self._bodies[solid], distances[k], points[k], normals[k],
                float(own[k]), float(towards[k]),
            )  # fmt: skip
            found.append(part)
        return tuple(found)

    def distance_at(self, q: Array) -> float:
        """Return the least distance of the robot in another posture from people as last seen."""
        return self._find(Posture(self._robot.model, q))[1]


def _fastest(before: Array, after: Array) -> float:
    """Return the longest way of a point, m."""
    return float(np.sqrt(((after - before) ** 2).sum(axis=1).max(initial=0.0)))


def _shifts(before: Array, after: Array, points: Array) -> Array:
    """Return how far points of bodies, now at `points`, have moved between two rows, (n, 3)."""
    old, new = (rows[:, :9].reshape(-1, 3, 3) for rows in (before, after))
    local = np.einsum("nji,nj->ni", new, points - after[:, 9:12])
    return np.asarray(points - np.einsum("nij,nj->ni", old, local) - before[:, 9:12])


def _as_box(robot: KinematicState, shape: Shape) -> Shape:
    """Return a solid as it is, but a mesh as the box around it."""
    if not isinstance(shape, Mesh):
        return shape
    file = str(robot.context.files.assets / shape.path)  # it may be relative to the scene's folder
    packed = PackedSolids.of([replace(shape, file=file)])
    size = 2 * packed.rows[0, HALF:ROTATION]
    return Box(size, shape.pose @ Pose(translation=packed.middles[0]))


def _corners(shape: Shape) -> Array:
    """Return the corners of a box around a solid, in the frame that it is given in, (8, 3)."""
    match shape:
        case Sphere():
            half = np.full(3, shape.radius)
        case Capsule():
            half = np.array([shape.radius, shape.radius, shape.length / 2 + shape.radius])
        case Cylinder():
            half = np.array([shape.radius, shape.radius, shape.length / 2])
        case Box():
            half = np.asarray(shape.size) / 2
        case _:
            raise ValueError(f"a person or robot is not made of {type(shape).__name__}")
    return shape.pose.apply(SIGNS * half)
