"""The solver: tasks, limits and a method in, one joint velocity per tick out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.kinematics.kernels import least_squares, tick
from robotix.kinematics.kernels.arena import FloatBlock, IntBlock
from robotix.kinematics.kernels.tables import finite_rates
from robotix.kinematics.limits import Limits
from robotix.kinematics.posture import Posture
from robotix.kinematics.task_arena import make_arena
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

    `seed`: λ = k / (1 + ‖JJᵀ‖). `constant`: λ = k. `smallest`: λ² = k² (1 − (σ/threshold)²) once
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
    priorities aside; `nested` is the seed's N(J₁†v₁ + N₁(…)); `strict` solves each priority in the
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
        self._tasks = make_arena(
            model, tasks, order=order, has_levels=method != "dls", max_inequalities=max_inequalities
        )
        self.arena = self._tasks.arena
        self._view_arena()
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
        self._tasks.replace(index, task)

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
            return  # the kernel reports bad input
        posture = Posture(self.model, self.q)
        if self.criterion is not None:
            self._flat(FloatBlock.WISH)[:] = self.criterion(posture)
        self._tasks.evaluate_foreign(posture)

    # -- laying out -------------------------------------------------------------------------

    def _flat(self, block: FloatBlock) -> Array:
        return self.arena.flat(block)

    def _view_arena(self) -> None:
        """Name the blocks of the arena, and write the options that never change."""
        arena = self.arena
        self.q, self.dq = self._flat(FloatBlock.Q), self._flat(FloatBlock.DQ_BEFORE)
        self._q_next, self._dq = self._flat(FloatBlock.Q_NEXT), self._flat(FloatBlock.DQ)
        self._options = arena.int_block(IntBlock.OPTIONS)[0]
        self._options[[tick.METHOD, tick.ORDER]] = _METHODS[self.method], self.order
        self._options[tick.HAS_WISH] = int(self.criterion is not None)
        self._numbers = self._flat(FloatBlock.OPTIONS)
        self._numbers[tick.DT] = self.dt
        self._report = arena.int_block(IntBlock.REPORT)[0]
        self._results = self._flat(FloatBlock.REPORT)
        # target positions (n_tasks, 3) and rotations (n_tasks, 3, 3), in the order in which the
        # tasks were given: write to them to move the targets
        self.positions = arena[FloatBlock.GOALS]
        self.rotations = arena[FloatBlock.TURNS].reshape(-1, 3, 3)
        self._call = (arena.floats, arena.ints)
        self._outside = self.criterion is not None or self._tasks.has_foreign


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
