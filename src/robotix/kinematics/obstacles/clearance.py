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
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadModel
from robotix.geometry import Array, Pose
from robotix.kinematics.kernels import clearance as ck
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.obstacles.mesh_gaps import insert_gap
from robotix.kinematics.obstacles.obstacle import Gap, Obstacle, moving_solids
from robotix.kinematics.obstacles.self_collision import SelfCollision
from robotix.kinematics.obstacles.table import ObstacleTable
from robotix.kinematics.posture import Posture
from robotix.kinematics.solver import Solver, Status, Step
from robotix.meshes.solids import PackedSolids
from robotix.model import Model

__all__ = ["Clearance"]

PENETRATION_TOLERANCE = 2e-4  # m by which a step may fall short of the distance to keep
MESH_INFLUENCE = 0.015  # m; meshes farther away are looked at only after the step
ESCAPE_RATE = 10.0  # 1/s, at which a negative slack is reduced
MAX_CUTS = 3  # rounds of adding points that would come too near
MAX_ESCAPE_SPEED = 0.25  # m/s, at which a robot that is too near moves away at most
RETREAT_TIME = 0.1  # s, in which a joint of a robot that is too near may reach its full speed
MAX_RETREAT_RATE = 3.0  # rad/s or m/s, the full speed where a joint has no limit or a higher one
TOO_NEAR = 5e-4  # m below the distance to keep, from which a step is reported as too near
CALM_FRACTIONS = (1.0, 0.5, 0.25, 0.0)  # of a step without sudden reversals, tried in turn
SHORTENINGS = 5  # halvings, to find the longest part of a step that is clear
RETREAT_SWEEPS = 40  # over all inequalities, to find a retreat


class Clearance:
    """Keeps a model at a distance from obstacles, above all its tasks."""

    def __init__(
        self,
        model: Model,
        obstacles: Mapping[str, Obstacle] | None = None,
        *,
        own: SelfCollision | None = None,
        influence: float = 0.1,
        max_gaps: int = 32,
    ) -> None:
        """Collect the moving solids; gaps with a slack below `influence` (m) are constrained.

        With `own`, the bodies of the robot also keep their distance from each other.
        """
        if not influence > 0 or max_gaps < 1:
            raise ValueError(
                f"influence and max_gaps must be positive, got {influence} and {max_gaps}"
            )
        if own is not None and own.model is not model:
            raise ValueError(f"own must be for the model {model.name!r}, not {own.model.name!r}")
        self.model = model
        self.own = own
        self.influence = influence
        self._tables = tables_of(model)
        solids, links, self._bodies = moving_solids(model)
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
        self._table = ObstacleTable(self._solids, self._links, obstacles or {})

    @property
    def max_gaps(self) -> int:
        """Largest number of inequalities; the solver needs as many `max_inequalities`."""
        return len(self._gaps)

    @property
    def obstacles(self) -> Mapping[str, Obstacle]:
        """The obstacles, by name."""
        return MappingProxyType(self._table.entries)

    def set_obstacle(self, name: str, obstacle: Obstacle) -> None:
        """Add an obstacle, or move one."""
        self._table.set({name: obstacle})

    def set_obstacles(self, obstacles: Mapping[str, Obstacle]) -> None:
        """Add or move several obstacles at once."""
        self._table.set(obstacles)

    def remove_obstacle(self, name: str) -> None:
        """Remove an obstacle."""
        self._table.remove([name])

    def remove_obstacles(self, names: Iterable[str]) -> None:
        """Remove several obstacles at once."""
        self._table.remove(names)

    # -- measuring --------------------------------------------------------------------------

    def _find(
        self, posture: Posture, *, influence: float, ahead: float = 0.0, quick: bool = False,
        sides: bool = True,
    ) -> tuple[int, float]:  # fmt: skip
        """Fill the list of gaps; obstacles stand where they will be `ahead` seconds later.

        `quick` looks at meshes only as far as a solid may come in one tick; without `sides`, only
        the nearest side of each counts.
        """
        table, rows = self._table, self._table.rows_after(ahead)
        n, m = self._n_plain, table.n_plain
        count, least = ck.find_gaps(
            posture.world, self._solids.rows[:n], self._links[:n], self._solids.radii[:n],
            self._placed[:n], rows[:m], table.radii[:m], table.distances[:m], influence, self._pair,
            self._gaps,
        )  # fmt: skip
        count, least = int(count), float(least)
        near = min(influence, MESH_INFLUENCE) if quick else influence
        if not table.mesh_gaps.is_empty:
            count, least = table.mesh_gaps.add(
                posture.world, rows, table.distances, influence=near, gaps=self._gaps, count=count,
                least=least, sides=sides,
            )  # fmt: skip
        return (count, least) if self.own is None else self._add_own(posture, near, count, least)

    def _add_own(
        self, posture: Posture, influence: float, count: int, least: float
    ) -> tuple[int, float]:
        """Add the gaps between the robot's own bodies, behind those to obstacles."""
        assert self.own is not None
        if influence == math.inf:
            return count, min(least, self.own.slack(posture))
        for row in self.own.rows(posture, influence):
            least = min(least, float(row[ck.SLACK]))
            count = insert_gap(self._gaps, count, row)
        order = np.argsort(self._gaps[:count, ck.OBSTACLE] < 0, kind="stable")
        self._gaps[:count] = self._gaps[order]
        return count, least

    def gaps(self, posture: Posture) -> tuple[Gap, ...]:
        """Return the gaps within the influence, tightest first."""
        count, _ = self._find(posture, influence=self.influence)
        rows = self._gaps[:count]
        return tuple(self._gap(row.copy()) for row in rows[np.argsort(rows[:, ck.SLACK])])

    def _gap(self, row: Array) -> Gap:
        solid, obstacle = int(row[ck.SOLID]), int(row[ck.OBSTACLE])
        if obstacle < 0 and self.own is not None:
            body, other = self.own.bodies[solid], self.own.bodies[-1 - obstacle]
        else:
            body, other = self._bodies[solid], self._table.names[obstacle]
        return Gap(
            body=body,
            obstacle=other,
            distance=float(row[ck.SLACK]) + self._keep(row),
            point=row[ck.POINT : ck.POINT + 3],
            facing=row[ck.FACING : ck.FACING + 3],
            normal=row[ck.NORMAL : ck.NORMAL + 3],
        )

    def _keep(self, gap: Array) -> float:
        """Return the distance to keep at a gap."""
        if gap[ck.OBSTACLE] < 0 and self.own is not None:
            return self.own.distance
        return float(self._table.distances[int(gap[ck.OBSTACLE])])

    def slack(self, posture: Posture) -> float:
        """Return the smallest distance minus the distance to keep; infinite without obstacles."""
        return self._find(posture, influence=math.inf)[1]

    def slack_gradient(self, posture: Posture) -> Array:
        """Return the gradient of the smallest slack, (n_dof,); zero beyond the influence."""
        gradient = np.zeros(self.model.n_dof)
        count, _ = self._find(posture, influence=self.influence)
        if count:
            gap = self._gaps[:count][np.argmin(self._gaps[:count, ck.SLACK])]
            self._write_rates(posture, gap, gradient)
        return gradient

    def _links_of(self, gap: Array) -> tuple[int, int]:
        """Return the link of the nearest point, and that of the other one; -1 is the world."""
        solid, other = int(gap[ck.SOLID]), int(gap[ck.OBSTACLE])
        if other < 0 and self.own is not None:
            return int(self.own.links[solid]), int(self.own.links[-1 - other])
        return int(self._links[solid]), -1

    def _write_rates(self, posture: Posture, gap: Array, out: Array) -> None:
        """Write how fast a gap opens per unit of each `dq`, (n_dof,)."""
        t, row = self._tables, np.empty_like(out)
        out[:] = 0.0
        points = gap[ck.POINT : ck.POINT + 3], gap[ck.FACING : ck.FACING + 3]
        for link, point, sign in zip(self._links_of(gap), points, (1.0, -1.0), strict=True):
            if link >= 0:
                ck.gap_row(
                    posture.columns, t.column_dof, t.column_ratio,
                    t.support[t.support_start[link] : t.support_start[link + 1]],
                    point, gap[ck.NORMAL : ck.NORMAL + 3], row,
                )  # fmt: skip
                out += sign * row

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
        before = None if dq is None else np.asarray(dq, dtype=float)
        if least < -TOO_NEAR and before is not None:
            step = self._calmed(start, step, before, solver.dt)
            slack = self._slack_after(step, solver.dt)
        elif first and before is not None:
            step, slack = self._unreversed(start, step, before, solver.dt, (floor, slack))
        is_near = slack < -TOO_NEAR and step.status != "bad input"
        status: Status = "too near" if is_near else step.status
        return replace(step, shortfall=max(-slack, 0.0), status=status)

    def _make_rows(self, start: Posture, count: int, dt: float) -> None:
        """Turn the gaps into inequalities; where a slack is negative, the escape is not sudden."""
        t, gaps = self._tables, self._gaps[:count]
        foreign = int((gaps[:, ck.OBSTACLE] >= 0).sum())  # come first
        ck.gap_rows(
            self._gaps, foreign, start.columns, t.column_dof, t.column_ratio, t.support_start,
            t.support, self._links, self._table.velocities, dt, ESCAPE_RATE, self._normals,
            self._bounds,
        )  # fmt: skip
        for k in range(foreign, count):
            self._write_rates(start, gaps[k], self._normals[k])
            slack = gaps[k, ck.SLACK]
            self._bounds[k] = -slack / dt if slack > 0 else -slack * ESCAPE_RATE
        sudden = -gaps[:, ck.SLACK] * ESCAPE_RATE - MAX_ESCAPE_SPEED
        self._bounds[:count] -= np.maximum(sudden, 0.0)

    def _find_step(
        self, solver: Solver, start: Posture, *, floor: float, first: int, dq: ArrayLike | None
    ) -> tuple[Step, float]:
        """Return a step that leaves a slack of at least `floor`, if there is one, and its slack."""
        count, step = first, self._solve(solver, first, start.q, dq)
        for _ in range(MAX_CUTS):
            found, slack = self._after(step, solver.dt)
            if slack >= floor:
                return step, slack
            count = self._cut(start, Posture(self.model, step.q), found, count, solver.dt)
            step = self._solve(solver, count, start.q, dq)
        step = self._shorten(start, step, solver, floor=floor, count=first)
        return step, self._slack_after(step, solver.dt)

    def _calmed(self, start: Posture, step: Step, before: Array, dt: float) -> Step:
        """Return the step of a robot that is too near without sudden motion.

        Joints may stop at once, but take their time to gain speed.
        """
        change = self._speed_change(dt)
        low, high = np.minimum(before, 0.0) - change, np.maximum(before, 0.0) + change
        calm = np.clip(step.dq, low, high)
        return step if (calm == step.dq).all() else self._moved(start, step, calm, dt)

    def _speed_change(self, dt: float) -> Array:
        """Return what joints near obstacles may gain in speed within a tick, (n_dof,)."""
        return np.asarray(np.minimum(self.model.velocity, MAX_RETREAT_RATE) * dt / RETREAT_TIME)

    def _unreversed(
        self, start: Posture, step: Step, before: Array, dt: float, slacks: tuple[float, float]
    ) -> tuple[Step, float]:
        """Return a step in which no joint reverses suddenly, if one is clear, and its slack.

        Between two obstacles, nearest points jump from one to the other, and so would velocities.
        `slacks` are what a step must leave, and what this one leaves.
        """
        floor, slack = slacks
        back = np.where(step.dq * before < 0, np.minimum(abs(step.dq), abs(before)), 0.0)
        if (back <= self._speed_change(dt)).all():
            return step, slack
        calm = self._calmed(start, step, before, dt)
        for fraction in CALM_FRACTIONS:
            part = self._moved(start, calm, fraction * calm.dq, dt)
            found = self._slack_after(part, dt)
            if found >= floor:
                return part, found
        return step, slack

    def _solve(self, solver: Solver, count: int, q: ArrayLike, dq: ArrayLike | None) -> Step:
        solver.set_inequalities(self._normals[:count], self._bounds[:count])
        return solver.step(q, dq)

    def _after(self, step: Step, dt: float) -> tuple[int, float]:
        """Fill the list with the gaps that are too small after a step; return the least slack."""
        return self._find(Posture(self.model, step.q), influence=0.0, ahead=dt)

    def _slack_after(self, step: Step, dt: float) -> float:
        return self._find(Posture(self.model, step.q), influence=0.0, ahead=dt, sides=False)[1]

    def _cut(self, start: Posture, end: Posture, found: int, count: int, dt: float) -> int:
        """Add inequalities for points that would come too near, at most `max_gaps`."""
        for gap in self._gaps[:found].copy():
            if count == self.max_gaps:
                break
            for link, at in zip(self._links_of(gap), (ck.POINT, ck.FACING), strict=True):
                if link >= 0:  # the same point of the link, where it is now
                    on_link = _link_pose(end, link).inverse().apply(gap[at : at + 3])
                    gap[at : at + 3] = _link_pose(start, link).apply(on_link)
            self._write_rates(start, gap, self._normals[count])
            apart = gap[ck.POINT : ck.POINT + 3] - gap[ck.FACING : ck.FACING + 3]
            distance = float(gap[ck.NORMAL : ck.NORMAL + 3] @ apart)
            self._bounds[count] = (self._keep(gap) - distance) / dt
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
        slack = self._slack_after(self._moved(start, step, still, solver.dt), solver.dt)
        if slack < floor:
            retreat = self._retreat(solver, start, count)
            away = self._slack_after(self._moved(start, step, retreat, solver.dt), solver.dt)
            base, floor = (retreat, min(floor, away)) if away > slack else (still, slack)
        low, high = 0.0, 1.0
        for _ in range(SHORTENINGS):
            fraction = (low + high) / 2
            part = self._moved(start, step, base + fraction * (step.dq - base), solver.dt)
            clear = self._slack_after(part, solver.dt) >= floor
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


def _velocity_box(solver: Solver, q: Array) -> tuple[Array, Array]:
    """Return the velocities after which joints are inside their limits, rates kept."""
    lower, upper = solver.arena.flat(FloatBlock.LOWER), solver.arena.flat(FloatBlock.UPPER)
    rates = solver.arena.flat(FloatBlock.RATE)
    low = np.clip((lower - q) / solver.dt, -rates, rates)
    return low, np.clip((upper - q) / solver.dt, -rates, rates)


def _link_pose(posture: Posture, link: int) -> Pose:
    row = posture.world[link]
    return Pose(row[:9].reshape(3, 3), row[9:])
