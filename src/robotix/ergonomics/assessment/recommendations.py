"""What would make a task acceptable, computed by the methods that found it wanting.

Loads: the lifting equation, what 75 % of women accept, and the compression of L5/S1 in the same
motion with another load. Places: the lifting equation with one input changed, and the compression
of L5/S1 in the same lift from another height, performed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.manual_handling.lifting import Lift, lifting_index
from robotix.ergonomics.signals.back_series import BackSeries, back_series
from robotix.ergonomics.signals.lift_positions import AssessedLift
from robotix.ergonomics.signals.load_series import load_series
from robotix.ergonomics.signals.measured_angles import posture_angles
from robotix.human.motion.gaze import neck_angles
from robotix.human.tasks.tasks import perform

__all__ = ["Recommendation", "greatest_carried_load", "recommendations"]

BEST_HEIGHT, NEAREST = 0.75, 0.25  # m; of the hands, by the lifting equation
MIN_GAIN = 0.05  # of the lifting index; smaller improvements are not worth a line
MIN_RAISE = 0.1  # m; smaller changes of the height are not tried
LOAD_STEP = 0.1  # kg; greatest loads are rounded down to it
MAX_TRIALS = 6  # of another load in the same motion
MAX_LOAD = 300.0  # kg


@dataclass(frozen=True)
class Recommendation:
    """A change, and what it achieves."""

    change: str
    effect: str


def recommendations(assessment: Assessment) -> tuple[Recommendation, ...]:
    """Return changes that would make the task acceptable; empty if nothing asks for one."""
    return (
        *_smaller_loads(assessment),
        *_higher_origin(assessment),
        *_better_places(assessment),
    )


def greatest_carried_load(assessment: Assessment, *, limit: float | None = None) -> float:
    """Return the mass in the hands with which the same motion stays below a limit, kg.

    Args:
        assessment: Of a task in which one load is carried.
        limit: Compression in all published models, N; the action limit when None.

    Returns 0 if the body alone exceeds the limit.
    """
    action = load_low_back().limits.compression_action if limit is None else limit
    carried = max((phase.load.mass for phase in assessment.performance.loads), default=0.0)
    if carried <= 0:
        raise ValueError("nothing is carried, so no load can be smaller")

    def over(mass: float) -> float:
        return _highest_compression(assessment, mass / carried) - action

    low, below = 0.0, over(0.0)
    if below > 0:
        return 0.0
    high, above = carried, _highest(assessment.back) - action
    while above <= 0:
        low, below, high = high, above, 2 * high
        if high > MAX_LOAD:
            return _floor(low)
        above = over(high)
    for _ in range(MAX_TRIALS):  # nearly linear, so interpolation gets there in a few steps
        if high - low <= LOAD_STEP / 2 or above - below <= 0:
            break
        middle = low + (high - low) * -below / (above - below)
        middle = min(max(middle, low + LOAD_STEP / 4), high - LOAD_STEP / 4)
        found = over(middle)
        if found <= 0:
            low, below = middle, found
        else:
            high, above = middle, found
    return _floor(low)


def _highest_compression(assessment: Assessment, factor: float) -> float:
    """Return the highest compression over models and time with all loads scaled, N."""
    performance = assessment.performance
    loads = tuple(
        replace(phase, load=replace(phase.load, mass=factor * phase.load.mass))
        for phase in performance.loads
    )
    scaled = replace(performance, loads=loads)
    series = load_series(scaled, dynamic=assessment.back.is_dynamic)
    back = back_series(series.loads, assessment.angles, model=assessment.back.model)
    return _highest(back)


def _highest(back: BackSeries) -> float:
    return float(max(back.compression.max(), back.band[1].max()))


def _smaller_loads(assessment: Assessment) -> Iterator[Recommendation]:
    index = assessment.finding("lifting_index")
    if index is not None and index.is_beyond:
        lift = _worst(assessment)
        limit = min(end.result.weight_limit for end in (lift.origin, lift.destination))
        yield Recommendation(
            f"load of at most {_floor(limit):.1f} kg", "lifting index of at most 1"
        )
    accepted = assessment.finding("acceptable")
    judged = [each.result for each in assessment.handled if each.result is not None]
    if accepted is not None and accepted.is_beyond and judged:
        limit = min(result.women.for_percent(75) for result in judged)
        yield Recommendation(
            f"load of at most {_floor(limit):.1f} kg", "accepted by 75 % of women over 8 h"
        )
    back = assessment.finding("compression")
    if back is None or not back.is_beyond or not assessment.performance.loads:
        return
    action = load_low_back().limits.compression_action
    limit = greatest_carried_load(assessment)
    if limit > 0:
        yield Recommendation(
            f"load of at most {limit:.1f} kg, moved in the same way",
            f"compression of L5/S1 up to {action:g} N in all models",
        )
    else:
        yield Recommendation(
            "another posture: lift the work, or bring it closer",
            f"without any load this motion exceeds {action:g} N in some model",
        )


def _higher_origin(assessment: Assessment) -> Iterator[Recommendation]:
    """Yield the compression of L5/S1 if the box stood where the hands are at the best height."""
    back, performance = assessment.finding("compression"), assessment.performance
    if back is None or not back.is_beyond or performance.task != "lift" or not assessment.lifts:
        return
    hands = _worst(assessment).origin.result.lift.vertical
    if hands > BEST_HEIGHT - MIN_RAISE:
        return
    given = {name: value for name, value in performance.parameters.items() if name != "straddle"}
    floor = given.get("origin_height", 0.0)
    raised = round(floor + BEST_HEIGHT - hands, 2)
    again = perform(
        performance.task,
        performance.manikin,
        style=performance.style,
        parameters={**given, "origin_height": raised},
    )
    if again.shortfalls:
        return
    series = load_series(again, dynamic=assessment.back.is_dynamic)
    angles = posture_angles(again.manikin, again.motion.q, neck_angles(again))
    found = back_series(series.loads, angles, model=assessment.back.model)
    before, after = (float(each.compression.max()) for each in (assessment.back, found))
    if after <= (1 - MIN_GAIN) * before:
        yield Recommendation(
            f"box {raised:.2f} m above the floor instead of {floor:.2f} m when it is taken",
            f"compression of L5/S1 {before:.0f} → {after:.0f} N",
        )


def _better_places(assessment: Assessment) -> Iterator[Recommendation]:
    """Yield single changes that lower the worst lifting index, the best first."""
    index = assessment.finding("lifting_index")
    if index is None or not index.is_beyond:
        return
    lift = _worst(assessment)
    ends = lift.origin.result.lift, lift.destination.result.lift
    before = max(lifting_index(each).index for each in ends)
    found = []
    for words, changed in _changes(ends):
        after = max(lifting_index(each).index for each in changed)
        if after <= (1 - MIN_GAIN) * before:
            found.append(
                (after, Recommendation(words, f"lifting index {before:.2f} → {after:.2f}"))
            )
    yield from (each for _, each in sorted(found, key=lambda pair: pair[0]))


def _changes(ends: tuple[Lift, Lift]) -> Iterator[tuple[str, tuple[Lift, Lift]]]:
    taken, put = ends

    def both(change: Callable[[Lift], dict[str, Any]]) -> tuple[Lift, Lift]:
        return replace(taken, **change(taken)), replace(put, **change(put))

    if taken.vertical < BEST_HEIGHT:
        travel = abs(put.vertical - BEST_HEIGHT)
        raised = replace(taken, vertical=BEST_HEIGHT, distance=travel)
        words = f"hands at {BEST_HEIGHT:g} m instead of {taken.vertical:.2f} m when it is taken"
        yield words, (raised, replace(put, distance=travel))
    if put.vertical > BEST_HEIGHT + 0.25:
        travel = abs(taken.vertical - BEST_HEIGHT)
        lowered = replace(put, vertical=BEST_HEIGHT, distance=travel)
        words = f"hands at {BEST_HEIGHT:g} m instead of {put.vertical:.2f} m when it is put"
        yield words, (replace(taken, distance=travel), lowered)
    far = max(taken.horizontal, put.horizontal)
    if far > NEAREST:
        nearer = both(lambda each: {"horizontal": min(each.horizontal, NEAREST)})
        yield f"hands {NEAREST:g} m in front of the ankles instead of {far:.2f} m", nearer
    if max(taken.asymmetry, put.asymmetry) > 0:
        yield "no turn to the side", both(lambda each: {"asymmetry": 0.0})
    if taken.coupling != "good":
        yield "a good grip: handles or cut-outs", both(lambda each: {"coupling": "good"})
    if taken.per_minute > 0.2:
        yield "half as often", both(lambda each: {"per_minute": each.per_minute / 2})


def _worst(assessment: Assessment) -> AssessedLift:
    return max(assessment.lifts, key=lambda each: each.worse.result.index)


def _floor(mass: float) -> float:
    return int(mass / LOAD_STEP + 1e-9) * LOAD_STEP
