"""Tracking errors of a manikin, at the driven points and at all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from robotix.capture.body_angles import body_angles
from robotix.capture.body_contacts import knees_down, standing_rows
from robotix.capture.follow_markers import Followed
from robotix.capture.force_comparison import ForceComparison
from robotix.capture.marker_feet import Soles
from robotix.capture.marker_filter import runs_of
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.recording_fit import RecordingFit
from robotix.human.motion.support import support_margins
from robotix.kinematics import Posture, forward_batch

__all__ = ["AngleError", "FollowReport", "PositionError", "report_on"]

# Beyond these a recording does not count as followed. Plain walking and lifting of public files
# has 1 to 2.5 cm and 3 to 6 cm; a body of the wrong size, a missing seat or a push has 3 to 10
# times as much.
MAX_DRIVEN_ERROR, MAX_OTHER_ERROR = 0.04, 0.10  # m, root mean square
MAX_FOOT_SLIP = 0.005  # m, within a stance phase
MAX_SOLE_OFFSET = 0.05  # m, of the lowest sole from the floor
ENDS = tuple(f"{side}_{end}" for end in ("hand", "foot") for side in SIDES)  # of the limbs
MAX_OUTSIDE_FRACTION = 0.10  # of the time on both feet, with the centre of mass outside


@dataclass(frozen=True)
class PositionError:
    """Distances between a landmark on the manikin and in the recording."""

    landmark: str
    is_driven: bool
    rms: float  # m
    median: float  # m
    largest: float  # m
    at: float  # s, when it was largest


@dataclass(frozen=True)
class AngleError:
    """Differences between an angle of the manikin and of the recording."""

    angle: str
    rms: float  # rad
    median: float  # rad
    largest: float  # rad
    bias: float  # rad, mean of manikin minus recording
    recorded: tuple[float, float]  # rad, smallest and largest


@dataclass(frozen=True)
class FollowReport:
    """Tracking errors, slip and balance of a manikin that followed a recording."""

    landmarks: tuple[PositionError, ...]
    angles: tuple[AngleError, ...]
    foot_slip: float  # m, largest displacement of the toes within a stance phase
    balance_margin: float  # m, smallest, of the centre of mass inside the support of both feet
    seconds_outside: float  # time with both feet in stance and the CoM outside
    seconds_on_both: float  # time with both feet in stance, not seated
    seconds_seated: float
    sole_height: float  # m, of the lowest point of the soles over the whole motion
    limit_violation: float  # rad
    duration: float  # s
    stature: float  # m
    seconds_touching: Mapping[str, float] = field(default_factory=dict)  # by hand and knee
    forces: ForceComparison | None = None  # with plates, where they were recorded
    forces_problem: str = ""  # why the plates of the file could not be compared with
    unrecorded: tuple[str, ...] = ()  # hands that hang down and feet that stand, without markers

    def rms(self, *, driven: bool) -> float:
        """Return the root mean square over the driven landmarks, or over the others, in m."""
        values = [error.rms for error in self.landmarks if error.is_driven is driven]
        return float(np.sqrt(np.mean(np.square(values)))) if values else float("nan")

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the recording does not count as followed, and what to try; empty if it does."""
        driven, other = self.rms(driven=True), self.rms(driven=False)
        outside = self.seconds_outside / max(self.seconds_on_both, 1e-9)
        faults = (
            (
                driven > MAX_DRIVEN_ERROR,
                f"driven points are {100 * driven:.1f} cm off",
                "check --markers, --unit and --up, or give a static trial (--standing)",
            ),
            (
                other > MAX_OTHER_ERROR,
                f"points not used are {100 * other:.1f} cm off",
                "give a static trial (--standing), or drive more points in the marker plan",
            ),
            (
                self.foot_slip > MAX_FOOT_SLIP,
                f"standing feet slip by {1000 * self.foot_slip:.0f} mm",
                "check the markers of ankles and toes in the plan",
            ),
            (
                abs(self.sole_height) > MAX_SOLE_OFFSET,
                f"the lowest sole is {100 * self.sole_height:.0f} cm off the floor",
                "check --up, or give a static trial (--standing)",
            ),
            (
                outside > MAX_OUTSIDE_FRACTION,
                f"the body is off balance in {100 * outside:.0f} % of the time on both feet",
                "say what else it touches (--contact)",
            ),
        )
        return tuple(f"{what}; {advice}" for is_so, what, advice in faults if is_so)

    @property
    def success(self) -> bool:
        """Whether the recording was followed."""
        return not self.problems

    @property
    def tracking(self) -> RecordingFit:
        """The figures in words, for assessments of the motion."""
        driven, other = (f"{100 * self.rms(driven=each):.1f} cm" for each in (True, False))
        slip = f"feet slip by {1000 * self.foot_slip:.1f} mm"
        words = [f"{driven} driven, {other} not used, {slip}"]
        words += [
            f"{part.replace('_', ' ')} touches something for {seconds:.1f} s"
            for part, seconds in self.seconds_touching.items()
        ]
        words += [f"{part.replace('_', ' ')} has no markers" for part in self.unrecorded]
        if self.forces is not None:
            words.append(f"upward force {100 * self.forces.rms:.0f} % off the plates")
        return RecordingFit(", ".join(words), self.problems)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, for JSON."""
        rms = {"rms_driven": self.rms(driven=True), "rms_not_used": self.rms(driven=False)}
        verdict = {"success": self.success, "problems": list(self.problems)}
        return {**verdict, **rms, **asdict(self)}


def report_on(followed: Followed) -> FollowReport:
    """Compare a manikin with the recording that it followed."""
    manikin, q = followed.recording.manikin, followed.motion.q
    recorded = {
        seen.landmark: followed.recording.path(seen)
        for seen in followed.recording.plan.everything()
    }
    actual = {
        landmark: forward_batch(manikin.model, q, point=point)[0]
        for landmark, point in followed.recording.points.items()
    }
    margins = _margins(followed)
    beyond = np.maximum(manikin.model.lower - q, q - manikin.model.upper)
    return FollowReport(
        tuple(_place_errors(followed, recorded, actual=actual)),
        tuple(_angle_errors(recorded, actual)),
        _slip(followed),
        float(margins.min(initial=np.inf)),
        followed.recording.dt * int((margins < 0).sum()),
        followed.recording.dt * len(margins),
        followed.recording.dt * int(followed.sits.sum()),
        _sole_height(followed),
        float(max(np.max(beyond), 0.0)),
        followed.motion.duration,
        manikin.anthropometry.stature,
        {
            part: followed.recording.dt * int(rows.sum())
            for part, rows in followed.touches.items()
            if rows.any()
        },
        unrecorded=tuple(part for part in ENDS if part not in followed.recording.plan.drive),
    )


def _place_errors(
    followed: Followed, recorded: Mapping[str, Array], *, actual: Mapping[str, Array]
) -> Iterator[PositionError]:
    driven = {seen.landmark for part in followed.recording.plan.drive.values() for seen in part}
    for landmark, path in recorded.items():
        gaps = np.linalg.norm(actual[landmark] - path, axis=1)
        if np.isfinite(gaps).any():
            yield PositionError(
                landmark,
                landmark in driven,
                float(np.sqrt(np.nanmean(gaps**2))),
                float(np.nanmedian(gaps)),
                float(np.nanmax(gaps)),
                float(followed.motion.times[int(np.nanargmax(gaps))]),
            )


# -- angles ----------------------------------------------------------------------------------


def _angle_errors(
    recorded: Mapping[str, Array], actual: Mapping[str, Array]
) -> Iterator[AngleError]:
    """Compare angles between joint centres."""
    theirs = dict(body_angles(recorded))
    for name, ours in body_angles(actual):
        gaps = ours - theirs[name]
        if np.isfinite(gaps).any():
            yield AngleError(
                name,
                float(np.sqrt(np.nanmean(gaps**2))),
                float(np.nanmedian(abs(gaps))),
                float(np.nanmax(abs(gaps))),
                float(np.nanmean(gaps)),
                (float(np.nanmin(theirs[name])), float(np.nanmax(theirs[name]))),
            )


# -- standing --------------------------------------------------------------------------------


def _slip(followed: Followed) -> float:
    """Return the largest displacement of the toes within a stance phase, m."""
    largest = 0.0
    for side, foot in followed.feet.items():
        model = followed.recording.manikin.model
        for name in (f"{side}_toes", f"{side}_toe"):  # their joint and their tip
            positions, _ = forward_batch(model, followed.motion.q, point=name)
            for start, end in runs_of(foot.stands):
                displacement = np.linalg.norm(positions[start:end] - positions[start], axis=1)
                largest = max(largest, float(displacement.max()))
    return largest


def _sole_height(followed: Followed) -> float:
    """Return the height of the lowest point of the soles over the whole motion, m."""
    manikin, q = followed.recording.manikin, followed.motion.q
    names = [
        name
        for side in SIDES
        for name in (*manikin.support_points(side), *manikin.toe_points(side))
    ]
    return min(float(forward_batch(manikin.model, q, point=name)[0][:, 2].min()) for name in names)


def _margins(followed: Followed) -> Array:
    """Return the margins of the centre of mass while both feet are in stance, m."""
    manikin, soles = followed.recording.manikin, Soles(followed.recording.manikin)
    both = standing_rows(followed.feet, followed.touches) & ~followed.unsteady
    margins = list[float]()
    for row in np.flatnonzero(both):
        posture = Posture(manikin.model, followed.motion.q[row])
        polygon = soles.polygon(posture, knees=knees_down(followed.touches, int(row)))
        margins += support_margins(polygon, posture.com[None]).tolist()
    return np.array(margins)
