"""The performer: a manikin that is told where a few points should be, and finds the rest.

All goals stand in one augmented Jacobian: the feet, the centre of mass over the support, the hands,
the pelvis, the trunk. Their weights say which of them gives way when they cannot all be met, the
comfort posture and the style's joint weights choose among the postures that meet them. Joint limits
are kept exactly, at every tick.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose, Shape
from robotix.human.contacts import Contact, ContactPhase, sole
from robotix.human.loads import Load, LoadPhase, loaded
from robotix.human.manikin import GROUPS, Manikin
from robotix.human.skeleton import SIDES, Side
from robotix.human.styles import NATURAL, Style, posture_of
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
from robotix.kinematics.arena import Block
from robotix.model import ControlPoint, Model

__all__ = ["Action", "Goal", "GoalTask", "Infeasible", "Performer", "Shortfall"]

Action: TypeAlias = Generator[None, None, None]  # one yield a tick
GoalTask: TypeAlias = PointTask | OrientationTask | PoseTask | ComTask

# Weights: what gives way when not all can be met. Squares of m/s and rad/s are compared.
FOOT, BALANCE, HAND, PALM, HEIGHT, TURN, LEVEL, TRUNK = (
    *(1e5, 1e4, 1e2, 0.3),
    *(1e2, 3.0, 1.0, 0.3),
)
COMFORT = 1e-2
COMFORT_RATE = 5.0  # rad/s: how quickly joints go to where they are comfortable
STIFF_GAIN = 25.0  # 1/s, of goals that may be out of reach
SOFT_GAIN = 6.0  # 1/s, of goals that matter less
LAZINESS = 3e-3  # damping: the square is what a joint of weight 1 pays for 1 rad/s
IDLE_ARM = 20.0  # how much lazier an arm without a goal is
LEAST_KNEE = np.radians(4.0)  # knees are never locked

LOOK_EVERY = 5  # ticks between checks that the goals are met
FOOT_LEASH, BALANCE_LEASH, HAND_LEASH = 2e-3, 0.02, 0.04  # m; farther off, the performer gives up


@dataclass(frozen=True)
class Shortfall:
    """What could not be met, when, and by how much."""

    what: str
    time: float  # s
    missing: float  # m

    def __str__(self) -> str:
        return f"{self.what} falls short by {100 * self.missing:.1f} cm at {self.time:.2f} s"


class Infeasible(Exception):
    """A goal that the body cannot meet; the performer stops there."""

    def __init__(self, shortfall: Shortfall) -> None:
        super().__init__(shortfall)
        self.shortfall = shortfall


@dataclass(eq=False)
class Goal:
    """A task, and where its target shall be at the end of the tick."""

    task: GoalTask
    position: Array  # (3,), write to it
    rotation: Array  # (3, 3), write to it
    leash: float = np.inf  # m; how far off it may be before the performer gives up


class Performer:
    """A manikin in motion. Actions move its goals and comfort; `tick` follows them.

    What it did is recorded: postures, contacts and loads.
    """

    def __init__(
        self,
        manikin: Manikin,
        *,
        style: Style = NATURAL,
        dt: float = 0.01,
        start: ArrayLike | None = None,
    ) -> None:
        """Stand at ease, or at the posture `start`, both feet on the floor."""
        self.manikin = manikin
        self.style = style
        self.dt = dt
        self.model: Model = manikin.model
        self.q = np.array(manikin.relaxed if start is None else start, dtype=float)
        self.dq = np.zeros_like(self.q)
        self.comfort = posture_of(manikin, style.standing)
        self.rows: list[Array] = []
        self.contacts: dict[str, tuple[Contact, float]] = {}
        self.contact_phases: list[ContactPhase] = []
        self.loads: dict[str, tuple[Load, float]] = {}
        self.load_phases: list[LoadPhase] = []
        self.shortfalls: list[Shortfall] = []
        self._goals: dict[str, Goal] = {}
        self._solver: Solver | None = None
        self._obstacles: dict[str, Obstacle] = {}
        self._clearance: Clearance | None = None
        self._comfort_before = self.comfort.copy()
        self._limits = _performing_limits(self.model)
        self._toes = [self.model.dof_index(f"{side}_toe_extension") for side in SIDES]
        posture = self.posture()
        for side in SIDES:
            self.place_foot(side, posture.pose(f"{side}_foot"))
            self.touch(sole(manikin, side))
        self.balance_at(posture.com)

    # -- reading ----------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Time since the recording began, in s."""
        return self.dt * max(len(self.rows) - 1, 0)

    def posture(self) -> Posture:
        """Return the posture now, loads included."""
        return Posture(self.model, self.q)

    def size(self, name: str) -> float:
        """Return a measure of the body, in m."""
        return self.manikin.anthropometry[name]

    def goal(self, name: str) -> Goal:
        """Return the goal with this name; write to its position and rotation to move it."""
        return self._goals[name]

    def has_goal(self, name: str) -> bool:
        """Tell whether there is a goal with this name."""
        return name in self._goals

    # -- goals ------------------------------------------------------------------------------

    def want(self, name: str, task: GoalTask, *, leash: float = np.inf) -> Goal:
        """Take up a goal, in place of the one of the same name."""
        position, rotation = np.zeros(3), np.eye(3)
        match task:
            case PoseTask():
                position[:], rotation[:] = task.target.translation, task.target.rotation
            case OrientationTask():
                rotation[:] = task.target
            case _:
                position[:] = task.target
        self._goals[name] = Goal(task, position, rotation, leash)
        self._solver = None
        return self._goals[name]

    def drop(self, *names: str) -> None:
        """Give goals up; those that are not there are no matter."""
        for name in names:
            if self._goals.pop(name, None) is not None:
                self._solver = None

    def place_foot(self, side: Side, pose: Pose) -> None:
        """Keep a foot at a pose: a stance foot, or the next place of a swinging one."""
        task = PoseTask(f"{side}_foot", pose, gain=1 / self.dt, weight=FOOT)
        self.want(f"{side}_foot", task, leash=FOOT_LEASH)

    def balance_at(self, place: ArrayLike) -> None:
        """Keep the centre of mass over a place; only x and y count."""
        target = np.array([*np.asarray(place, dtype=float)[:2], 0.0])
        task = ComTask(target, axes="xy", gain=STIFF_GAIN, weight=BALANCE)
        self.want("balance", task, leash=BALANCE_LEASH)

    def hold_hand(self, side: Side, place: ArrayLike, *, palm: Array | None = None) -> None:
        """Keep a hand at a place; with `palm`, also turned as now, but free to spin about its y."""
        point = f"{side}_hand"
        self.want(
            point,
            PointTask(point, np.array(place, dtype=float), gain=STIFF_GAIN, weight=HAND),
            leash=HAND_LEASH,
        )
        if palm is None:
            self.drop(f"{side}_palm")
            return
        now = self.posture().pose(point).rotation
        task = OrientationTask(
            point, now, turns="xz", frame=np.array(palm), gain=STIFF_GAIN, weight=PALM
        )
        self.want(f"{side}_palm", task)

    def free_hand(self, side: Side) -> None:
        """Let a hand follow comfort."""
        self.drop(f"{side}_hand", f"{side}_palm")

    def hold_height(self, height: float, *, weight: float = HEIGHT) -> None:
        """Keep the pelvis at a height."""
        task = PointTask(
            "pelvis", np.array([0.0, 0.0, height]), axes="z", gain=STIFF_GAIN, weight=weight
        )
        self.want("height", task)

    def hold_point(self, name: str, point: ControlPoint, *, weight: float = BALANCE) -> None:
        """Keep a point of the body where it is now."""
        place = self.posture().position(point)
        self.want(name, PointTask(point, place, gain=STIFF_GAIN, weight=weight))

    def face(self, rotation: Array, *, weight: float = TURN) -> None:
        """Turn the pelvis about the vertical; how it tilts is free."""
        task = OrientationTask(
            "pelvis", np.array(rotation), turns="z", gain=STIFF_GAIN, weight=weight
        )
        self.want("pelvis_turn", task)

    def stay_upright(self) -> None:
        """Keep pelvis and trunk upright and the pelvis as high as it is."""
        heading = self.goal("pelvis_turn").rotation
        if not self.has_goal("height"):
            self.hold_height(float(self.posture().position("pelvis")[2]))
        if not self.has_goal("pelvis_level"):
            task = OrientationTask(
                "pelvis", heading, turns="xy", gain=SOFT_GAIN, weight=LEVEL
            )
            self.want("pelvis_level", task)
        if not self.has_goal("trunk_turn"):
            self.want_trunk(heading)

    def loosen(self) -> None:
        """Bend as the other goals and comfort ask for."""
        self.drop("height", "pelvis_level", "trunk_turn")

    def want_trunk(self, rotation: Array, *, turns: str = "xyz", weight: float = TRUNK) -> None:
        """Turn the trunk, and with it the head, about some of the axes."""
        task = OrientationTask(
            "chest", np.array(rotation), turns=turns, gain=SOFT_GAIN, weight=weight
        )
        self.want("trunk_turn", task)

    def avoid(self, solids: Mapping[str, Shape], *, distance: float = 0.01) -> None:
        """Keep clear of solids from now on, whatever the goals ask for."""
        self._obstacles = {name: Obstacle(solid, distance) for name, solid in solids.items()}
        self._solver = None

    # -- contacts and loads -----------------------------------------------------------------

    def touch(self, contact: Contact) -> None:
        """Stand on a contact from now on."""
        self.contacts[contact.name] = contact, self.time

    def leave(self, name: str) -> None:
        """Bear nothing on a contact from the next tick on."""
        contact, start = self.contacts.pop(name)
        self.contact_phases.append(ContactPhase(contact, start, self.time))

    def take(self, load: Load) -> None:
        """Carry a load from now on: it counts in the centre of mass at once."""
        self.loads[load.name] = load, self.time
        self._load_changed()

    def put(self, name: str) -> Load:
        """Carry a load no more."""
        load, start = self.loads.pop(name)
        self.load_phases.append(LoadPhase(load, start, self.time))
        self._load_changed()
        return load

    def _load_changed(self) -> None:
        """Go on with the mass as it is now, from where its centre is now."""
        self.model = loaded(self.manikin.model, [load for load, _ in self.loads.values()])
        self._solver = None
        if self.has_goal("balance"):
            self.balance_at(self.posture().com)

    # -- moving -----------------------------------------------------------------------------

    def settle(self, seconds: float = 2.0) -> None:
        """Take up the posture that goals and comfort ask for, before the recording begins."""
        for _ in range(round(seconds / self.dt)):
            self._step()
        self.dq[:] = 0.0
        self.rows = [self.q.copy()]

    def tick(self) -> None:
        """Follow the goals for one tick, and record it."""
        if not self.rows:
            self.rows.append(self.q.copy())
        self._step()
        self.rows.append(self.q.copy())
        if len(self.rows) % LOOK_EVERY == 0:
            self.check_goals()

    def _step(self) -> None:
        solver = self._solver or self._make_solver()
        np.subtract(self._positions, self._before, out=self._lead)
        np.multiply(self._lead, self._ratios, out=self._lead)
        np.add(self._before, self._lead, out=solver.positions[:-1])
        solver.rotations[:-1] = self._rotations
        self._before[:] = self._positions
        self._comfort_goals[:, 2] = self._comfortable_rates()
        if self._clearance is None:
            solver.tick()
            return
        step = self._clearance.step(solver, solver.q.copy(), solver.dq.copy())
        solver.q[:], solver.dq[:] = step.q, step.dq

    def _comfortable_rates(self) -> Array:
        """Return the joint velocities to stay near: go on as now, drawn softly to comfort.

        So joints change their speed gently where the goals leave a choice, also when goals change.
        """
        rates = (self.comfort - self._comfort_before) / self.dt
        self._comfort_before[:] = self.comfort
        pull = COMFORT_RATE * (self.comfort - self.q) + 2 * (rates - self.dq)
        pull[:6] = -2 * self.dq[:6]  # the root has no place of comfort
        wish = self.dq + self.dt * COMFORT_RATE * pull
        wish[self._toes] = (self.comfort - self.q)[self._toes] / self.dt  # part of the step's plan
        return np.asarray(wish)

    def check_goals(self) -> None:
        """Give up when a goal is farther off than its leash."""
        posture = self.posture()
        for name, goal in self._goals.items():
            if goal.leash < np.inf:
                missing = _distance(posture, goal)
                if missing > goal.leash:
                    raise Infeasible(Shortfall(name, self.time, missing))

    def _joint_weights(self) -> Array:
        """Return the style's weights; an arm without a goal is no counterweight."""
        weights = self.style.joint_weights(self.manikin)
        for side in SIDES:
            if not self.has_goal(f"{side}_hand"):
                weights[GROUPS[f"{side}_arm"]] *= IDLE_ARM
        return weights

    def _make_solver(self) -> Solver:
        """Lay out the goals; their targets stand in one table from now on."""
        goals = list(self._goals.values())
        self._positions = np.array([goal.position for goal in goals])
        self._rotations = np.array([goal.rotation for goal in goals])
        self._before, self._lead = self._positions.copy(), np.empty_like(self._positions)
        self._ratios = np.array([[1 / (goal.task.gain * self.dt)] for goal in goals])
        for row, goal in enumerate(goals):
            goal.position, goal.rotation = self._positions[row], self._rotations[row]
        weights = self._joint_weights()
        comfort = PostureTask(self.comfort, weights, gain=0.0, weight=COMFORT)
        self._clearance = Clearance(self.model, self._obstacles) if self._obstacles else None
        solver = Solver(
            self.model,
            [*(goal.task for goal in goals), comfort],
            dt=self.dt,
            damping=Damping(LAZINESS, "constant"),
            limits=self._limits,
            weights=weights,
            max_inequalities=self._clearance.max_gaps if self._clearance else 0,
        )
        self._comfort_goals = solver.arena[Block.POSTURE_GOALS]
        solver.q[:], solver.dq[:] = self.q, self.dq
        self.q, self.dq = solver.q, solver.dq
        self._solver = solver
        return solver


def _performing_limits(model: Model) -> Limits:
    limits = Limits.of(model)
    lower = limits.lower.copy()
    for side in SIDES:
        lower[model.dof_index(f"{side}_knee_flexion")] = LEAST_KNEE
    return Limits(lower, limits.upper, limits.velocity, limits.acceleration)


def _distance(posture: Posture, goal: Goal) -> float:
    """Return how far a goal's point is from its target, in m."""
    match goal.task:
        case ComTask():
            return float(np.linalg.norm((posture.com - goal.position)[:2]))
        case PointTask() | PoseTask():
            return float(np.linalg.norm(posture.position(goal.task.point) - goal.position))
    return 0.0
