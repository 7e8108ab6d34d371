"""The solver: tasks, limits and a method in, one joint velocity per tick out.

All methods minimise the damped, weighted error of the tasks within the limits,

    min Σ wᵢ ‖Jᵢ dq − vᵢ‖² + λ² dqᵀ W dq    subject to  joint limits,  N dq ≥ b,

where vᵢ = ẋᵢ + Kᵢ eᵢ is a task's reference velocity, wᵢ its weight and W the diagonal matrix of
joint weights: damped least squares. They differ in how they treat priorities.
"""

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
Status: TypeAlias = Literal["solved", "bad input", "relaxed", "stuck", "too near"]
Criterion: TypeAlias = Callable[[Posture], Array]  # desired null-space velocity, (n_dof,)

_METHODS = {"dls": tick.DLS, "nested": tick.NESTED, "strict": tick.STRICT, "qp": tick.QP}
_STATUSES: dict[int, Status] = {
    tick.SOLVED: "solved",
    tick.BAD_INPUT: "bad input",
    tick.RELAXED: "relaxed",
    tick.STUCK: "stuck",
}


@dataclass(frozen=True)
class Damping:
    """Damping λ² of the least-squares step, which bounds joint velocities near singularities.

    Laws: `smallest`: λ² = k² (1 − (σ/threshold)²) while the smallest singular value σ of J is below
    the threshold, else 0. `adaptive`: λ = k / (1 + ‖JJᵀ‖), the law of the original system, which
    hardly changes near a singularity, since ‖JJᵀ‖ is that of the largest singular value.
    `constant`: λ = k.

    Every priority adds the reach damping λ² += `reach` · ‖J‖ · ‖v dt‖, summed over its tasks, where
    v dt is the displacement towards the target that is asked for in this tick: so an arm comes to
    rest before a target out of its reach (see `kernels/reach_damping.py`). Arms oscillate below
    about 0.15 and converge slowly above 0.5; 0 switches it off.

    In second order, velocities in the null space of all tasks decay at the rate `null_space`; with
    0 they go on until a joint meets its limit.

    Examples:
        >>> task = rx.PointTask(None, np.array([0.5, 0.0, 0.5]))
        >>> damping = rx.Damping(0.05, "constant")
        >>> solver = rx.Solver(rx.load("panda"), [task], dt=0.01, damping=damping)
    """

    k: float = 0.01
    law: DampingLaw = "smallest"
    threshold: float = 0.04
    reach: float = 0.25
    null_space: float = 2.0  # 1/s

    def __post_init__(self) -> None:
        """Raise ValueError unless k, reach, null_space ≥ 0 and threshold > 0."""
        numbers = (self.k, self.reach, self.null_space)
        if not all(np.isfinite(value) and value >= 0 for value in numbers):
            raise ValueError(f"k, reach and null_space must be finite and not negative: {self}")
        if not self.threshold > 0:
            raise ValueError(f"the threshold must be positive: {self}")
        if self.law not in get_args(DampingLaw):
            raise ValueError(f"damping law is one of {get_args(DampingLaw)}, not {self.law!r}")


@dataclass(frozen=True, eq=False)
class Step:
    """Result of one tick.

    Status: `solved`: all limits are kept. `relaxed`: inequalities that cannot hold together are
    violated as little as possible. `bad input`: some input was not finite, dq is zero. `stuck`: the
    method failed, dq was clamped to the joint limits. `too near`: after the step the robot is
    nearer to an obstacle than it should be (from `Clearance.step` only).
    """

    q: Array  # (n_dof,), after the step
    dq: Array  # (n_dof,)
    ddq: Array  # (n_dof,)
    residual: float  # norm of the weighted task errors before the step
    n_active: int  # number of limits that are active
    status: Status
    shortfall: float = 0.0  # m, by which an obstacle is nearer than it should be after the step


class Solver:
    """Resolves redundancy for one model and one set of tasks, in one compiled call per tick.

    The methods are:

    - `dls`: all tasks in one level, whatever their priority, dq = Jᵀ (JJᵀ + λ²I)⁻¹ v.
    - `nested`: dq = J₁†v₁ + N₁ (J₂†v₂ + N₂ (…)), where Nᵢ = I − Jᵢ⁺Jᵢ projects onto the null space
      of level i alone: level 3 may disturb level 2, none disturbs level 1. At limits the first
      level is minimised under them, and the rest follows as nearly as the limits allow.
    - `strict`: dq ← dq + (Jᵢ N)† (vᵢ − Jᵢ dq), where N projects onto the null space of all levels
      above.
    - `qp`: the lexicographic quadratic program [Kanoun2011]: each level is minimised under all
      limits and without changing what the levels above have reached.

    († is the damped, ⁺ the exact pseudoinverse.) A criterion's velocity comes last, projected onto
    the null space of all tasks. All methods keep the limits.

    Not to be shared between threads; make one for each.

    Examples:
        >>> model = rx.load("panda")
        >>> task = rx.PointTask(None, np.array([0.5, 0.1, 0.5]))
        >>> solver = rx.Solver(model, [task], dt=0.01)
        >>> for _ in range(300):
        ...     step = solver.tick()
        >>> bool(np.linalg.norm(task.error(rx.Posture(model, solver.q))) < 1e-3)
        True
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
        """Lay out the arena.

        `dt` is in s. `order` 1 solves for velocities, 2 for accelerations. A joint of weight w
        contributes w dq² to the cost: the larger, the less it moves. `criterion` returns a desired
        velocity for the null space of the tasks. `max_inequalities` is the largest number of rows
        that `set_inequalities` may be given.
        """
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
            "adaptive": least_squares.ADAPTIVE_LAW,
            "constant": least_squares.CONSTANT_LAW,
            "smallest": least_squares.SMALLEST_SIGMA_LAW,
        }
        self._options[tick.DAMPING_LAW] = laws[damping.law]
        self._numbers[[tick.DAMPING_K, tick.DAMPING_THRESHOLD]] = damping.k, damping.threshold
        self._numbers[tick.REACH_DAMPING] = damping.reach
        self._numbers[tick.NULL_SPACE_DAMPING] = damping.null_space

    def set_limits(self, limits: Limits) -> None:
        """Change the joint limits; without a rate limit a joint moves at most 0.5 per tick."""
        if limits.lower.shape != (self.model.n_dof,):
            raise ValueError(f"{self.model.name} has {self.model.n_dof} joints, not these limits")
        self._flat(FloatBlock.LOWER)[:] = limits.lower
        self._flat(FloatBlock.UPPER)[:] = limits.upper
        self._flat(FloatBlock.RATE)[:] = finite_rates(limits.velocity, self.dt)
        self._flat(FloatBlock.ACCELERATION)[:] = limits.acceleration

    def set_weights(self, weights: ArrayLike) -> None:
        """Change the joint weights w > 0; a joint contributes w dq² to the cost."""
        values = np.broadcast_to(np.asarray(weights, dtype=float), (self.model.n_dof,))
        if not (np.isfinite(values).all() and (values > 0).all()):
            raise ValueError(f"joint weights must be positive, got {values}")
        self._flat(FloatBlock.INVERSE_SQRT_WEIGHTS)[:] = 1 / np.sqrt(values)
        self._options[tick.HAS_WEIGHTS] = int(not (values == 1).all())

    def set_inequalities(self, normals: ArrayLike, bounds: ArrayLike) -> None:
        """Constrain every step to `normals @ dq >= bounds`; at most `max_inequalities` rows."""
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
        """Replace the task with this index, to change its target, gain or weight.

        Kind, axes and priority must stay the same.
        """
        self._tasks.replace(index, task)

    # -- running ----------------------------------------------------------------------------

    def tick(self) -> Status:
        """Advance `self.q` and `self.dq` by one step, in place."""
        if self._outside:
            self._evaluate_outside()
        tick.tick(*self._call, True)
        return _STATUSES[self._report.item(tick.STATUS)]

    def step(self, q: ArrayLike, dq: ArrayLike | None = None) -> Step:
        """Return the step from `q`; `dq` is the velocity before it (zero when None).

        `self.q` and `self.dq` become these; they are not advanced.
        """
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
            self._flat(FloatBlock.NULL_SPACE_VELOCITY)[:] = self.criterion(posture)
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
        self._options[tick.HAS_NULL_SPACE_VELOCITY] = int(self.criterion is not None)
        self._numbers = self._flat(FloatBlock.OPTIONS)
        self._numbers[tick.DT] = self.dt
        self._report = arena.int_block(IntBlock.REPORT)[0]
        self._results = self._flat(FloatBlock.REPORT)
        # target positions (n_tasks, 3) and rotations (n_tasks, 3, 3), in the order in which the
        # tasks were given: write to them to move the targets
        self.positions = arena[FloatBlock.TARGET_POSITIONS]
        self.rotations = arena[FloatBlock.TARGET_ROTATIONS].reshape(-1, 3, 3)
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
    """Return one step from a posture. For repeated steps reuse a `Solver`.

    Examples:
        >>> task = rx.PointTask(None, np.array([0.5, 0.1, 0.5]))
        >>> rx.solve_step(rx.Posture(rx.load("panda")), [task], dt=0.01).dq.shape
        (7,)
    """
    solver = Solver(
        posture.model, tasks, dt=dt, method=method, order=order, damping=damping, limits=limits,
        weights=weights, criterion=criterion,
    )  # fmt: skip
    return solver.step(posture.q)
