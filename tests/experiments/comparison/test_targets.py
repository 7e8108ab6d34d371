"""Arms and mountings over the points of tasks."""

from __future__ import annotations

import numpy as np

from robotix.experiments.comparison.targets import compare_targets, reach_targets
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
