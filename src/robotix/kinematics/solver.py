"""The solver: tasks, limits and a method in, one joint velocity per tick out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.kinematics.kernels import least_squares, tick
from robotix.kinematics.kernels import task_rows as rows
from robotix.kinematics.kernels.arena import Arena, FloatBlock, IntBlock
from robotix.kinematics.kernels.tables import Ints, Tables, finite_rates, tables_of
from robotix.kinematics.limits import Limits
from robotix.kinematics.posture import IDENTITY_ROW, Posture
from robotix.kinematics.task_packing import PackedTask, pack_task, total_rows
from robotix.kinematics.tasks import Task
from robotix.model import Model

__all__ = ["Criterion", "Damping", "DampingLaw", "Method", "Solver", "Status", "Step", "solve_step"]

Method: TypeAlias = Literal["dls", "nested", "strict", "qp"]
DampingLaw: TypeAlias = Literal["adaptive", "constant", "smallest"]
Status: TypeAlias = Literal["solved", "bad input", "relaxed", "stuck"]
Criterion: TypeAlias = Callable[[Posture], Array]  # the null-space velocity it wishes for

_METHODS = {"dls": tick.DLS, "nested": tick.NESTED, "strict": tick.STRICT, "qp": tick.QP}
_STATUSES: dict[int, Status] = {
    tick.SOLVED: "solved",
    tick.BAD_INPUT: "bad input",
    tick.RELAXED: "relaxed",
    tick.STUCK: "stuck",
}


@dataclass(frozen=True)
class Damping:
    """How near singularities are smoothed.

    `adaptive`: λ = k / (1 + ‖JJᵀ‖). `constant`: λ = k. `smallest`: λ² = k² (1 − (σ/threshold)²) if
    the smallest singular value σ falls below the threshold, none above it.

    To this each priority adds λ² = `calm` · ‖J‖ · (way towards its targets that it asks for in this
    tick), so that an arm comes to rest before a target out of its reach. Less than 0.15 trembles,
    more than 0.5 creeps; 0 switches it off.
    """

    k: float = 0.02
    law: DampingLaw = "adaptive"
    threshold: float = 0.05
    calm: float = 0.25

    def __post_init__(self) -> None:
        """Refuse what would divide by zero."""
        if not all(np.isfinite(value) and value >= 0 for value in (self.k, self.calm)):
            raise ValueError(f"k and calm must be finite and not negative: {self}")
        if not self.threshold > 0:
            raise ValueError(f"the threshold must be positive: {self}")
        if self.law not in get_args(DampingLaw):
            raise ValueError(f"damping law is one of {get_args(DampingLaw)}, not {self.law!r}")


@dataclass(frozen=True, eq=False)
class Step:
    """What one tick gave.

    `solved`: all limits kept. `relaxed`: inequalities that cannot hold together were brought as
    near as possible. `bad input`: something was not finite, nothing moves. `stuck`: the answer was
    clamped.
    """

    q: Array  # (n_dof,), after the step
    dq: Array  # (n_dof,)
    ddq: Array  # (n_dof,)
    residual: float  # norm of the weighted task errors before the step
    n_active: int  # limits that the step touches
    status: Status


class Solver:
    """Resolves redundancy for one model and one set of tasks, in one compiled call a tick.

    Methods: `dls` stacks all tasks into the augmented Jacobian and minimises their weighted errors,
    priorities aside; `nested` is RoboTiX's N(J₁†v₁ + N₁(…)); `strict` solves each priority in the
    null space of all above; `qp` does so with limits as inequalities, optimally. All keep the
    limits.

    Not to be shared between threads; make one for each.
    """

    def __init__(
        self,
        model: Model,
        tasks: Sequence[Task],
        *,
        dt: float,
        method: Method = "dls",
        order: Literal[1, 2] = 1,
        damping: Damping | None = None,
        limits: Limits | None = None,
        weights: ArrayLike | None = None,
        criterion: Criterion | None = None,
        max_inequalities: int = 0,
    ) -> None:
        """Lay out everything; `weights` makes joints lazy, `criterion` acts in the null space."""
        if method not in _METHODS:
            raise ValueError(f"method is one of {tuple(_METHODS)}, not {method!r}")
        if order not in (1, 2):
            raise ValueError(f"order is 1 (velocities) or 2 (accelerations), not {order!r}")
        if not (np.isfinite(dt) and dt > 0):
            raise ValueError(f"dt must be a positive time in seconds, got {dt}")
        self.model = model
        self.dt = float(dt)
        self.order = order
        self.method = method
        self.criterion = criterion
        self.max_inequalities = max_inequalities
        self._tables = tables_of(model)
        packed = [self._pack(task) for task in tasks]
        self._order = sorted(range(len(packed)), key=lambda i: packed[i].priority)
        self.arena = _make_arena(self._tables, packed, max_inequalities)
        self._packed = packed
        self._foreign: dict[int, tuple[int, int, Task]] = {}  # first external row, rows, task
        self._place_tasks()
        self._set_model()
        self.q, self.dq = self._flat(FloatBlock.Q), self._flat(FloatBlock.DQ_BEFORE)
        self.q[:] = model.neutral
        self.set_damping(damping or Damping())
        self.set_limits(limits or Limits.of(model))
        self.set_weights(np.ones(model.n_dof) if weights is None else weights)

    # -- what may change while running ------------------------------------------------------

    def set_damping(self, damping: Damping) -> None:
        """Change the damping."""
        laws = {
            "adaptive": least_squares.ADAPTIVE,
            "constant": least_squares.CONSTANT,
            "smallest": least_squares.SMALLEST,
        }
        self._options[tick.LAW] = laws[damping.law]
        self._numbers[[tick.K, tick.THRESHOLD]] = damping.k, damping.threshold
        self._numbers[tick.CALM] = damping.calm

    def set_limits(self, limits: Limits) -> None:
        """Change the joint limits; a joint without a rate limit still moves at most 0.5 a tick."""
        if limits.lower.shape != (self.model.n_dof,):
            raise ValueError(f"{self.model.name} has {self.model.n_dof} joints, not these limits")
        self._flat(FloatBlock.LOWER)[:] = limits.lower
        self._flat(FloatBlock.UPPER)[:] = limits.upper
        self._flat(FloatBlock.RATE)[:] = finite_rates(limits.velocity, self.dt)
        self._flat(FloatBlock.ACCELERATION)[:] = limits.acceleration

    def set_weights(self, weights: ArrayLike) -> None:
        """Change the joint weights: a heavier joint moves less."""
        values = np.broadcast_to(np.asarray(weights, dtype=float), (self.model.n_dof,))
        if not (np.isfinite(values).all() and (values > 0).all()):
            raise ValueError(f"joint weights must be positive, got {values}")
        self._flat(FloatBlock.EASE)[:] = 1 / np.sqrt(values)
        self._options[tick.HAS_EASE] = int(not (values == 1).all())

    def set_inequalities(self, normals: ArrayLike, bounds: ArrayLike) -> None:
        """Ask every step to keep `normals @ dq >= bounds`; at most `max_inequalities` rows."""
        rows_, values = np.atleast_2d(np.asarray(normals, dtype=float)), np.asarray(bounds)
        count = len(values)
        if count > self.max_inequalities:
            raise ValueError(
                f"{count} inequalities, but max_inequalities is {self.max_inequalities}"
            )
        if count:
            self.arena[FloatBlock.NORMALS][:count] = rows_
        self._flat(FloatBlock.BOUNDS)[:count] = values
        self._options[tick.N_NORMALS] = count

    def replace(self, index: int, task: Task) -> None:
        """Put another task in the place of the one with this index: other target, gain or weight.

        Kind, axes and priority stay as they are.
        """
        packed = self._pack(task)
        if packed.structure != self._packed[index].structure:
            raise ValueError(
                f"task {index} can only be replaced by one of the same shape: {task!r}"
            )
        at = self._row_of[index]
        if packed.foreign is None and not len(packed.dofs):
            at.ints[[rows.LINK, rows.LINK2, rows.PLAIN]] = packed.ints[
                [rows.LINK, rows.LINK2, rows.PLAIN]
            ]
        at.floats[:] = packed.floats
        at.goals[:] = packed.goals
        at.span[:] = self._span(packed)
        self.positions[index] = packed.position
        self.rotations[index] = packed.rotation.reshape(3, 3)
        if packed.foreign is not None:
            first, count, _ = self._foreign[index]
            self._foreign[index] = first, count, task
        self._packed[index] = packed

    # -- running ----------------------------------------------------------------------------

    def tick(self) -> Status:
        """Advance `self.q` and `self.dq` by one step, in place; nothing else is allocated."""
        if self._outside:
            self._evaluate_outside()
        tick.tick(*self._call, True)
        return _STATUSES[self._report.item(tick.STATUS)]

    def step(self, q: ArrayLike, dq: ArrayLike | None = None) -> Step:
        """Return the step from `q`, moving with `dq` before it; leaves `self.q` there."""
        self.q[:] = q
        self.dq[:] = 0.0 if dq is None else dq
        if self._outside:
            self._evaluate_outside()
        tick.tick(*self._call, False)
        return Step(
            q=self._q_next.copy(),
            dq=self._dq.copy(),
            ddq=self._flat(FloatBlock.DDQ).copy(),
            residual=float(self._results[tick.RESIDUAL]),
            n_active=int(self._report[tick.N_ACTIVE]),
            status=_STATUSES[self._report.item(tick.STATUS)],
        )

    def _evaluate_outside(self) -> None:
        """Evaluate what is written in Python: foreign tasks and the criterion."""
        if not np.isfinite(self.q).all():
            return  # the kernel refuses it
        posture = Posture(self.model, self.q)
        if self.criterion is not None:
            self._flat(FloatBlock.WISH)[:] = self.criterion(posture)
        for first, count, task in self._foreign.values():
            self.arena[FloatBlock.EXTERNAL_JACOBIAN][first : first + count] = task.jacobian(posture)
            self.arena[FloatBlock.EXTERNAL_ERROR][first : first + count, 0] = task.error(posture)

    # -- laying out -------------------------------------------------------------------------

    def _flat(self, block: FloatBlock) -> Array:
        return self.arena.flat(block)

    def _pack(self, task: Task) -> PackedTask:
        packed = pack_task(task, self.model, self._tables, order=self.order)
        if packed.foreign is None:
            return packed
        count = len(task.error(Posture(self.model)))
        return replace(packed, n_rows=count)

    def _span(self, packed: PackedTask) -> int:
        """Return the number of leading columns that can differ from zero in a task's rows."""
        kind, t = packed.ints[rows.TASK], self._tables
        if kind not in (rows.POINT, rows.RELATIVE):
            return t.n_dof
        links = packed.ints[[rows.LINK, rows.LINK2] if kind == rows.RELATIVE else [rows.LINK]]
        dofs = [
            t.column_dof[t.support[k]]
            for link in links
            if link >= 0
            for k in range(t.support_start[link], t.support_start[link + 1])
        ]
        return int(max(dofs, default=-1)) + 1

    def _set_model(self) -> None:
        t, arena = self._tables, self.arena
        arena[FloatBlock.LINK_FLOATS][:] = t.link_floats
        arena.flat(FloatBlock.COLUMN_RATIO)[:] = t.column_ratio
        arena[FloatBlock.PIECES][:] = t.pieces
        arena.flat(FloatBlock.FIXED_MASS)[:] = t.fixed_mass
        arena[FloatBlock.WORLD][-1] = IDENTITY_ROW
        for block, values in (
            (IntBlock.LINK_INTS, t.link_ints),
            (IntBlock.COLUMN_DOF, t.column_dof),
            (IntBlock.COLUMN_LINK, t.column_link),
            (IntBlock.SUPPORT_START, t.support_start),
            (IntBlock.SUPPORT, t.support),
        ):
            arena.int_block(block)[:] = values.reshape(arena.int_block(block).shape)
        self._options = arena.int_block(IntBlock.OPTIONS)[0]
        self._options[[tick.METHOD, tick.ORDER]] = _METHODS[self.method], self.order
        self._options[tick.HAS_WISH] = int(self.criterion is not None)
        self._numbers = arena.flat(FloatBlock.OPTIONS)
        self._numbers[tick.DT] = self.dt
        self._report, self._results = (
            arena.int_block(IntBlock.REPORT)[0],
            arena.flat(FloatBlock.REPORT),
        )
        self._q_next, self._dq = arena.flat(FloatBlock.Q_NEXT), arena.flat(FloatBlock.DQ)
        # target positions (n_tasks, 3) and rotations (n_tasks, 3, 3), in the order the tasks were
        # given: write to them to move the targets
        self.positions = arena[FloatBlock.GOALS]
        self.rotations = arena[FloatBlock.TURNS].reshape(-1, 3, 3)
        self._call = (arena.floats, arena.ints)
        self._outside = self.criterion is not None or bool(self._foreign)

    def _place_tasks(self) -> None:
        """Write the tasks in order of priority, and note where each one's rows stand."""
        arena = self.arena
        row, goal, external = 0, 0, 0
        starts = [0]
        self._row_of: dict[int, _Place] = {}
        for slot, index in enumerate(self._order):
            packed = self._packed[index]
            if slot and packed.priority != self._packed[self._order[slot - 1]].priority:
                starts.append(row)
            ints = arena.int_block(IntBlock.TASK_INTS)[slot]
            floats = arena[FloatBlock.TASK_FLOATS][slot]
            ints[:], floats[:] = packed.ints, packed.floats
            ints[rows.ROW], ints[rows.N_ROWS], ints[rows.SLOT] = row, packed.n_rows, index
            arena[FloatBlock.GOALS][index], arena[FloatBlock.TURNS][index] = (
                packed.position,
                packed.rotation,
            )
            span = arena.int_block(IntBlock.SPAN)[0, row : row + packed.n_rows]
            span[:] = self._span(packed)
            goals = arena[FloatBlock.POSTURE_GOALS][goal : goal + len(packed.dofs)]
            if len(packed.dofs):
                ints[rows.LINK] = goal
                goals[:] = packed.goals
                arena.int_block(IntBlock.POSTURE_DOF)[goal : goal + len(packed.dofs), 0] = (
                    packed.dofs
                )
            if packed.foreign is not None:
                ints[rows.LINK] = external
                self._foreign[index] = external, packed.n_rows, packed.foreign
                external += packed.n_rows
            self._row_of[index] = _Place(ints, floats, goals, span)
            row += packed.n_rows
            goal += len(packed.dofs)
        levels = [0, row] if self.method == "dls" else [*starts, row]
        arena.int_block(IntBlock.LEVEL_START)[0, :] = row
        block = arena.int_block(IntBlock.LEVEL_START)[0]
        block[: len(levels)] = levels


@dataclass(frozen=True, eq=False)
class _Place:
    """Where a task's numbers stand in the arena."""

    ints: Ints
    floats: Array
    goals: Array
    span: Ints


def _make_arena(t: Tables, packed: Sequence[PackedTask], n_normals: int) -> Arena:
    """Size every block."""
    n, m = t.n_dof, total_rows(packed)
    big = max(m, n_normals, 1)
    external = sum(task.n_rows for task in packed if task.foreign is not None)
    goals = sum(len(task.dofs) for task in packed)
    levels = max(len({task.priority for task in packed}), 1)
    B, N = FloatBlock, IntBlock
    row = (1, n)
    floats = {
        B.LINK_FLOATS: t.link_floats.shape, B.COLUMN_RATIO: (1, t.n_columns),
        B.PIECES: t.pieces.shape, B.FIXED_MASS: (1, 4),
        B.TASK_FLOATS: (len(packed), rows.N_TASK_FLOATS), B.GOALS: (len(packed), 3),
        B.TURNS: (len(packed), 9), B.POSTURE_GOALS: (goals, 3),
        B.EXTERNAL_JACOBIAN: (external, n), B.EXTERNAL_ERROR: (external, 2),
        B.OPTIONS: (1, tick.N_OPTIONS), B.Q: row, B.DQ_BEFORE: row, B.LOWER: row, B.UPPER: row,
        B.RATE: row, B.ACCELERATION: row, B.EASE: row, B.WISH: row, B.NORMALS: (n_normals, n),
        B.BOUNDS: (1, n_normals), B.DQ: row, B.DDQ: row, B.Q_NEXT: row,
        B.REPORT: (1, tick.N_REPORT), B.WORLD: (t.n_links + 1, 12), B.COLUMNS: (t.n_columns, 6),
        B.TWISTS: (t.n_links + 1, 6), B.RATES: (t.n_columns, 6), B.BIASES: (t.n_links + 1, 6),
        B.MOMENTS: (t.n_links, 4), B.POINTS: (2, 12), B.JACOBIAN6: (6, n), B.A: (m, n),
        B.ERROR: (1, m), B.VELOCITY: (1, m), B.CALM: (1, levels), B.GRAM: (big, big),
        B.FACTOR: (big, big), B.Y: (1, big), B.RESIDUAL: (1, big), B.LOW: row, B.HIGH: row,
        B.U: row, B.STEP: row,
        B.BASIS: (n + 1, n), B.PROJECTED: (big, n), B.COEFFICIENTS: row, B.SQUARE: (n, n),
        B.SQUARE2: (n, n), B.SQUARE3: (n, n + 1), B.CONSTRAINTS: (n_normals, n),
        B.CONSTRAINT_BOUNDS: (1, n_normals), B.ROOMS: (5, n), B.MULTIPLIERS: (1, n + 1),
        B.BEST: row,
    }  # fmt: skip
    ints = {
        N.LINK_INTS: t.link_ints.shape, N.COLUMN_DOF: (1, t.n_columns),
        N.COLUMN_LINK: (1, t.n_columns), N.SUPPORT_START: (1, t.n_links + 1),
        N.SUPPORT: (1, len(t.support)), N.TASK_INTS: (len(packed), rows.N_TASK_INTS),
        N.POSTURE_DOF: (goals, 1), N.LEVEL_START: (1, levels + 1), N.SPAN: (1, m),
        N.OPTIONS: (1, tick.N_INT_OPTIONS), N.BOUND_STATE: (1, n),
        N.ACTIVE: (1, 2 * n + n_normals + 2), N.REPORT: (1, 2),
    }  # fmt: skip
    return Arena(floats, ints)


def solve_step(
    posture: Posture,
    tasks: Sequence[Task],
    *,
    dt: float,
    method: Method = "dls",
    order: Literal[1, 2] = 1,
    damping: Damping | None = None,
    limits: Limits | None = None,
    weights: ArrayLike | None = None,
    criterion: Criterion | None = None,
) -> Step:
    """Return one step from a posture. Loops that run long keep a `Solver` instead."""
    solver = Solver(
        posture.model, tasks, dt=dt, method=method, order=order, damping=damping, limits=limits,
        weights=weights, criterion=criterion,
    )  # fmt: skip
    return solver.step(posture.q)
