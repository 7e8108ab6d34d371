"""A manikin that follows a handful of recorded points, and finds the rest by itself.

Hands, feet, pelvis and head are given; knees, elbows, shoulders and the back follow from the joint
limits, from keeping the centre of mass over the feet, and from comfort. The toes of feet that stand
come first and do not move. The driven points come second, against a little comfort: a turn of a
radian is worth about a centimetre.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robotix.capture.marker_feet import FootPath, Soles, follow_feet, plant_feet
from robotix.capture.marker_plan import CONTROLS, MarkerPlan, load_plan
from robotix.capture.marker_recording import RATE, MarkerRecording, prepare
from robotix.capture.markers import AxisName
from robotix.capture.mocap_files import load_markers
from robotix.geometry import Array, Pose
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES, Side
from robotix.kinematics import Damping, Limits, PointTask, PoseTask, Posture, PostureTask, Solver
from robotix.model import ControlPoint
from robotix.motion import Motion

__all__ = ["Followed", "follow", "follow_file"]

SETTLE = 3.0  # s, to take up the first posture
GAIN = 20.0  # 1/s, of the driven points
COMFORT = 1e-3  # weight against 1 for a driven point
COMFORT_GAIN = 5.0  # 1/s
SWING = 1e-2  # weight of a swinging foot against one that stands
HINGE_COMFORT = 0.05  # of knees and elbows, which pelvis and hands tell how to bend
LEAST_KNEE = np.radians(4.0)
LAZY_BACK = 4.0  # whoever can reach with an arm does not twist the trunk
DAMPING = 0.005
MARGIN = 0.01  # m, that the centre of mass keeps to the edge of the support
RETURN = 5.0  # 1/s, how fast it comes back over the feet
FASTEST_RETURN = 0.3  # m/s
FADE = 0.4  # s, for a point that was lost to count again
LOST = 1e-6  # weight of a point that is not seen
MOST_EDGES = 32  # of a support polygon


@dataclass(frozen=True, eq=False)
class Followed:
    """What a manikin made of a recording."""

    recording: MarkerRecording
    motion: Motion
    feet: Mapping[Side, FootPath]
    relaxed_ticks: int  # at which balance and limits could not all be kept


def follow_file(
    path: str | os.PathLike[str],
    *,
    plan: str | os.PathLike[str] | MarkerPlan,
    unit: str | float | None = None,
    up: AxisName | None = None,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
    rate: float = RATE,
) -> Followed:
    """Let a manikin of the subject's size follow a recording.

    Args:
        path: A `.c3d`, `.bvh` or `.trc` file.
        plan: Which marker is where; see `marker_plan`.
        unit: The file's unit of length; as the file says when None, else as the plan does.
        up: The file's upward axis, where it does not say it.
        sex: Of the subject.
        stature: In m; estimated from the markers when None.
        mass: In kg; the mean at the stature when None.
        rate: Of the control loop and of the motion, in Hz.
    """
    whole = plan if isinstance(plan, MarkerPlan) else load_plan(plan)
    markers = load_markers(path, unit=unit, up=up, usual=whole.unit)
    return follow(prepare(markers, whole, sex=sex, stature=stature, mass=mass, rate=rate))


def follow(recording: MarkerRecording) -> Followed:
    """Let the manikin follow a recording made ready."""
    follower = _Follower(recording)
    follower.settle()
    rows = follower.run()
    motion = Motion.of(recording.manikin.model, recording.markers.times, q=rows)
    return Followed(recording, motion, follower.feet, follower.relaxed_ticks)


class _Follower:
    """The control loop: feet first, then the curves of the driven points, then comfort."""

    def __init__(self, recording: MarkerRecording) -> None:
        self.recording = recording
        self.manikin = recording.manikin
        self.model = recording.manikin.model
        self.dt = recording.dt
        self.feet = _foot_paths(recording)
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
            damping=Damping(DAMPING, "constant", reach=0.0),  # markers never fit quite: no rest
            limits=self.limits,
            weights=self._laziness(),
            max_inequalities=MOST_EDGES,
        )
        self.solver.q[:] = np.maximum(self.manikin.relaxed, self.limits.lower)

    def settle(self) -> None:
        """Take up the first posture."""
        for _ in range(round(SETTLE / self.dt)):
            self._tick(0, 0)
        self.solver.dq[:] = 0.0
        self.relaxed_ticks = 0

    def run(self) -> Array:
        """Return the posture at every row, (k, n_dof)."""
        rows = [self.solver.q.copy()]
        for i in range(len(self.recording.markers) - 1):
            self._tick(i, i + 1)
            rows.append(self.solver.q.copy())
        return np.array(rows)

    def _tick(self, now: int, then: int) -> None:
        """Go on from one row to another; the same one means to rest there."""
        solver = self.solver
        for index, (side, foot) in enumerate(self.feet.items()):
            if foot.stands[then] != foot.stands[max(then - 1, 0)]:
                solver.replace(index, self._foot_task(side, then))
            solver.positions[index] = foot.places[then]  # with a gain of 1 / dt it is there then
            solver.rotations[index] = foot.rotations[then]
        for index, curve in enumerate(self.curves, start=len(self.feet)):
            if curve.weights[now] != curve.weights[max(now - 1, 0)]:
                solver.replace(index, curve.task(now))
            speed = (curve.places[then] - curve.places[now]) / self.dt
            solver.positions[index] = curve.places[now] + speed / GAIN  # so it does not lag
        self._keep_balance(now)
        self.relaxed_ticks += solver.tick() == "relaxed"

    def _keep_balance(self, now: int) -> None:
        """Ask the centre of mass to stay over the feet while both are on the floor.

        In a step it may leave them, as it does when people walk; after the step it is led back. A
        heel that rises takes its part of the support away at once, with the same consequence.
        """
        if not all(foot.stands[now] for foot in self.feet.values()):
            self.solver.set_inequalities(np.zeros((0, self.model.n_dof)), [])
            return
        posture = Posture(self.model, self.solver.q)
        polygon = self.soles.polygon(posture)
        along = np.roll(polygon, -1, axis=0) - polygon
        inward = np.column_stack([-along[:, 1], along[:, 0]])
        inward /= np.linalg.norm(along, axis=1)[:, None]
        room = ((posture.com[:2] - polygon) * inward).sum(axis=1) - MARGIN
        bounds = np.minimum(-RETURN * room, FASTEST_RETURN)
        self.solver.set_inequalities(inward @ posture.com_jacobian[:2], bounds)

    def _foot_task(self, side: Side, row: int) -> PoseTask:
        """Return the task of a foot; one that stands must not pay for one that swings."""
        foot = self.feet[side]
        return PoseTask(
            f"{side}_toes",
            Pose(foot.rotations[row], foot.places[row]),
            gain=1 / self.dt,
            weight=1.0 if foot.stands[row] else SWING,
        )

    def _comfort(self) -> PostureTask:
        weights = self._laziness()
        weights[GROUPS["root"]] = 0.0  # it has no place of comfort
        weights[self.toes] = 0.0
        weights[self.knees + self.elbows] = HINGE_COMFORT
        return PostureTask(
            np.array(self.manikin.relaxed),
            joint_weights=weights,
            gain=COMFORT_GAIN,
            weight=COMFORT,
            priority=1,
        )

    def _laziness(self) -> Array:
        weights = np.ones(self.model.n_dof)
        weights[GROUPS["back"]] = LAZY_BACK
        return weights

    def _limits(self) -> Limits:
        """Return the joint limits, a little narrower.

        Knees are never locked, or they would not bend again when the pelvis goes down; heels never
        go below the floor, and rise only if that was recorded.
        """
        limits = Limits.of(self.model)
        lower, upper = limits.lower.copy(), limits.upper.copy()
        lower[self.knees] = LEAST_KNEE
        lower[self.toes] = 0.0
        if not self.recording.has_feet:
            upper[self.toes] = 0.0
        return replace(limits, lower=lower, upper=upper)


@dataclass(frozen=True, eq=False)
class _Curve:
    """A point to follow: where it shall be, and how much it counts."""

    point: ControlPoint
    places: Array  # (k, 3), straight through gaps
    weights: Array  # (k,)

    def task(self, row: int) -> PointTask:
        weight = float(self.weights[row])
        return PointTask(self.point, self.places[row], gain=GAIN, weight=weight, priority=1)


def _curves(recording: MarkerRecording) -> Iterator[_Curve]:
    """Yield what the driven points follow; toes have paths of their own."""
    for control in CONTROLS:
        part = recording.plan.drive.get(control, ())
        if control.endswith("_foot"):
            part = tuple(seen for seen in part if seen.place.endswith("_ankle"))
        for seen in part:
            places, is_seen = _held(recording.path(seen), seen.place)
            weights = _weights(is_seen, dt=recording.dt) / len(part)
            yield _Curve(recording.points[seen.place], places, weights)


def _held(path: Array, place: str) -> tuple[Array, NDArray[np.bool_]]:
    """Return a path that goes straight through its gaps, and which rows were seen."""
    seen = np.isfinite(path[:, 0])
    if not seen.any():
        raise ValueError(f"{place!r} should drive the manikin, but its markers are never all seen")
    rows = np.arange(len(path))
    columns = [np.interp(rows, rows[seen], path[seen, axis]) for axis in range(3)]
    return np.column_stack(columns), seen


def _weights(seen: NDArray[np.bool_], *, dt: float) -> Array:
    """Return how much a point counts at every row: little in a gap, and growing after it."""
    lost, rows = np.flatnonzero(~seen), np.arange(len(seen))
    if not len(lost):
        return np.ones(len(seen))
    before = np.searchsorted(lost, rows, side="right") - 1  # the gap's last row; -1: none yet
    since = np.where(before < 0, np.inf, rows - lost[np.maximum(before, 0)])
    part = np.minimum(since * dt / FADE, 1.0)
    return np.asarray(LOST ** (1 - part))  # evenly in powers of ten, as it is weighed with comfort


def _foot_paths(recording: MarkerRecording) -> dict[Side, FootPath]:
    plan, manikin = recording.plan, recording.manikin
    if not recording.has_feet:
        return plant_feet(manikin, len(recording.markers))
    paths = {
        seen.place: _held(recording.path(seen), seen.place)[0]
        for side in SIDES
        for seen in plan.drive[f"{side}_foot"]
    }
    ankles, toes = ({side: paths[f"{side}_{name}"] for side in SIDES} for name in ("ankle", "toe"))
    return follow_feet(manikin, ankles, toes=toes, rate=1 / recording.dt)
