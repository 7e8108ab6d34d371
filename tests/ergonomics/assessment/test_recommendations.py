"""What would make a task acceptable does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.assessed import assessed

from robotix.ergonomics import (
    Job,
    assess,
    greatest_carried_load,
    lifting_index,
    recommendations,
)
from robotix.human import perform
from robotix.human.motion.performance import Performance


def with_load(performance: Performance, mass: float) -> Performance:
    loads = tuple(
        replace(phase, load=replace(phase.load, mass=mass)) for phase in performance.loads
    )
    return replace(performance, loads=loads)


def test_the_greatest_load_is_below_the_limit_and_a_little_more_is_not() -> None:
    found = assessed("lift")
    limit = 3700.0
    mass = greatest_carried_load(found, limit=limit)
    assert mass > 0
    for load, is_below in ((mass, True), (mass + 0.2, False)):
        back = assess(with_load(found.performance, load), job=found.job).back
        assert (max(back.compression.max(), back.band[1].max()) <= limit) == is_below


def test_a_box_that_stands_higher_eases_the_back() -> None:
    """The figure is that of the same lift from that height."""
    found = assessed("lift")
    said = next(each for each in recommendations(found) if "above the floor" in each.change)
    height = float(said.change.split()[1])
    again = perform(
        "lift",
        found.performance.manikin,
        style=found.performance.style,
        parameters={**found.performance.parameters, "origin_height": height},
    )
    higher = assess(again, job=found.job)
    assert higher.lifts[0].origin.result.lift.vertical == pytest.approx(0.75, abs=0.02)
    before, after = found.back.compression.max(), higher.back.compression.max()
    assert after < 0.95 * before
    assert said.effect == f"compression of L5/S1 {before:.0f} → {after:.0f} N"


def test_a_limit_that_the_body_alone_exceeds() -> None:
    assert greatest_carried_load(assessed("lift"), limit=100.0) == 0.0


def test_a_limit_far_above_is_searched_upwards() -> None:
    found = assessed("lift")
    carried = found.performance.loads[0].load.mass
    assert greatest_carried_load(found, limit=20_000.0) > carried


def test_without_a_load_there_is_none_to_reduce() -> None:
    with pytest.raises(ValueError, match="nothing is carried"):
        greatest_carried_load(assessed("stand_up"))


def test_the_load_of_the_lifting_index_is_the_weight_limit() -> None:
    found = assess(assessed("lift").performance, job=Job(per_minute=4, hours=8))
    texts = [f"{each.change}: {each.effect}" for each in recommendations(found)]
    lift = found.lifts[0]
    limit = min(end.result.weight_limit for end in (lift.origin, lift.destination))
    assert texts[0] == f"load of at most {int(10 * limit) / 10:.1f} kg: lifting index of at most 1"
    place = next(text for text in texts if "in front of the ankles" in text)
    ends = [
        replace(end.result.lift, horizontal=min(end.result.lift.horizontal, 0.25))
        for end in (lift.origin, lift.destination)
    ]
    after = max(lifting_index(each).index for each in ends)
    assert place.endswith(f"→ {after:.2f}")
    assert any("half as often" in text for text in texts)


def test_what_is_fine_needs_no_change() -> None:
    found = assess(with_load(assessed("reach").performance, 0.1))
    assert recommendations(found) == ()
