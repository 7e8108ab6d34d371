"""A haptic device in its loop: hand, sensor, virtual environment, resolution, servo, safety.

Everything between two samples is one compiled call.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.haptics.loop import layout, loop_kernels
from robotix.haptics.loop.drives import JointDrive, drives_for, link_inertia, pack_drives
from robotix.haptics.loop.environment import HapticElement, pack_elements
from robotix.haptics.loop.settings import LoopSettings, OperatorArm
from robotix.kinematics import Posture
from robotix.kinematics.kernels.tables import REVOLUTE, tables_of
from robotix.kinematics.point_location import locate_point
from robotix.model import Model

__all__ = [
    "HapticLoop",
    "InjectedFault",
    "LoopFault",
    "LoopHistory",
    "LoopOutcome",
    "StopReason",
    "pack_chain",
    "run_loops",
]


_NO_INPUTS, _NO_TRACE = np.zeros((0, 6)), np.zeros((0, loop_kernels.N_TRACE))


class StopReason(StrEnum):
    """Why a device was stopped."""

    running = "running"  # it was not
    watchdog = "watchdog"
    rate = "rate"  # a joint was too fast
    dead_man = "dead_man"
    emergency = "emergency"
    force = "force"
    sensor = "sensor"  # the force sensor gave no number
    encoder = "encoder"  # the two counters of a joint disagree
    lag = "lag"  # a joint did not follow
    command = "command"  # the simulation itself became infinite


class LoopFault(StrEnum):
    """Faults that can be put into a run."""

    force_nan = "force_nan"  # the force sensor tells NaN
    encoder_frozen = "encoder_frozen"
    controller_late = "controller_late"  # misses some samples
    cable_cut = "cable_cut"  # no samples any more


@dataclass(frozen=True)
class InjectedFault:
    """A fault and its time."""

    kind: LoopFault
    time: float = 0.0  # s, after the start of the run
    late: int = 8  # samples that a late controller misses


@dataclass(frozen=True, eq=False)
class LoopHistory:
    """A run, sample by sample."""

    times: Array  # (n,), s
    positions: Array  # (n, 3), m, of the handle
    velocities: Array  # (n, 3), m/s
    hand_forces: Array  # (n, 3), N, of the hand on the handle
    rendered: Array  # (n, 3), N, f_r
    virtual_positions: Array  # (n, 3), m
    stop_codes: Array  # (n,)
    loads: Array  # (n,), largest torque of a joint, of its limit
    port_energy: Array  # (n,), J, that the hand has given to the device
    stored: Array  # (n,), J, that the environment has taken up

    @classmethod
    def of(cls, trace: Array) -> LoopHistory:
        """Read the rows of the kernel."""
        t = trace
        return cls(
            t[:, 0], t[:, 1:4], t[:, 4:7], t[:, 7:10], t[:, 10:13], t[:, 13:16], t[:, 16],
            t[:, 17], t[:, 18], t[:, 19],
        )  # fmt: skip


@dataclass(frozen=True)
class LoopOutcome:
    """What became of a run."""

    is_settled: bool  # the last quarter moved less than the one before, or not at all
    max_penetration: float  # m
    max_speed: float  # m/s
    energy_leak: float  # J, the most that the environment gave out beyond what it had taken up
    saturations: int  # torques that were cut
    reason: StopReason
    stop_time: float | None  # s
    brake_time: float | None  # s, motors shorted
    rest_time: float | None  # s, joints at rest after that

    @property
    def is_stable(self) -> bool:
        """Whether the device settled and was not stopped."""
        return self.is_settled and self.reason is StopReason.running


def pack_chain(model: Model) -> layout.Chain:
    """Return a serial device of turning joints, packed; raise `BadField` for another."""
    t = tables_of(model)
    is_serial = all(row[0] == i - 1 for i, row in enumerate(t.link_ints))
    if not is_serial or (t.link_ints[:, 1] != REVOLUTE).any() or t.n_columns != t.n_dof:
        raise BadField("model", "a serial arm of turning joints", model.name)
    tip = locate_point(model)
    return layout.Chain(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
        t.support_start, t.support, t.gravity, tip.link, tip.offset,
    )  # fmt: skip


class HapticLoop:
    """A device, its computer and the operator; `step` moves all on by one sample.

    Args:
        model: A serial arm of turning joints.
        q0: The posture at the start, at rest.
        settings: Display, servo, sensor, safety.
        elements: The virtual environment.
        arm: The operator's hand and arm; at the start it rests at the handle.
        drives: Motors and gears; those of `drives_for` when None.
        seed: Of the sensor's noise.
        is_computer: Only the computer: it is given samples by `compute`, and moves nothing.
    """

    def __init__(
        self,
        model: Model,
        q0: ArrayLike,
        *,
        settings: LoopSettings | None = None,
        elements: Sequence[HapticElement] = (),
        arm: OperatorArm | None = None,
        drives: Sequence[JointDrive] | None = None,
        seed: int = 1,
        is_computer: bool = False,
    ) -> None:
        self.model = model
        self.settings = LoopSettings() if settings is None else settings
        arm = OperatorArm() if arm is None else arm
        self.settings.check_hand(arm)
        if self.settings.is_partitioned and model.name != "vishard10":
            raise BadField("is_partitioned", "False for any other device than vishard10", True)
        q = np.array(q0, dtype=float)
        if q.shape != (model.n_dof,) or not np.isfinite(q).all():
            raise BadField("q0", f"{model.n_dof} finite angles", q0)
        self._chain = pack_chain(model)
        self._work = layout.make_scratch(len(self._chain.link_ints), model.n_dof)
        posture = Posture(model, q)
        drives = drives_for(model) if drives is None else tuple(drives)
        if len(drives) != model.n_dof:
            raise BadField("drives", f"one for each of {model.n_dof} joints", len(drives))
        self._drives = pack_drives(drives, np.diag(link_inertia(posture)))
        self._p = self.settings.row()
        if is_computer:
            self._drives[layout.ENCODER_STEP] = 0.0  # the samples are counted already
            self._drives[layout.MAX_LAG] = np.inf  # and the device watches over itself
            self._p[[layout.COUNTER_WINDOW, layout.MAX_FORCE, layout.MAX_SLIP]] = np.inf
            self._p[layout.SUBSTEPS] = 0  # nothing moves here
        self._elements = pack_elements(elements)
        pose = posture.pose()
        self._hand = arm.row(pose.translation, pose.rotation)
        self._joints = np.zeros((layout.N_JOINT, model.n_dof))
        self._state = np.zeros(layout.N_STATE)
        self._place(q, pose.translation, pose.rotation, seed)

    def _place(self, q: Array, position: Array, rotation: Array, seed: int) -> None:
        joints, state, steps = self._joints, self._state, self._drives[layout.ENCODER_STEP]
        joints[[layout.Q, layout.Q_WANTED, layout.Q_HOME]] = q
        counted = np.where(steps > 0, np.floor(q / np.where(steps > 0, steps, 1)) * steps, q)
        joints[[layout.Q_SEEN, layout.SEEN_BEFORE]] = counted
        for at in (layout.VIRTUAL_X, layout.HAND_X, layout.TIP_X, layout.SEEN_X):
            state[at : at + 3] = position
        for at in (layout.VIRTUAL_R, layout.TIP_R):
            state[at : at + 9] = rotation.ravel()
        state[layout.SEED] = 1 + seed % 2147483646
        state[layout.DEAD_MAN] = 1.0
        state[[layout.BRAKE_TIME, layout.REST_TIME]] = -1.0
        state[layout.WINDOW_B] = self.settings.safety.counter_window / 2

    # -- the operator ------------------------------------------------------------------------

    def push(self, force: ArrayLike) -> None:
        """Set the voluntary force of the hand, (3,), N."""
        self._hand[layout.HAND_PUSH : layout.HAND_PUSH + 3] = _triple("force", force)

    def turn(self, torque: ArrayLike) -> None:
        """Set the voluntary torque of the hand, (3,), N m."""
        self._hand[layout.HAND_TORQUE : layout.HAND_TORQUE + 3] = _triple("torque", torque)

    def reach(self, position: ArrayLike) -> None:
        """Set where the hand wants to be, (3,), m."""
        self._hand[layout.HAND_GOAL : layout.HAND_GOAL + 3] = _triple("position", position)

    def hold_dead_man(self, is_held: bool) -> None:
        """Press the dead-man button, or let it go."""
        self._state[layout.DEAD_MAN] = float(is_held)

    def press_emergency_stop(self) -> None:
        """Press the emergency stop."""
        self._state[layout.EMERGENCY] = 1.0

    # -- the loop ----------------------------------------------------------------------------

    def step(self) -> None:
        """Move on by one sample."""
        self._advance(1, _NO_INPUTS, _NO_TRACE, (layout.NO_FAULT, 0, 0))

    def _advance(self, n: int, inputs: Array, trace: Array, fault: tuple[int, int, int]) -> bool:
        return loop_kernels.run_loop(
            self._chain, self._work, self._drives, self._p, self._hand, self._elements,
            self._joints, self._state, inputs, *fault, n, trace,
        )  # fmt: skip

    def skip(self) -> None:
        """Move on by one sample without the computer."""
        self._advance(1, _NO_INPUTS, _NO_TRACE, (layout.CABLE_CUT, 0, 0))

    def stop(self, reason: StopReason) -> None:
        """Stop the device for good."""
        if self._state[layout.STOP_REASON] == layout.RUNNING:
            self._state[layout.STOP_REASON] = list(StopReason).index(reason)
            self._state[layout.STOP_TIME] = self._state[layout.TIME]

    def compute(self, q: ArrayLike, wrench: ArrayLike) -> Array:
        """Return the torques for measured angles and a measured wrench; NaN for no numbers."""
        angles, push = np.asarray(q, dtype=float), np.asarray(wrench, dtype=float)
        if angles.shape != (self.model.n_dof,) or push.shape != (6,):
            raise BadField("reading", f"{self.model.n_dof} angles and a wrench", angles.shape)
        if not (np.isfinite(angles).all() and np.isfinite(push).all()):
            return np.full(self.model.n_dof, np.nan)
        self._joints[layout.Q] = angles
        self._state[layout.GRIP : layout.GRIP + 6] = push
        self.step()
        return np.array(self._joints[layout.TORQUE])

    def run(
        self,
        seconds: float,
        *,
        inputs: ArrayLike | None = None,
        fault: InjectedFault | None = None,
        is_traced: bool = True,
    ) -> tuple[LoopOutcome, LoopHistory]:
        """Run for some time; `inputs` (samples, 6) are the hand's force and goal at every sample.

        Without `is_traced` the history is empty.
        """
        n = round(seconds * self.settings.rate)
        if n < 1:
            raise BadField("seconds", "at least one sample", seconds)
        rows = _NO_INPUTS if inputs is None else np.array(inputs, dtype=float)
        if rows.shape not in ((0, 6), (n, 6)) or not np.isfinite(rows).all():
            raise BadField("inputs", f"{n} rows of six finite numbers", rows.shape)
        trace = np.zeros((n if is_traced else 0, loop_kernels.N_TRACE))
        is_settled = self._advance(n, rows, trace, _fault_numbers(fault, self.settings.rate))
        return self.outcome(is_settled=is_settled), LoopHistory.of(trace)

    def outcome(self, *, is_settled: bool = True) -> LoopOutcome:
        """Return what has become of the loop until now."""
        s = self._state

        def instant(at: int) -> float | None:
            return float(s[at]) if s[at] >= 0 else None

        reason = list(StopReason)[int(s[layout.STOP_REASON])]
        return LoopOutcome(
            is_settled, float(s[layout.DEEPEST]), float(s[layout.FASTEST]),
            0.0 - float(s[layout.LOWEST_STORED]), int(s[layout.SATURATED]), reason,
            None if reason is StopReason.running else float(s[layout.STOP_TIME]),
            instant(layout.BRAKE_TIME), instant(layout.REST_TIME),
        )  # fmt: skip

    @property
    def q(self) -> Array:
        """True angles of the joints, (n_dof,)."""
        return np.array(self._joints[layout.Q])

    @property
    def dq(self) -> Array:
        """True rates of the joints, (n_dof,), rad/s."""
        return np.array(self._joints[layout.DQ])

    @property
    def position(self) -> Array:
        """True position of the handle, (3,), m."""
        return np.array(self._state[layout.TIP_X : layout.TIP_X + 3])

    @property
    def twist(self) -> Array:
        """True linear, then angular velocity of the handle, (6,)."""
        return np.array(self._state[layout.TIP_V : layout.TIP_V + 6])

    @property
    def hand_wrench(self) -> Array:
        """Wrench of the hand on the handle, (6,), N and N m."""
        return np.array(self._state[layout.GRIP : layout.GRIP + 6])

    @property
    def rendered(self) -> Array:
        """f_r, the wrench that is subtracted from the hand's, (6,)."""
        return np.array(self._state[layout.RENDERED : layout.RENDERED + 6])

    @property
    def virtual_pose(self) -> Pose:
        """Where the virtual handle is: the desired pose of an admittance."""
        s = self._state
        return Pose(
            np.array(s[layout.VIRTUAL_R : layout.VIRTUAL_R + 9]).reshape(3, 3),
            np.array(s[layout.VIRTUAL_X : layout.VIRTUAL_X + 3]),
        )

    @property
    def virtual_twist(self) -> Array:
        """Linear, then angular velocity of the virtual handle, (6,)."""
        return np.array(self._state[layout.VIRTUAL_V : layout.VIRTUAL_V + 6])

    def replace_element(self, index: int, element: HapticElement) -> None:
        """Replace a part of the virtual environment from the next sample on."""
        if not 0 <= index < len(self._elements):
            raise BadField("index", f"0 to {len(self._elements) - 1}", index)
        self._elements[index] = element.row()

    @property
    def port_energy(self) -> float:
        """Work that the hand has done on the device, J."""
        return float(self._state[layout.PORT_ENERGY])

    def mechanical_energy(self) -> float:
        """Return kinetic and potential energy of links and rotors, J."""
        posture, dq = Posture(self.model, self.q), self.dq
        M = link_inertia(posture) + np.diag(self._drives[layout.ROTOR])
        height = self.model.mass * float(np.dot(self.model.gravity, posture.com))
        return 0.5 * float(dq @ M @ dq) - height

    @property
    def penetration(self) -> float:
        """How deep the handle is in a solid, m."""
        return float(self._state[layout.PENETRATION])


def run_loops(
    loops: Sequence[HapticLoop], seconds: float, *, threads: int = 1
) -> list[LoopOutcome]:
    """Run many loops without their histories."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return list(pool.map(lambda each: each.run(seconds, is_traced=False)[0], loops))


def _triple(name: str, value: ArrayLike) -> Array:
    out = np.asarray(value, dtype=float)
    if out.shape != (3,) or not np.isfinite(out).all():
        raise BadField(name, "three finite numbers", value)
    return out


def _fault_numbers(fault: InjectedFault | None, rate: float) -> tuple[int, int, int]:
    if fault is None:
        return layout.NO_FAULT, 0, 0
    return 1 + list(LoopFault).index(fault.kind), round(fault.time * rate), fault.late
