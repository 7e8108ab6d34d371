"""Obstacle avoidance: the nearest points of the robot are constrained to keep their distance.

Every gap with a slack s = distance − distance to keep below `influence` adds the inequality

    n · (J dq − v_obstacle) ≥ −s / dt  for s > 0,    ≥ −s · ESCAPE_RATE  for s ≤ 0,

to the solver, where n is the unit normal and J the Jacobian of the nearest point; inequalities rank
above all tasks. Because a tick is finite and nearest points jump, the step is then checked with the
exact distances: a solid that would come too near adds an inequality for the point with which it
would touch, and as a last resort the step is shortened.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from robotix.collision.distance import ROW_SIZE
from robotix.errors import BadModel, UnknownName
from robotix.geometry import Array, Mesh, Pose, Shape
from robotix.kinematics.criteria import SideCriterion
from robotix.kinematics.kernels import clearance as ck
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.mesh_gaps import MeshGaps
from robotix.kinematics.posture import Posture
from robotix.kinematics.solver import Solver, Step
from robotix.meshes.asset import load_mesh
from robotix.meshes.solids import PackedSolids
from robotix.model import Model

__all__ = ["Clearance", "Gap", "Obstacle", "ObstacleDistance"]

PENETRATION_TOLERANCE = 2e-4  # m by which a step may fall short of the distance to keep
MESH_INFLUENCE = 0.04  # m; meshes farther away are looked at only after the step
ESCAPE_RATE = 10.0  # 1/s, at which a negative slack is reduced
MAX_CUTS = 5  # rounds of adding points that would come too near
MAX_ESCAPE_SPEED = 0.25  # m/s, at which a robot that is too near moves away at most
RETREAT_TIME = 0.1  # s, in which a joint of a robot that is too near may reach its full speed
MAX_RETREAT_RATE = 3.0  # rad/s or m/s, the full speed where a joint has no limit or a higher one
TOO_NEAR = 5e-4  # m below the distance to keep, from which a step is reported as too near
RETREAT_SWEEPS = 40  # over all inequalities, to find a retreat


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A solid in the base frame, the distance to keep from it, and how it moves."""

    shape: Shape
    distance: float = 0.05  # m
    velocity: Array = field(default_factory=lambda: np.zeros(3))  # m/s

    def __post_init__(self) -> None:
        """Raise ValueError unless the distance is finite and ≥ 0 and the velocity finite."""
        if not (math.isfinite(self.distance) and self.distance >= 0):
            raise ValueError(f"distance must be finite and not negative, got {self.distance}")
        velocity = np.array(self.velocity, dtype=float)
        if velocity.shape != (3,) or not np.isfinite(velocity).all():
            raise ValueError(f"velocity must be three finite numbers, got {self.velocity!r}")
        object.__setattr__(self, "velocity", velocity)


@dataclass(frozen=True, eq=False)
class Gap:
    """How near one of the robot's bodies is to an obstacle."""

    body: str
    obstacle: str
    distance: float  # m, negative when they overlap
    point: Array  # (3,), on the body
    facing: Array  # (3,), on the obstacle
    normal: Array  # (3,), from the obstacle to the body


class Clearance:
    """Keeps a model at a distance from obstacles, above all its tasks."""

    def __init__(
        self,
        model: Model,
        obstacles: Mapping[str, Obstacle] | None = None,
        *,
        influence: float = 0.1,
        max_gaps: int = 32,
    ) -> None:
        """Collect the moving solids; gaps with a slack below `influence` (m) are constrained."""
        if not influence > 0 or max_gaps < 1:
            raise ValueError(
                f"influence and max_gaps must be positive, got {influence} and {max_gaps}"
            )
        self.model = model
        self.influence = influence
        self.obstacles: dict[str, Obstacle] = dict(obstacles or {})
        self._tables = tables_of(model)
        solids, links, self._bodies = _moving_solids(model)
        if not solids:
            raise BadModel(
                f"model {model.name!r}", "has no solids that move; give its bodies collision shapes"
            )
        self._solids = PackedSolids.of(solids)
        self._n_plain = int((~self._solids.is_mesh).sum())  # solids that are no meshes come first
        self._links = np.array(links, dtype=np.int64)
        self._placed, self._pair = np.empty_like(self._solids.rows), np.empty(10)
        self._gaps = np.empty((max_gaps, ck.N_GAP))
        self._normals, self._bounds = np.empty((max_gaps, model.n_dof)), np.empty(max_gaps)
        self._pack()

    @property
    def max_gaps(self) -> int:
        """Largest number of inequalities; the solver needs as many `max_inequalities`."""
        return len(self._gaps)

    def set_obstacle(self, name: str, obstacle: Obstacle) -> None:
        """Add an obstacle, or move one."""
        if isinstance(obstacle.shape, Mesh):
            load_mesh(obstacle.shape.path)  # raises if it cannot be read
        self.obstacles[name] = obstacle
        self._pack()

    def remove_obstacle(self, name: str) -> None:
        """Remove an obstacle."""
        if name not in self.obstacles:
            raise UnknownName("obstacle", name, self.obstacles)
        del self.obstacles[name]
        self._pack()

    def _pack(self) -> None:
        """Pack all obstacles; meshes, which the compiled kernel does not know, come last."""
        order = sorted(self.obstacles.items(), key=lambda item: isinstance(item[1].shape, Mesh))
        obstacles = [obstacle for _, obstacle in order]
        self._names = tuple(name for name, _ in order)
        packed = PackedSolids.of((each.shape for each in obstacles), with_sides=True)
        self._rows, self._outer = packed.rows, packed.radii
        self._n_plain_obstacles = int((~packed.is_mesh).sum())
        self._mesh_gaps = MeshGaps(self._solids, self._links, packed)
        self._distances = np.array([each.distance for each in obstacles], dtype=float)
        speeds = [each.velocity for each in obstacles]
        self._speeds = np.array(speeds, dtype=float).reshape(-1, 3)

    # -- measuring --------------------------------------------------------------------------

    def _find(
        self, posture: Posture, *, influence: float, ahead: float = 0.0, quick: bool = False
    ) -> tuple[int, float]:
        """Fill the list of gaps; obstacles stand where they will be `ahead` seconds later.

        `quick` looks at meshes only as far as a solid may come in one tick.
        """
        rows = self._rows
        if ahead:
            rows = rows.copy()
            rows[:, ROW_SIZE - 3 :] += ahead * self._speeds
        n, m = self._n_plain, self._n_plain_obstacles
        count, least = ck.find_gaps(
            posture.world, self._solids.rows[:n], self._links[:n], self._solids.radii[:n],
            self._placed[:n], rows[:m], self._outer[:m], self._distances[:m], influence, self._pair,
            self._gaps,
        )  # fmt: skip
        if self._mesh_gaps.is_empty:
            return int(count), float(least)
        near = min(influence, MESH_INFLUENCE) if quick else influence
        return self._mesh_gaps.add(
            posture.world, rows, self._distances, influence=near, gaps=self._gaps,
            count=int(count), least=float(least),
        )  # fmt: skip

    def gaps(self, posture: Posture) -> tuple[Gap, ...]:
        """Return the gaps within the influence, tightest first."""
        count, _ = self._find(posture, influence=self.influence)
        rows = self._gaps[:count]
        return tuple(self._gap(row.copy()) for row in rows[np.argsort(rows[:, ck.SLACK])])

    def _gap(self, row: Array) -> Gap:
        obstacle = int(row[ck.OBSTACLE])
        return Gap(
            body=self._bodies[int(row[ck.SOLID])],
            obstacle=self._names[obstacle],
            distance=float(row[ck.SLACK] + self._distances[obstacle]),
            point=row[ck.POINT : ck.POINT + 3],
            facing=row[ck.FACING : ck.FACING + 3],
            normal=row[ck.NORMAL : ck.NORMAL + 3],
        )

    def slack(self, posture: Posture) -> float:
        """Return the smallest distance minus the distance to keep; infinite without obstacles."""
        return self._find(posture, influence=math.inf)[1]

    def slack_gradient(self, posture: Posture) -> Array:
        """Return the gradient of the smallest slack, (n_dof,); zero beyond the influence."""
        gradient, t = np.zeros(self.model.n_dof), self._tables
        count, _ = self._find(posture, influence=self.influence)
        if count:
            row = self._gaps[:count][np.argmin(self._gaps[:count, ck.SLACK])]
            link = self._links[int(row[ck.SOLID])]
            ck.gap_row(
                posture.columns, t.column_dof, t.column_ratio,
                t.support[t.support_start[link] : t.support_start[link + 1]],
                row[ck.POINT : ck.POINT + 3], row[ck.NORMAL : ck.NORMAL + 3], gradient,
            )  # fmt: skip
        return gradient

    # -- keeping ----------------------------------------------------------------------------

    def step(self, solver: Solver, q: ArrayLike, dq: ArrayLike | None = None) -> Step:
        """Return the solver's step from `q` that keeps its distance from all obstacles.

        The solver must have been made with `max_inequalities` of at least `max_gaps`.
        """
        if solver.model is not self.model or solver.max_inequalities < self.max_gaps:
            raise ValueError(
                f"the solver must be for {self.model.name!r} and have max_inequalities of at least "
                f"{self.max_gaps}"
            )
        start = Posture(self.model, q)
        first, least = self._find(start, influence=self.influence, quick=True)
        self._make_rows(start, first, solver.dt)
        # The slack never gets worse than now, and a negative one recovers.
        recovery = min(-least * min(ESCAPE_RATE * solver.dt, 0.5), MAX_ESCAPE_SPEED * solver.dt)
        floor = min(-PENETRATION_TOLERANCE, least + recovery if least < 0 else 0.0)
        step, slack = self._find_step(solver, start, floor=floor, first=first, dq=dq)
        if least < -TOO_NEAR and dq is not None:
            step = self._calmed(start, step, np.asarray(dq, dtype=float), solver.dt)
            slack = self._slack_after(step, solver.dt)[1]
        is_near = slack < -TOO_NEAR and step.status != "bad input"
        return replace(step, slack=slack, status="too near" if is_near else step.status)

    def _make_rows(self, start: Posture, count: int, dt: float) -> None:
        """Turn the gaps into inequalities; where a slack is negative, the escape is not sudden."""
        t = self._tables
        ck.gap_rows(
            self._gaps, count, start.columns, t.column_dof, t.column_ratio, t.support_start,
            t.support, self._links, self._speeds, dt, ESCAPE_RATE, self._normals, self._bounds,
        )  # fmt: skip
        sudden = -self._gaps[:count, ck.SLACK] * ESCAPE_RATE - MAX_ESCAPE_SPEED
        self._bounds[:count] -= np.maximum(sudden, 0.0)

    def _find_step(
        self, solver: Solver, start: Posture, *, floor: float, first: int, dq: ArrayLike | None
    ) -> tuple[Step, float]:
        """Return a step that leaves a slack of at least `floor`, if there is one, and its slack."""
        count, step = first, self._solve(solver, first, start.q, dq)
        for _ in range(MAX_CUTS):
            found, slack = self._slack_after(step, solver.dt)
            if slack >= floor:
                return step, slack
            count = self._cut(start, Posture(self.model, step.q), found, count, solver.dt)
            step = self._solve(solver, count, start.q, dq)
        step = self._shorten(start, step, solver, floor=floor, count=first)
        return step, self._slack_after(step, solver.dt)[1]

    def _calmed(self, start: Posture, step: Step, before: Array, dt: float) -> Step:
        """Return the step of a robot that is too near without sudden motion.

        Joints may stop at once, but take their time to gain speed.
        """
        change = np.minimum(self.model.velocity, MAX_RETREAT_RATE) * dt / RETREAT_TIME
        low, high = np.minimum(before, 0.0) - change, np.maximum(before, 0.0) + change
        calm = np.clip(step.dq, low, high)
        return step if (calm == step.dq).all() else self._moved(start, step, calm, dt)

    def _solve(self, solver: Solver, count: int, q: ArrayLike, dq: ArrayLike | None) -> Step:
        solver.set_inequalities(self._normals[:count], self._bounds[:count])
        return solver.step(q, dq)

    def _slack_after(self, step: Step, dt: float) -> tuple[int, float]:
        return self._find(Posture(self.model, step.q), influence=0.0, ahead=dt)

    def _cut(self, start: Posture, end: Posture, found: int, count: int, dt: float) -> int:
        """Add inequalities for points that would come too near, at most `max_gaps`."""
        t = self._tables
        for row in self._gaps[:found].copy():
            if count == self.max_gaps:
                break
            link, normal = int(self._links[int(row[ck.SOLID])]), row[ck.NORMAL : ck.NORMAL + 3]
            on_link = _link_pose(end, link).inverse().apply(row[ck.POINT : ck.POINT + 3])
            point = _link_pose(start, link).apply(on_link)
            ck.gap_row(
                start.columns, t.column_dof, t.column_ratio,
                t.support[t.support_start[link] : t.support_start[link + 1]], point, normal,
                self._normals[count],
            )  # fmt: skip
            distance = float(normal @ (point - row[ck.FACING : ck.FACING + 3]))
            self._bounds[count] = (self._distances[int(row[ck.OBSTACLE])] - distance) / dt
            count += 1
        return count

    def _retreat(self, solver: Solver, start: Posture, count: int) -> Array:
        """Return the slowest motion within inequalities and limits, tasks aside [Hildreth1957]."""
        low, high = _velocity_box(solver, start.q)
        dq, pushes = np.zeros(self.model.n_dof), np.zeros(count)
        ups, downs = np.zeros_like(dq), np.zeros_like(dq)
        squares = np.maximum(np.sum(self._normals[:count] ** 2, axis=1), 1e-9)
        for _ in range(RETREAT_SWEEPS):
            for i in range(count):
                short = float(self._bounds[i] - self._normals[i] @ dq)
                change = max(short / squares[i], -pushes[i])
                pushes[i] += change
                dq += change * self._normals[i]
            up = np.maximum(low - dq, -ups)
            dq, ups = dq + up, ups + up
            down = np.maximum(dq - high, -downs)
            dq, downs = dq - down, downs + down
        return np.clip(dq, low, high)

    def _shorten(
        self, start: Posture, step: Step, solver: Solver, *, floor: float, count: int
    ) -> Step:
        """Return the longest part of the step that keeps its distance.

        Zero velocity does while obstacles stand still; from an approaching one the robot retreats.
        """
        still, base = np.zeros_like(step.dq), np.zeros_like(step.dq)
        slack = self._slack_after(self._moved(start, step, still, solver.dt), solver.dt)[1]
        if slack < floor:
            retreat = self._retreat(solver, start, count)
            away = self._slack_after(self._moved(start, step, retreat, solver.dt), solver.dt)[1]
            base, floor = (retreat, min(floor, away)) if away > slack else (still, slack)
        low, high = 0.0, 1.0
        for _ in range(12):
            fraction = (low + high) / 2
            part = self._moved(start, step, base + fraction * (step.dq - base), solver.dt)
            clear = self._slack_after(part, solver.dt)[1] >= floor
            low, high = (fraction, high) if clear else (low, fraction)
        return self._moved(start, step, base + low * (step.dq - base), solver.dt)

    def _moved(self, start: Posture, step: Step, dq: Array, dt: float) -> Step:
        """Return the step with another velocity."""
        q = np.empty_like(step.q)
        kernels.integrate(self._tables.link_ints, np.array(start.q), dq, dt, q)
        lower, upper = self.model.lower, self.model.upper
        inside = (start.q >= lower) & (start.q <= upper)
        q = np.where(inside, np.clip(q, lower, upper), q)
        return replace(step, q=q, dq=dq, status="relaxed")


@dataclass(frozen=True, eq=False)
class ObstacleDistance(SideCriterion):
    """Raises the smallest slack to the obstacles, H = min(slack, influence), in m."""

    clearance: Clearance

    def value(self, posture: Posture) -> float:
        """Return the smallest slack, at most the influence."""
        return min(self.clearance.slack(posture), self.clearance.influence)

    def gradient(self, posture: Posture) -> Array:
        """Return its gradient, (n_dof,)."""
        return self.clearance.slack_gradient(posture)


def _velocity_box(solver: Solver, q: Array) -> tuple[Array, Array]:
    """Return the velocities after which joints are inside their limits, rates kept."""
    lower, upper = solver.arena.flat(FloatBlock.LOWER), solver.arena.flat(FloatBlock.UPPER)
    rates = solver.arena.flat(FloatBlock.RATE)
    low = np.clip((lower - q) / solver.dt, -rates, rates)
    return low, np.clip((upper - q) / solver.dt, -rates, rates)


def _link_pose(posture: Posture, link: int) -> Pose:
    row = posture.world[link]
    return Pose(row[:9].reshape(3, 3), row[9:])


def _moving_solids(model: Model) -> tuple[list[Shape], list[int], list[str]]:
    """Return the solids of moving bodies in their links' frames, their links and their bodies.

    Meshes come last.
    """
    tables = tables_of(model)
    found: list[tuple[Shape, int, str]] = []
    for index, body in enumerate(model.bodies):
        link = int(tables.body_link[index])
        for shape in body.collision if link >= 0 else ():
            solid = replace(shape, pose=tables.offset(index) @ shape.pose)
            found.append((solid, link, body.name))
    found.sort(key=lambda each: isinstance(each[0], Mesh))
    return [solid for solid, _, _ in found], [link for _, link, _ in found], [b for *_, b in found]
