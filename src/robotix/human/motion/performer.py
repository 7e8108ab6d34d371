"""The performer: whole-body motion of a manikin from goals for a few of its points.

All goals (feet, centre of mass, hands, pelvis, trunk) are stacked in one augmented Jacobian. Their
weights decide which goal yields when not all can be met; the comfort posture and the joint weights
of the style resolve the remaining redundancy. Joint limits hold exactly at every tick.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import UnknownName
from robotix.geometry import Array, Shape
from robotix.human.body.manikin import GROUPS, Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.arm_clearance import ArmClearance
from robotix.human.motion.contacts import Contact, ContactPhase
from robotix.human.motion.loads import HandForce, Load, LoadPhase, model_with_loads
from robotix.human.motion.performer_kernels import comfortable_rates, lay_goals, shortfall
from robotix.human.motion.styles import COMFORT_RATE, NATURAL, Style, comfort_laws, posture_of
from robotix.kinematics import (
    Clearance,
    ComTask,
    Damping,
    Limits,
    Obstacle,
    OrientationTask,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    Solver,
)
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.tasks import axis_rows
from robotix.model import Model

__all__ = ["BodyAction", "Goal", "GoalTask", "Infeasible", "Performer", "Shortfall"]

BodyAction: TypeAlias = Generator[None, None, None]  # one yield per tick
GoalTask: TypeAlias = PointTask | OrientationTask | PoseTask | ComTask

COMFORT_WEIGHT = 1e-2  # of the comfort posture, against the weights of the goals
DAMPING = 3e-3  # its square is the cost of 1 rad/s at a joint of weight 1
IDLE_ARM_FACTOR = 20.0  # of the joint weights of an arm without a goal
MIN_KNEE_FLEXION, MIN_ELBOW_FLEXION = np.radians([4.0, 4.0])  # rad; never fully straight
MAX_DORSIFLEXION = np.radians(20.0)  # rad, of ankles, unless a gait needs more
MAX_SPEEDS = {"root": 1.6, "back": 1.5, "right_leg": 9.0, "left_leg": 9.0}  # rad/s, m/s
STRIDING_SPEED = 3.0  # m/s, rad/s, of the root in a dynamic gait
GOAL_CHECK_TICKS = 10  # ticks between two checks of the goals
ZERO_SHIFT = np.zeros(3)


@dataclass(frozen=True)
class Shortfall:
    """A goal that was not met: which, when, and by how much."""

    what: str
    time: float  # s
    missing: float  # m

    def __str__(self) -> str:
        return f"{self.what} falls short by {100 * self.missing:.1f} cm at {self.time:.2f} s"


class Infeasible(Exception):
    """Raised when the body cannot meet a goal; the performance ends there."""

    def __init__(self, shortfall: Shortfall) -> None:
        super().__init__(shortfall)
        self.shortfall = shortfall


@dataclass(eq=False)
class Goal:
    """A task, and its target at the end of the tick."""

    task: GoalTask
    position: Array  # (3,), m; write to it to move the goal
    rotation: Array  # (3, 3); write to it to rotate the goal
    tolerance: float  # m; a larger error raises Infeasible
    aim: Array | None = None  # (3,), m, final position of the present move


@dataclass(frozen=True, eq=False)
class _Slot:
    """Rows of the solver's error vector that belong to the position of a goal."""

    row: int  # of the goal in the table of targets
    axes: slice  # controlled axes of the position; contiguous for all goals
    rows: slice  # of the errors
    scale: float  # from weighted errors to metres


class Performer:
    """A manikin in motion. Actions move its goals and comfort posture; `tick` tracks them.

    Postures, contacts and loads are recorded.
    """

    def __init__(
        self,
        manikin: Manikin,
        *,
        style: Style = NATURAL,
        dt: float = 0.01,
        start: ArrayLike | None = None,
    ) -> None:
        """Start at the posture `start` (relaxed when None), without goals."""
        self.manikin = manikin
        self.style = style
        self.dt = dt
        self.model: Model = manikin.model
        self.q = np.array(manikin.relaxed if start is None else start, dtype=float)
        self.dq = np.zeros_like(self.q)
        self.comfort = posture_of(manikin, style.standing)
        self.rows: list[Array] = []
        self.contacts: dict[str, tuple[Contact, float]] = {}  # with start time, s
        self.contact_phases: list[ContactPhase] = []
        self.loads: dict[str, tuple[Load, float]] = {}
        self.load_phases: list[LoadPhase] = []
        self.hand_forces: list[HandForce] = []
        self.shortfalls: list[Shortfall] = []
        self._goals: dict[str, Goal] = {}
        self._obstacles: dict[str, Obstacle] = {}
        self._solver: Solver | None = None
        self._clearance: Clearance | None = None
        self._limits = _performing_limits(self.model)
        self._arms = ArmClearance(self.model, dt)
        self._comfort_before = self.comfort.copy()
        self._laws = comfort_laws(self.model, dt)
        self._slots: dict[str, _Slot] = {}
        self._last_good = 0
        self._mass_centres: Array | None = None  # (n, 2), m, of the body at every row
        self.rehearsed_hips: dict[Side, Array] | None = None  # (n, 3), m, of the last rehearsal

    # -- reading ----------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Time since the start of the recording, s."""
        return self.dt * max(len(self.rows) - 1, 0)

    def posture(self) -> Posture:
        """Return the present posture of the model with its loads."""
        return Posture(self.model, self.q)

    def size(self, name: str) -> float:
        """Return a measure of the body, in m."""
        return self.manikin.anthropometry[name]

    @property
    def stature(self) -> float:
        """Height of the body, in m."""
        return self.manikin.anthropometry.stature

    # -- goals ------------------------------------------------------------------------------

    def goal(self, name: str) -> Goal:
        """Return the goal with this name; write to its position and rotation to move it."""
        try:
            return self._goals[name]
        except KeyError:
            raise UnknownName("goal", name, self._goals) from None

    def has_goal(self, name: str) -> bool:
        """Return whether there is a goal with this name."""
        return name in self._goals

    def set_goal(self, name: str, task: GoalTask, *, tolerance: float = np.inf) -> Goal:
        """Add a goal, or replace the one of this name; `tolerance` (m) is the largest error."""
        position, rotation = np.zeros(3), np.eye(3)
        match task:
            case PoseTask():
                position[:], rotation[:] = task.target.translation, task.target.rotation
            case OrientationTask():
                rotation[:] = task.target
            case _:
                position[:] = task.target
        self._goals[name] = Goal(task, position, rotation, tolerance)
        self._solver = None
        return self._goals[name]

    def drop_goals(self, *names: str) -> None:
        """Remove goals; names without a goal are ignored."""
        for name in names:
            if self._goals.pop(name, None) is not None:
                self._solver = None

    def avoid(self, solids: Mapping[str, Shape], *, distance: float = 0.01) -> None:
        """Keep a distance (m) to solids from now on, with priority over all goals."""
        self._obstacles = {name: Obstacle(solid, distance) for name, solid in solids.items()}
        self._solver = None

    # -- contacts and loads -----------------------------------------------------------------

    def add_contact(self, contact: Contact) -> None:
        """Add a supporting contact from now on."""
        self.contacts[contact.name] = contact, self.time

    def remove_contact(self, name: str) -> None:
        """Remove a contact from the next tick on."""
        contact, start = self.contacts.pop(name)
        self.contact_phases.append(ContactPhase(contact, start, self.time))

    def take_load(self, load: Load) -> None:
        """Carry a load from now on; it is part of the centre of mass at once."""
        self.loads[load.name] = load, self.time
        self._change_mass()

    def release_load(self, name: str) -> None:
        """Release a load."""
        load, start = self.loads.pop(name)
        self.load_phases.append(LoadPhase(load, start, self.time))
        self._change_mass()

    def _change_mass(self) -> None:
        """Rebuild the model with the present loads; the balance goal moves to the present CoM."""
        self.model = model_with_loads(self.manikin.model, [load for load, _ in self.loads.values()])
        self._solver = None
        if self.has_goal("balance"):
            self.goal("balance").position[:2] = self.posture().com[:2]

    # -- moving -----------------------------------------------------------------------------

    def allow_strides(self) -> None:
        """Let ankles bend as far as under load, and the pelvis move as in walking, from now on."""
        for side in SIDES:
            dof = self.model.dof_index(f"{side}_ankle_dorsiflexion")
            self._limits.upper[dof] = self.manikin.model.upper[dof]
        self._limits.velocity[GROUPS["root"]] = STRIDING_SPEED
        self._solver = None

    def swing_arms(self, rate: float = COMFORT_RATE) -> None:
        """Let the arms follow the comfort posture with a natural frequency, 1/s, from now on."""
        self._laws = comfort_laws(self.model, self.dt, arm_rate=rate)

    def settle(self, seconds: float = 1.5) -> None:
        """Converge to the posture of the present goals, then start the recording."""
        for _ in range(round(seconds / self.dt)):
            self._step()
        self.dq[:] = 0.0
        self.rows = [self.q.copy()]
        try:
            self.check_goals()
        except Infeasible as error:
            self.shortfalls.append(error.shortfall)

    def tick(self) -> None:
        """Track the goals for one tick, and record the posture."""
        self._lay_balance()
        self._step()
        self.rows.append(self.q.copy())
        if len(self.rows) % GOAL_CHECK_TICKS == 0:
            self.check_goals()

    def follow_mass_centre(self, positions: Array) -> None:
        """Move the body's mass centre through positions (n, 2), instead of what actions ask for."""
        self._mass_centres = positions

    def _lay_balance(self) -> None:
        """Aim the balance at the planned mass centre of body and loads."""
        if self._mass_centres is None or not self.has_goal("balance"):
            return
        row, posture = min(len(self.rows), len(self._mass_centres) - 1), self.posture()
        moment = (mass := self.manikin.model.mass) * self._mass_centres[row]
        for load, _ in self.loads.values():
            hands = [posture.position(f"{side}_hand")[:2] for side in load.hands]
            mass, moment = mass + load.mass, moment + load.mass * np.mean(hands, axis=0)
        self.goal("balance").position[:2] = moment / mass

    def _step(self) -> None:
        solver = self._solver or self._make_solver()
        lay_goals(*self._layout)
        comfortable_rates(
            self._laws, self.q, self.dq, self.comfort, self._comfort_before, self._comfort_goals
        )
        body = Posture(self.manikin.model, self.q)
        self._arms.add_rates(body, self.dq, self._comfort_goals[:, 2])
        if self._clearance is None:
            solver.tick()
            return
        step = self._clearance.step(solver, solver.q.copy(), solver.dq.copy())
        solver.q[:], solver.dq[:] = step.q, step.dq

    def goal_error(self, name: str, *, at: Array | None = None) -> float:
        """Return the position error of a goal before the last step, or to the point `at`, m."""
        slot = self._slots.get(name)
        if slot is None:
            return 0.0
        shift = ZERO_SHIFT if at is None else at - self._last_positions[slot.row]
        lead, axes = self._lead[slot.row], slot.axes
        return shortfall(self._errors[slot.rows], lead[axes], shift[axes], slot.scale)

    def check_goals(self) -> None:
        """Raise Infeasible, with the worst goal, if the error of one exceeds its tolerance."""
        late, is_lost = [], False  # a foot slips because a hand cannot reach: tell the hand
        for name, goal in self._goals.items():
            if goal.tolerance == np.inf:
                continue
            missing = self.goal_error(name)
            is_lost |= missing > goal.tolerance
            if missing > goal.tolerance / 2:
                late.append((self.goal_error(name, at=goal.aim), name))
        if is_lost:
            raise Infeasible(Shortfall(max(late)[1], self.time, max(late)[0]))
        if not late:
            self._last_good = len(self.rows)

    def rewind(self) -> None:
        """Return to the last check at which all errors were below half the tolerance."""
        self.rows = self.rows[: max(self._last_good, 1)]
        self.load_phases = [phase for phase in self.load_phases if phase.start <= self.time]
        self.loads = {name: held for name, held in self.loads.items() if held[1] <= self.time}
        self.q, self.dq = self.rows[-1].copy(), np.zeros_like(self.dq)
        self._solver = None

    def _make_solver(self) -> Solver:
        """Build the solver of the present goals, and move their targets into one table."""
        goals = list(self._goals.values())
        self._positions = np.array([goal.position for goal in goals]).reshape(-1, 3)
        self._rotations = np.array([goal.rotation for goal in goals]).reshape(-1, 3, 3)
        self._before, self._lead = self._positions.copy(), np.empty_like(self._positions)
        self._last_positions = self._before.copy()
        self._slots = _slots_of(self._goals)
        ratios = np.array([1 / (goal.task.gain * self.dt) for goal in goals])
        for row, goal in enumerate(goals):
            goal.position, goal.rotation = self._positions[row], self._rotations[row]
        weights = self._joint_weights()
        comfort = PostureTask(self.comfort, weights, gain=0.0, weight=COMFORT_WEIGHT)
        self._clearance = Clearance(self.model, self._obstacles) if self._obstacles else None
        solver = Solver(
            self.model,
            [*(goal.task for goal in goals), comfort],
            dt=self.dt,
            damping=Damping(DAMPING, "constant", reach=0.0),  # the comfort task damps enough
            limits=self._limits,
            weights=weights,
            max_inequalities=self._clearance.max_gaps if self._clearance else 0,
        )
        self._layout = (
            self._positions, self._rotations, self._before, self._last_positions, ratios,
            self._lead, solver.positions, solver.rotations,
        )  # fmt: skip
        self._comfort_goals = solver.arena[FloatBlock.POSTURE_TARGETS]
        self._errors = solver.arena.flat(FloatBlock.ERROR)
        solver.q[:], solver.dq[:] = self.q, self.dq
        self.q, self.dq = solver.q, solver.dq
        self._solver = solver
        return solver

    def _joint_weights(self) -> Array:
        """Return the joint weights; an arm without a goal does not serve as counterweight."""
        weights = self.style.joint_weights(self.manikin)
        for side in SIDES:
            if not self.has_goal(f"{side}_hand"):
                weights[GROUPS[f"{side}_arm"]] *= IDLE_ARM_FACTOR
        return weights


def _slots_of(goals: Mapping[str, Goal]) -> dict[str, _Slot]:
    """Return the error rows of each goal, in the order of the solver: positions first."""
    slots, first = {}, 0
    for row, (name, goal) in enumerate(goals.items()):
        controlled, count = _rows_of(goal.task)
        if controlled:
            rows = slice(first, first + len(controlled))
            axes = slice(controlled[0], controlled[-1] + 1)
            slots[name] = _Slot(row, axes, rows, goal.task.weight**-0.5)
        first += count
    return slots


def _rows_of(task: GoalTask) -> tuple[list[int], int]:
    """Return the controlled axes of a task's position, and the number of its rows."""
    match task:
        case OrientationTask():
            return [], len(task.axes)
        case PoseTask():
            return [0, 1, 2], 6
    axes = axis_rows(task.axes)
    return axes, len(axes)


def _performing_limits(model: Model) -> Limits:
    limits = Limits.of(model)
    lower, upper = limits.lower.copy(), limits.upper.copy()
    for side in SIDES:
        lower[model.dof_index(f"{side}_knee_flexion")] = MIN_KNEE_FLEXION
        lower[model.dof_index(f"{side}_elbow_flexion")] = MIN_ELBOW_FLEXION
        upper[model.dof_index(f"{side}_ankle_dorsiflexion")] = MAX_DORSIFLEXION
    velocity = limits.velocity.copy()
    for group, most in MAX_SPEEDS.items():
        velocity[GROUPS[group]] = np.minimum(velocity[GROUPS[group]], most)
    return Limits(lower, upper, velocity, limits.acceleration)
