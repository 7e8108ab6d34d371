"""Arms and mountings over the points of tasks."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np

from robotix.experiments.comparison.figure import comparison_svg
from robotix.experiments.comparison.targets import TargetReach, compare_targets, reach_targets
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import RoomSetup


def test_the_rail_reaches_what_a_fixed_arm_does_not() -> None:
    seen = []
    found = compare_targets(
        ["shelf"], ["kuka_lwr"], ["fixed", "rail"], advance=lambda: seen.append(1)
    )
    fixed, rail = found
    assert len(seen) == 2
    assert rail.reached == rail.points == 5
    assert fixed.reached < rail.reached
    assert 0 < rail.isotropy <= 1
    assert 0 <= rail.limit_distance <= 0.5
    assert rail.clearance >= 0.03


def test_results_do_not_change_with_the_same_seed() -> None:
    task, setup = load_task("chess"), RoomSetup(arm="amtec_ulwr")
    first, second = (reach_targets(task, setup, rng=np.random.default_rng(3)) for _ in range(2))
    assert first == second


def test_the_figure_has_a_bar_for_every_number() -> None:
    nothing = math.nan
    found = [
        TargetReach("a", "x", "rail", 4, 4, 0.5, 0.2, 0.1),
        TargetReach("a", "y", "rail", 4, 0, nothing, nothing, nothing),
    ]
    svg = ElementTree.fromstring(comparison_svg(found))
    titles = [each.text for each in svg.iter() if each.tag.endswith("title")]
    assert len(titles) == 4 + 1  # the second arm has its share of 0 only
    assert "x, rail: 0.5" in titles
