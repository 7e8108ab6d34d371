"""Charts of the time series of an assessment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.key_instants import KeyInstant
from robotix.ergonomics.methods.back.low_back import compression_levels, shear_levels
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.posture.reba import reba_levels
from robotix.ergonomics.methods.posture.rula import rula_levels
from robotix.ergonomics.methods.verdict import ScoreArray, levels_of
from robotix.ergonomics.signals.strength_series import StrengthSeries
from robotix.view.charts import Band, Chart, Curve, Limit, Mark, bars

__all__ = ["curve_charts", "exposure_rows"]

LEVEL_COLOURS = ("var(--fine)", "var(--look)", "var(--act)")
COLOURS = ("var(--accent)", "var(--second)", "var(--third)")


def curve_charts(
    assessment: Assessment, instants: Sequence[KeyInstant]
) -> Iterator[tuple[str, str]]:
    """Yield title and SVG of every chart."""
    marks = [Mark(chr(ord("A") + k), instant.time) for k, instant in enumerate(instants)]
    yield "L5/S1 compression", _compression(assessment, marks).svg()
    yield "L5/S1 shear", _shear(assessment, marks).svg()
    yield "Moment at L5/S1", _moments(assessment, marks).svg()
    yield "Posture scores", _scores(assessment, marks).svg()
    if any(strength.percent is not None for strength in assessment.strengths):
        yield "Strong enough, of people of this size and sex", _strength(assessment, marks).svg()
    if assessment.clearance is not None:
        yield "Clearance between body and furniture", _clearance(assessment, marks).svg()


def _compression(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    back, limits = assessment.back, load_low_back().limits
    curves = [Curve("in motion" if back.is_dynamic else "at rest", back.compression, COLOURS[0])]
    if back.is_dynamic:
        resting = assessment.resting_back.compression
        curves.append(Curve("at rest", resting, "var(--soft)", dashes="3 3"))
    return Chart(
        "L5/S1 compression",
        "N",
        assessment.times,
        curves,
        bands=[Band("published models", *back.band)],
        limits=[
            Limit(
                f"action {limits.compression_action:g}", limits.compression_action, LEVEL_COLOURS[1]
            ),
            Limit(f"maximum {limits.compression_maximum:g}", limits.compression_maximum),
        ],
        marks=marks,
        height=260,
    )


def _shear(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    limits = load_low_back().limits
    return Chart(
        "L5/S1 shear",
        "N",
        assessment.times,
        [Curve("", assessment.back.shear, COLOURS[0])],
        limits=[
            Limit(f"frequent {limits.shear_frequent:g}", limits.shear_frequent, LEVEL_COLOURS[1]),
            Limit(f"maximum {limits.shear_maximum:g}", limits.shear_maximum),
        ],
        marks=marks,
        height=170,
    )


def _moments(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    back = assessment.back
    return Chart(
        "Moment at L5/S1",
        "N m",
        assessment.times,
        [
            Curve("bends forward", back.moment, COLOURS[0]),
            Curve("to a side", back.side_moment, COLOURS[1], dashes="6 3"),
            Curve("twists", back.twist_moment, COLOURS[2], dashes="2 3"),
        ],
        marks=marks,
        height=170,
    )


def _scores(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    scores = assessment.scores
    worse = [np.maximum(*each.values()) for each in (scores.reba, scores.rula)]
    return Chart(
        "Posture scores",
        "score",
        assessment.times,
        [
            Curve("REBA, 1 to 15", worse[0], COLOURS[1], is_stepped=True),
            Curve("RULA, 1 to 7", worse[1], COLOURS[0], is_stepped=True),
            Curve("OWAS, 1 to 4", scores.owas, COLOURS[2], is_stepped=True),
        ],
        marks=marks,
        height=190,
        span=(0.0, max(float(max(map(np.max, worse))), 7.0) + 0.5),
    )


def _strength(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    """Draw the joints with the fewest capable people; of left and right, the worse side."""
    lowest: dict[str, Curve] = {}
    known = [strength for strength in assessment.strengths if strength.percent is not None]
    for strength in sorted(known, key=lambda c: _least(c)):
        name = f"{strength.curve.joint} {strength.curve.direction}"
        if name not in lowest and len(lowest) < len(COLOURS):
            assert strength.percent is not None
            lowest[name] = Curve(name, strength.percent, COLOURS[len(lowest)])
    return Chart(
        "Strong enough",
        "%",
        assessment.times,
        list(lowest.values()),
        marks=marks,
        height=180,
        span=(0.0, 102.0),
        ticks=(0, 25, 50, 75, 100),
    )


def _least(strength: StrengthSeries) -> float:
    return 100.0 if strength.percent is None else float(np.nanmin(strength.percent))


def _clearance(assessment: Assessment, marks: Sequence[Mark]) -> Chart:
    assert assessment.clearance is not None
    gap = 100 * assessment.clearance.gap
    return Chart("Clearance", "cm", assessment.times, [Curve("", gap, COLOURS[0])], marks=marks,
                 height=140)  # fmt: skip


def exposure_rows(assessment: Assessment) -> Iterator[tuple[str, str, list[float]]]:
    """Yield for every method its name, a bar of the time at each level, and these times in s."""
    back, scores = assessment.back, assessment.scores
    arm, body = (np.maximum(*each.values()) for each in (scores.rula, scores.reba))
    series: list[tuple[str, ScoreArray, int]] = [
        ("L5/S1 compression", back.compression_level, len(compression_levels())),
        ("L5/S1 shear", back.shear_level, len(shear_levels())),
        ("RULA action level", levels_of(arm, rula_levels()), len(rula_levels())),
        ("REBA risk level", levels_of(body, reba_levels()), len(reba_levels())),
        ("OWAS category", scores.owas, 4),
    ]
    spans = assessment.spans()
    whole = max(float(spans.sum()), 1e-9)
    for name, levels, count in series:
        seconds = [float(spans[levels == level].sum()) for level in range(1, count + 1)]
        parts = [
            (f"level {k + 1}", value / whole, _colour(k, count)) for k, value in enumerate(seconds)
        ]
        yield name, bars(parts), seconds


def _colour(level: int, count: int) -> str:
    """Return the colour of a level, from green through yellow to red."""
    if level == 0:
        return LEVEL_COLOURS[0]
    if level == count - 1:
        return LEVEL_COLOURS[2]
    fraction = level / (count - 1)
    if count == 3:
        return LEVEL_COLOURS[1]
    first, second = ("--fine", "--look") if fraction < 0.5 else ("--look", "--act")
    part = 100 * (2 * fraction if fraction < 0.5 else 2 * fraction - 1)
    return f"color-mix(in srgb, var({second}) {part:.0f}%, var({first}))"
