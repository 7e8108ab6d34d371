"""Similarity of the simulated lift to a recorded pick-up, by joint angles.

Both have their own durations, so time is normalised: 0 when the hands begin to sink, 1/2 when they
are lowest, 1 when they are up again. The angles of the recording are computed from its joint
centres; no manikin tracks it here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import degrees
from typing import Any

import numpy as np

from robotix.capture.body_angles import BENDS, body_angles
from robotix.capture.marker_plan import load_plan
from robotix.capture.marker_recording import MarkerRecording, prepare
from robotix.capture.markers import AxisName
from robotix.capture.mocap_files import load_markers
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.tasks.tasks import perform
from robotix.kinematics.batch import forward_batch

__all__ = ["AngleDifference", "Likeness", "compare_with_recording", "likeness_lines"]

ALL_BENDS = {**BENDS, "ankle": ("knee", "ankle", "toe")}
UP_FRACTION = 0.95  # of the height range of the hands; above, they are up
SAMPLE_COUNT = 101
MIN_SINK = 0.3  # m, of the hands; less is not a pick-up from the floor


@dataclass(frozen=True)
class AngleDifference:
    """An angle of the body in both motions, in rad; differences are ours minus the recorded."""

    angle: str
    rms: float
    peak: float  # largest absolute difference
    bias: float  # mean
    recorded: tuple[float, float]  # smallest and largest
    ours: tuple[float, float]


@dataclass(frozen=True)
class Likeness:
    """Our lift and a recorded pick-up, angle by angle."""

    style: str
    stature: float  # m, of both
    seconds: tuple[float, float]  # from sinking to being up again: recorded, ours
    hips_sink: tuple[float, float]  # m, meanwhile: recorded, ours
    angles: tuple[AngleDifference, ...]

    @property
    def rms(self) -> float:
        """Root mean square over all angles, in rad."""
        return float(np.sqrt(np.mean([angle.rms**2 for angle in self.angles])))

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {"rms": self.rms, **asdict(self)}


def compare_with_recording(
    path: str | os.PathLike[str],
    *,
    style: str = "natural",
    load: float | None = None,
    markers: str | os.PathLike[str] = "cmu",
    unit: str | float | None = None,
    up: AxisName | None = None,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
) -> Likeness:
    """Simulate a lift with a body of the recorded person's size, and compare joint angles.

    `markers` is the name of a marker plan, or the path of one; `load` is in kg. The subject of the
    recording must bend or squat down to the floor and come up again, once.
    """
    plan = load_plan(markers)
    found = load_markers(path, unit=unit, up=up, usual=plan.unit)
    recording = prepare(found, plan, sex=sex, stature=stature, mass=mass)
    parameters = {} if load is None else {"load": load}
    performance = perform("lift", recording.manikin, style=style, parameters=parameters)
    motion = performance.motion
    theirs = {seen.landmark: recording.path(seen) for seen in recording.plan.everything()}
    ours = _places(recording, motion.q)
    phases = _phases(recording.markers.times, theirs), _phases(motion.times, ours)
    return Likeness(
        style,
        recording.manikin.anthropometry.stature,
        (phases[0].seconds, phases[1].seconds),
        (_sinking(phases[0], theirs), _sinking(phases[1], ours)),
        tuple(_differences((phases[0], theirs), (phases[1], ours))),
    )


def _places(recording: MarkerRecording, q: Array) -> dict[str, Array]:
    model = recording.manikin.model
    return {
        landmark: forward_batch(model, q, point=point)[0]
        for landmark, point in recording.points.items()
    }


@dataclass(frozen=True, eq=False)
class _Phases:
    """Times of one motion at which the hands begin to sink, are lowest, and are up again."""

    times: Array
    knots: tuple[float, float, float]

    @property
    def seconds(self) -> float:
        return self.knots[2] - self.knots[0]

    def sampled(self, curve: Array) -> Array:
        """Return a curve (k,) at equal steps of the normalised time."""
        at = np.interp(np.linspace(0, 1, SAMPLE_COUNT), (0, 0.5, 1), self.knots)
        return np.interp(at, self.times, curve)


def _phases(times: Array, positions: Mapping[str, Array]) -> _Phases:
    hands = _height(positions, "wrist")
    if not np.isfinite(hands).all():
        raise ValueError("the wrists must be seen all the time to tell when they go down")
    low = int(np.argmin(hands))
    tops = hands[: low + 1].max(), hands[low:].max()
    if min(tops) - hands[low] < MIN_SINK:
        raise ValueError(
            f"the hands go down by {100 * (tops[0] - hands[low]):.0f} cm and up again by "
            f"{100 * (tops[1] - hands[low]):.0f} cm; give a recording of somebody who picks "
            "something up from the floor"
        )
    before = np.flatnonzero(hands[:low] >= hands[low] + UP_FRACTION * (tops[0] - hands[low]))[-1]
    after = np.flatnonzero(hands[low:] >= hands[low] + UP_FRACTION * (tops[1] - hands[low]))[0]
    return _Phases(times, (float(times[before]), float(times[low]), float(times[low + after])))


def _height(positions: Mapping[str, Array], name: str) -> Array:
    """Return the height of a landmark, or the mean height of left and right, (k,), m."""
    seen = [positions[f"{side}_{name}"] for side in SIDES if f"{side}_{name}" in positions]
    if not seen:
        raise ValueError(f"the marker plan has no {name}; without it nothing can be compared")
    return np.asarray(np.mean(seen, axis=0)[:, 2])


def _sinking(phases: _Phases, positions: Mapping[str, Array]) -> float:
    hips = phases.sampled(_height(positions, "hip"))
    return float(hips[[0, -1]].min() - hips.min())


def _differences(
    recorded: tuple[_Phases, Mapping[str, Array]], ours: tuple[_Phases, Mapping[str, Array]]
) -> Iterator[AngleDifference]:
    theirs = dict(body_angles(recorded[1], bends=ALL_BENDS))
    for name, angle in body_angles(ours[1], bends=ALL_BENDS):
        a, b = recorded[0].sampled(theirs[name]), ours[0].sampled(angle)
        gaps = b - a
        if not np.isfinite(gaps).all():
            continue  # not visible throughout
        yield AngleDifference(
            name,
            float(np.sqrt(np.mean(gaps**2))),
            float(abs(gaps).max()),
            float(gaps.mean()),
            (float(a.min()), float(a.max())),
            (float(b.min()), float(b.max())),
        )


def likeness_lines(likeness: Likeness) -> Iterator[str]:
    """Yield a comparison as lines of text."""
    recorded, ours = likeness.seconds
    yield f"lift, {likeness.style}, stature {likeness.stature:.2f} m"
    yield f"down and up again: recorded {recorded:.2f} s, ours {ours:.2f} s"
    yield "hips sink by: recorded {:.0f} cm, ours {:.0f} cm".format(
        *(100 * distance for distance in likeness.hips_sink)
    )
    heads = f"{'rms':>6} {'peak':>6} {'bias':>6}  {'recorded':>12} {'ours':>12}"
    yield f"{'angle, degrees':<16} {heads}"
    for angle in likeness.angles:
        figures = " ".join(f"{degrees(x):6.1f}" for x in (angle.rms, angle.peak, angle.bias))
        spans = " ".join(f"{_span(span):>12}" for span in (angle.recorded, angle.ours))
        yield f"{angle.angle:<16} {figures}  {spans}"
    yield f"all angles: {degrees(likeness.rms):.1f}° rms"


def _span(span: tuple[float, float]) -> str:
    return f"{degrees(span[0]):.0f} to {degrees(span[1]):.0f}"
