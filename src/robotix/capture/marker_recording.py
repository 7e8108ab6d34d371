"""Preparation of a recording for tracking, with a manikin of the subject's size.

The recording is transformed to the floor z = 0, with the pelvis over the origin and facing x at the
start. Gaps are filled, noise is filtered, and it is resampled to one row per tick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from robotix.capture.marker_body import fit_body, measured_lengths
from robotix.capture.marker_plan import MarkerCentre, MarkerPlan, with_hips, without_subject
from robotix.capture.markers import MarkerSet
from robotix.capture.rebuilt_markers import with_rebuilt
from robotix.errors import RobotixError
from robotix.geometry import Array, Pose, exp_rotation
from robotix.human.body.landmarks import origin_of, segment_body
from robotix.human.body.manikin import Manikin, make_manikin
from robotix.human.body.skeleton import SIDES
from robotix.model import ControlPoint

__all__ = ["MarkerRecording", "WrongUpAxis", "is_upright", "prepare"]

DEFAULT_RATE = 100.0  # Hz
MAX_GAP = 0.25  # s; longer gaps are not filled
CUTOFF_FREQUENCY = 6.0  # Hz
MIN_UPRIGHT_COSINE = 0.5  # between the line from the ankles to the hips and the vertical


class WrongUpAxis(RobotixError, ValueError):
    """The hips of the standing subject are not above the ankles."""


@dataclass(frozen=True, eq=False)
class MarkerRecording:
    """A prepared recording."""

    plan: MarkerPlan
    manikin: Manikin
    markers: MarkerSet  # in the manikin's base frame
    points: Mapping[str, ControlPoint]  # every landmark of the plan on the manikin
    base_from_recording: Pose
    start_time: float = 0.0  # s, of the first row in the file

    @property
    def has_feet(self) -> bool:
        """Whether the feet were recorded; if not, they stand still."""
        return {"right_foot", "left_foot"} <= self.plan.drive.keys()

    @property
    def dt(self) -> float:
        """Time between rows, in s."""
        return 1 / (self.markers.rate or DEFAULT_RATE)

    def path(self, seen: MarkerCentre) -> Array:
        """Return the trajectory of a landmark, (k, 3), m."""
        return self.markers.middle(seen.markers)


def prepare(
    markers: MarkerSet,
    plan: MarkerPlan,
    *,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
    rate: float = DEFAULT_RATE,
    static: MarkerSet | None = None,
) -> MarkerRecording:
    """Return a prepared recording with a manikin of the subject's size.

    The lengths of the body, and where markers are on it, come from the row of the plan in which the
    subject stands, or from the first row of `static`, a recording in which it does.
    """
    markers = without_subject(markers, plan)
    if static is not None:
        static = without_subject(static, plan)
        plan.check_markers(static)
        markers = with_rebuilt(markers, plan, static=static)
    plan.check_markers(markers)
    if len(markers) <= max(plan.first_row, plan.standing_row):
        raise ValueError(
            f"{markers.source or 'the recording'} has {len(markers)} rows; the plan needs row "
            f"{max(plan.first_row, plan.standing_row)} and those after it"
        )
    whole = with_hips(markers.filled(longest=MAX_GAP), plan)
    first, last = _seen_rows(whole, plan)
    upright = plan.standing_row or first
    standing = whole.rows(upright, upright + 1)
    if static is not None:
        standing = with_hips(static.filled(longest=MAX_GAP), plan).rows(0, 1)
    if not _stands(standing, plan):
        name = markers.source or "the recording"
        raise WrongUpAxis(f"{name}: the hips are not above the ankles; is another axis up?")
    body = fit_body(measured_lengths(standing, plan), sex=sex, stature=stature, mass=mass)
    manikin = make_manikin(body)
    curves = whole.rows(first, last).smoothed(CUTOFF_FREQUENCY).resampled(rate)
    start = float(curves.times[0])
    curves = replace(curves, times=curves.times - start)
    base_from_recording = _placement(curves, standing, plan=plan, manikin=manikin)
    return MarkerRecording(
        plan,
        manikin,
        curves.moved(base_from_recording),
        dict(_points(standing, plan, manikin=manikin)),
        base_from_recording,
        start,
    )


def _seen_rows(markers: MarkerSet, plan: MarkerPlan) -> tuple[int, int]:
    """Return the first row at which the hips are seen, and the one after the last.

    Who walks into the view of cameras is not seen before, and some markers not when the hips are.
    """
    hips = [
        markers.middle(seen.markers)
        for seen in plan.drive["pelvis"]
        if seen.landmark.endswith("_hip")
    ]
    rows = np.flatnonzero(np.isfinite(np.hstack(hips)).all(axis=1))
    rows = rows[rows >= plan.first_row]
    if not len(rows):
        raise ValueError("the hips are never seen: both must be, to say where the body is")
    return int(rows[0]), int(rows[-1]) + 1


def is_upright(markers: MarkerSet, plan: MarkerPlan) -> bool:
    """Return whether the hips of the standing subject are above the ankles, where both are seen."""
    whole = with_hips(without_subject(markers, plan), plan)
    return _stands(whole.rows(plan.standing_row, plan.standing_row + 1), plan)


def _stands(standing: MarkerSet, plan: MarkerPlan) -> bool:
    ankles = [
        standing.middle(seen.markers)[0]
        for side in SIDES
        for seen in plan.drive.get(f"{side}_foot", ())
        if seen.landmark == f"{side}_ankle"
    ]
    if not ankles:
        return True
    up = _hips(standing, plan)[0] - np.mean(ankles, axis=0)
    is_seen = bool(np.isfinite(up).all())
    return not is_seen or bool(up[2] >= MIN_UPRIGHT_COSINE * np.linalg.norm(up))


def _hips(markers: MarkerSet, plan: MarkerPlan) -> tuple[Array, Array]:
    """Return the middle of the hips in the first row, and the heading there, (3, 3)."""
    positions = {seen.landmark: markers.middle(seen.markers)[0] for seen in plan.drive["pelvis"]}
    left = positions["left_hip"] - positions["right_hip"]
    if not np.isfinite(left).all():
        raise ValueError("the hips must be seen in the standing and in the first row")
    yaw = np.arctan2(-left[0], left[1])  # zero while the left hip lies along y
    return (positions["left_hip"] + positions["right_hip"]) / 2, exp_rotation([0.0, 0.0, yaw])


def _placement(
    curves: MarkerSet, standing: MarkerSet, *, plan: MarkerPlan, manikin: Manikin
) -> Pose:
    """Return the pose that puts the floor to z = 0, and the first row's pelvis over the origin.

    The floor is as far below the lowest ankles as that of the manikin; without recorded feet, as
    far below the hips of the standing subject.
    """
    middle, heading = _hips(curves, plan)
    ankles = [
        curves.middle(seen.markers)[:, 2]
        for side in SIDES
        for seen in plan.drive.get(f"{side}_foot", ())
        if seen.landmark == f"{side}_ankle"
    ]
    if any(np.isnan(heights).all() for heights in ankles):
        raise ValueError("an ankle that should drive a foot is never seen")
    if ankles:
        low = float(np.mean([np.nanpercentile(heights, 10) for heights in ankles]))
        floor = low - float(manikin.skeleton["right_ankle"][2])
    else:
        floor = float(_hips(standing, plan)[0][2] - manikin.skeleton["pelvis"][2])
    rotation = heading.T
    return Pose(rotation, -rotation @ np.array([middle[0], middle[1], floor]))


def _points(
    standing: MarkerSet, plan: MarkerPlan, *, manikin: Manikin
) -> Iterator[tuple[str, ControlPoint]]:
    """Yield every landmark of the plan as a point of the manikin."""
    middle, heading = _hips(standing, plan)
    for seen in plan.everything():
        if not seen.segment:
            yield seen.landmark, manikin.centres[seen.landmark]
            continue
        from_hips = heading.T @ (standing.middle(seen.markers)[0] - middle)
        if not np.isfinite(from_hips).all():
            raise ValueError(f"{seen.landmark!r} must be seen in the standing row, {seen.markers}")
        position = manikin.skeleton["pelvis"] + from_hips
        offset = position - origin_of(seen.segment, manikin.skeleton)
        yield seen.landmark, ControlPoint(segment_body(seen.segment), Pose(translation=offset))
