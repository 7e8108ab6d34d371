"""Tracking of a few recorded points by a manikin.

Hands, feet, pelvis and head are given; knees, elbows, shoulders and back follow from joint limits,
balance and a comfort posture. The toes of stance feet have the first priority and do not move. The
driven points have the second, weighted against comfort: one radian is worth about a centimetre.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robotix.capture.body_contacts import (
    PARTS,
    GivenContact,
    hand_rows,
    has_still_hands,
    knee_rows,
    kneels_of,
    knees_down,
    rows_of,
    standing_rows,
)
from robotix.capture.marker_feet import FootPath, Mask, Soles, follow_feet, plant_feet
from robotix.capture.marker_plan import CONTROLS, MarkerPlan, load_plan
from robotix.capture.marker_recording import (
    DEFAULT_RATE,
    MarkerRecording,
    WrongUpAxis,
    is_upright,
    prepare,
)
from robotix.capture.markers import AxisName
from robotix.capture.mocap_files import load_markers
from robotix.capture.sitting import SEATED_HEIGHT, sitting_rows, unsteady_rows
from robotix.geometry import Array, Pose
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES, Side
from robotix.kinematics import Damping, Limits, PointTask, PoseTask, Posture, PostureTask, Solver
from robotix.model import ControlPoint
from robotix.motion import Motion

__all__ = ["Followed", "follow", "follow_file"]

AXES: tuple[AxisName, ...] = ("x", "y", "z")
SETTLE_TIME = 3.0  # s, to converge to the first posture
POINT_GAIN = 20.0  # 1/s, of the driven points
COMFORT_WEIGHT = 1e-3  # weight against 1 for a driven point
COMFORT_GAIN = 5.0  # 1/s
SWING_WEIGHT = 1e-2  # of a swing foot, against 1 of a stance foot
HINGE_COMFORT_WEIGHT = 0.05  # of knees and elbows, which pelvis and hands determine
MIN_KNEE_FLEXION = np.radians(4.0)
BACK_WEIGHT = 4.0  # of the back joints, against 1: arms reach before the trunk twists
DAMPING = 0.005
SUPPORT_MARGIN = 0.01  # m, of the centre of mass inside the support polygon
RETURN_RATE = 5.0  # 1/s, of the centre of mass back into the polygon
MAX_RETURN_SPEED = 0.3  # m/s
FADE_TIME = 0.4  # s, in which a marker regains its weight after a gap
LOST_WEIGHT = 1e-6  # of a marker in a gap
MAX_EDGES = 32  # of a support polygon


@dataclass(frozen=True, eq=False)
class Followed:
    """The motion of a manikin that tracked a recording."""

    recording: MarkerRecording
    motion: Motion
    feet: Mapping[Side, FootPath]
    relaxed_ticks: int  # at which not all inequalities were feasible
    sits: Mask  # (k,), on a seat
    unsteady: Mask  # (k,), where feet and knees alone need not support the body: there, while
    # momentum carries the body from or to it, and while a hand holds on or pushes
    touches: Mapping[str, Mask] = field(default_factory=dict)  # (k,) by hand and knee


def follow_file(
    path: str | os.PathLike[str],
    *,
    plan: str | os.PathLike[str] | MarkerPlan,
    unit: str | float | None = None,
    up: AxisName | None = None,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
    rate: float = DEFAULT_RATE,
    static: str | os.PathLike[str] | None = None,
    seat: bool | None = None,
    contacts: Sequence[GivenContact] = (),
) -> Followed:
    """Track a recording with a manikin of the subject's size.

    Args:
        path: A `.c3d`, `.bvh` or `.trc` file.
        plan: Which marker is where; see `marker_plan`.
        unit: The file's unit of length; as the file says when None, else as the plan does.
        up: The file's upward axis, where it does not say it.
        sex: Of the subject.
        stature: In m; estimated from the markers when None.
        mass: In kg; the mean at the stature when None.
        rate: Of the control loop and of the motion, in Hz.
        static: A recording with the same markers in whose first row the subject stands upright: it
            gives the lengths of the body; the row of the plan when None.
        seat: Whether the subject may sit on something; found from the recording when None.
        contacts: What touches something when; parts of the body that are not named are found.
    """
    whole = plan if isinstance(plan, MarkerPlan) else load_plan(plan)
    subject: dict[str, Any] = {"sex": sex, "stature": stature, "mass": mass, "rate": rate}
    try:
        markers = load_markers(path, unit=unit, up=up, usual=whole.unit)
        upright = (
            None if static is None else load_markers(static, unit=unit, up=up, usual=whole.unit)
        )
        return follow(
            prepare(markers, whole, static=upright, **subject), seat=seat, contacts=contacts
        )
    except WrongUpAxis as error:
        fitting = [
            axis
            for axis in AXES
            if is_upright(load_markers(path, unit=unit, up=axis, usual=whole.unit), whole)
        ]
        hint = f" They are with {fitting[0]} up: give --up {fitting[0]}" if fitting else ""
        raise WrongUpAxis(f"{error}{hint}") from None


def follow(
    recording: MarkerRecording,
    *,
    seat: bool | None = None,
    contacts: Sequence[GivenContact] = (),
) -> Followed:
    """Track a prepared recording with its manikin.

    Where the subject may sit, kneel or hold on to something, it is first followed without balance:
    see `sitting_rows`, `knee_rows` and `hand_rows`. There the feet alone need not support the body.
    """
    hips = _hip_heights(recording)
    low = hips < SEATED_HEIGHT * float(recording.manikin.skeleton["pelvis"][2])
    sits = unsteady = np.zeros(len(hips), dtype=bool)
    touches = dict[str, Mask]()
    if (seat is not False and low.any()) or contacts or has_still_hands(recording):
        free = _Follower(recording, unsteady=~sits)
        free.settle()
        q = free.run()
        times = recording.markers.times + recording.start_time
        given = {part: rows_of(contacts, part, times) for part in PARTS}
        knees = {
            side: _either(given[f"{side}_knee"], rows)
            for side, rows in knee_rows(q, recording).items()
        }
        if given["seat"] is not None:
            sits = given["seat"]
        elif seat is not False and low.any():
            sits = sitting_rows(
                q, recording, hips=hips, feet=free.feet, given=bool(seat), knees=knees
            )
        unsteady = unsteady_rows(q, recording, sits=sits, feet=free.feet)
        hands = hand_rows(q, recording, feet=free.feet, knees=knees, elsewhere=unsteady)
        hands = {side: _either(given[f"{side}_hand"], rows) for side, rows in hands.items()}
        unsteady = unsteady | hands["right"] | hands["left"]
        touches = {f"{side}_hand": rows for side, rows in hands.items()}
        touches |= {f"{side}_knee": rows for side, rows in knees.items()}
    follower = _Follower(recording, unsteady=unsteady, touches=touches)
    follower.settle()
    rows = follower.run()
    motion = Motion.of(recording.manikin.model, recording.markers.times, q=rows)
    return Followed(
        recording, motion, follower.feet, follower.relaxed_ticks, sits, unsteady, touches
    )


def _either(given: Mask | None, found: Mask) -> Mask:
    return found if given is None else given


def _hip_heights(recording: MarkerRecording) -> Array:
    """Return the height of the middle of the hips, (k,), m."""
    hips = [
        _interpolated(recording.path(seen), seen.landmark)[0][:, 2]
        for seen in recording.plan.drive["pelvis"]
        if seen.landmark.endswith("_hip")
    ]
    return np.asarray(np.mean(hips, axis=0))


class _Follower:
    """The control loop: feet first, then the curves of the driven points, then comfort."""

    def __init__(
        self,
        recording: MarkerRecording,
        *,
        unsteady: Mask,
        touches: Mapping[str, Mask] | None = None,
    ) -> None:
        self.recording = recording
        self.touches = touches or {}
        self.unsteady = unsteady  # rows at which the feet alone need not support the body
        self.manikin = recording.manikin
        self.model = recording.manikin.model
        self.dt = recording.dt
        self.feet = _foot_paths(recording, kneels=kneels_of(self.touches))
        self.stands = standing_rows(self.feet, self.touches)
        self.curves = list(_curves(recording))
        self.soles = Soles(self.manikin)
        self.toes = [self.model.dof_index(f"{side}_toe_extension") for side in SIDES]
        self.knees, self.elbows = (
            [self.model.dof_index(f"{side}_{name}_flexion") for side in SIDES]
            for name in ("knee", "elbow")
        )
        self.relaxed_ticks = 0
        feet = [self._foot_task(side, 0) for side in self.feet]
        self.limits = self._limits()
        points = [curve.task(0) for curve in self.curves]
        self.solver = Solver(
            self.model,
            [*feet, *points, self._comfort()],
            dt=self.dt,
            method="qp",
            damping=Damping(DAMPING, "constant", reach=0.0),  # a residual error always remains
            limits=self.limits,
            weights=self._joint_weights(),
            max_inequalities=MAX_EDGES,
        )
        self.solver.q[:] = np.maximum(self.manikin.relaxed, self.limits.lower)

    def settle(self) -> None:
        """Converge to the first posture."""
        for _ in range(round(SETTLE_TIME / self.dt)):
            self._tick(0, 0)
        self.solver.dq[:] = 0.0
        self.relaxed_ticks = 0

    def run(self) -> Array:
        """Track all rows; return the postures, (k, n_dof)."""
        rows = [self.solver.q.copy()]
        for i in range(len(self.recording.markers) - 1):
            self._tick(i, i + 1)
            rows.append(self.solver.q.copy())
        return np.array(rows)

    def _tick(self, now: int, then: int) -> None:
        """Step from row `now` to row `then`; equal rows hold the posture."""
        solver = self.solver
        for index, (side, foot) in enumerate(self.feet.items()):
            if foot.stands[then] != foot.stands[max(then - 1, 0)]:
                solver.replace(index, self._foot_task(side, then))
            solver.positions[index] = foot.positions[then]  # reached: the gain is 1 / dt
            solver.rotations[index] = foot.rotations[then]
        for index, curve in enumerate(self.curves, start=len(self.feet)):
            if curve.weights[now] != curve.weights[max(now - 1, 0)]:
                solver.replace(index, curve.task(now))
            speed = (curve.positions[then] - curve.positions[now]) / self.dt
            solver.positions[index] = (
                curve.positions[now] + speed / POINT_GAIN
            )  # velocity feed-forward against lag
        self._constrain_balance(now)
        self.relaxed_ticks += solver.tick() == "relaxed"

    def _constrain_balance(self, now: int) -> None:
        """Constrain the centre of mass to the support polygon while both feet are in stance.

        During a step it may leave the polygon, as in human walking; after the step it returns at a
        limited speed. The same holds when a rising heel shrinks the polygon.
        """
        if self.unsteady[now] or not self.stands[now]:
            self.solver.set_inequalities(np.zeros((0, self.model.n_dof)), [])
            return
        posture = Posture(self.model, self.solver.q)
        polygon = self.soles.polygon(posture, knees=knees_down(self.touches, now))
        along = np.roll(polygon, -1, axis=0) - polygon
        inward = np.column_stack([-along[:, 1], along[:, 0]])
        inward /= np.linalg.norm(along, axis=1)[:, None]
        room = ((posture.com[:2] - polygon) * inward).sum(axis=1) - SUPPORT_MARGIN
        bounds = np.minimum(-RETURN_RATE * room, MAX_RETURN_SPEED)
        self.solver.set_inequalities(inward @ posture.com_jacobian[:2], bounds)

    def _foot_task(self, side: Side, row: int) -> PoseTask:
        """Return the task of a foot; a swing foot must not disturb a stance foot."""
        foot = self.feet[side]
        return PoseTask(
            f"{side}_toes",
            Pose(foot.rotations[row], foot.positions[row]),
            gain=1 / self.dt,
            weight=1.0 if foot.stands[row] else SWING_WEIGHT,
        )

    def _comfort(self) -> PostureTask:
        weights = self._joint_weights()
        weights[GROUPS["root"]] = 0.0  # has no comfort posture
        weights[self.toes] = 0.0
        weights[self.knees + self.elbows] = HINGE_COMFORT_WEIGHT
        return PostureTask(
            np.array(self.manikin.relaxed),
            joint_weights=weights,
            gain=COMFORT_GAIN,
            weight=COMFORT_WEIGHT,
            priority=1,
        )

    def _joint_weights(self) -> Array:
        weights = np.ones(self.model.n_dof)
        weights[GROUPS["back"]] = BACK_WEIGHT
        return weights

    def _limits(self) -> Limits:
        """Return slightly narrower joint limits.

        Knees are never straight, where they could not start to flex; heels never go below the
        floor, and rise only if the feet were recorded.
        """
        limits = Limits.of(self.model)
        lower, upper = limits.lower.copy(), limits.upper.copy()
        lower[self.knees] = MIN_KNEE_FLEXION
        lower[self.toes] = 0.0
        if not self.recording.has_feet:
            upper[self.toes] = 0.0
        return replace(limits, lower=lower, upper=upper)


@dataclass(frozen=True, eq=False)
class _Curve:
    """A driven point: its trajectory and weight."""

    point: ControlPoint
    positions: Array  # (k, 3), m, linear across gaps
    weights: Array  # (k,)

    def task(self, row: int) -> PointTask:
        weight = float(self.weights[row])
        return PointTask(
            self.point, self.positions[row], gain=POINT_GAIN, weight=weight, priority=1
        )


def _curves(recording: MarkerRecording) -> Iterator[_Curve]:
    """Yield the trajectories of the driven points, except the toes."""
    for control in CONTROLS:
        part = recording.plan.drive.get(control, ())
        if control.endswith("_foot"):
            part = tuple(seen for seen in part if seen.landmark.endswith("_ankle"))
        for seen in part:
            positions, is_seen = _interpolated(recording.path(seen), seen.landmark)
            weights = _weights(is_seen, dt=recording.dt) / len(part)
            yield _Curve(recording.points[seen.landmark], positions, weights)


def _interpolated(path: Array, landmark: str) -> tuple[Array, NDArray[np.bool_]]:
    """Return a path, linear across its gaps, and which rows were measured."""
    seen = np.isfinite(path[:, 0])
    if not seen.any():
        raise ValueError(
            f"{landmark!r} should drive the manikin, but its markers are never all seen"
        )
    rows = np.arange(len(path))
    columns = [np.interp(rows, rows[seen], path[seen, axis]) for axis in range(3)]
    return np.column_stack(columns), seen


def _weights(seen: NDArray[np.bool_], *, dt: float) -> Array:
    """Return the weight of a point at every row: small in a gap, increasing after it, (k,)."""
    lost, rows = np.flatnonzero(~seen), np.arange(len(seen))
    if not len(lost):
        return np.ones(len(seen))
    before = np.searchsorted(lost, rows, side="right") - 1  # the gap's last row; -1: none yet
    since = np.where(before < 0, np.inf, rows - lost[np.maximum(before, 0)])
    part = np.minimum(since * dt / FADE_TIME, 1.0)
    return np.asarray(
        LOST_WEIGHT ** (1 - part)
    )  # geometric, since it competes with the comfort weight


def _foot_paths(
    recording: MarkerRecording, *, kneels: Mapping[Side, Mask] | None
) -> dict[Side, FootPath]:
    plan, manikin = recording.plan, recording.manikin
    if not recording.has_feet:
        return plant_feet(manikin, len(recording.markers))
    paths = {
        seen.landmark: _interpolated(recording.path(seen), seen.landmark)[0]
        for side in SIDES
        for seen in plan.drive[f"{side}_foot"]
    }
    ankles, toes = ({side: paths[f"{side}_{name}"] for side in SIDES} for name in ("ankle", "toe"))
    hips = {
        seen.landmark: _interpolated(recording.path(seen), seen.landmark)[0]
        for seen in plan.drive["pelvis"]
        if seen.landmark.endswith("_hip")
    }
    left = hips["left_hip"] - hips["right_hip"]
    headings = np.arctan2(-left[:, 0], left[:, 1])
    return follow_feet(
        manikin, ankles, toes=toes, rate=1 / recording.dt, headings=headings, kneels=kneels
    )
