"""Whatever is asked of a simulation: no crash, no NaN, and what diverges is set back."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from conftest import Figures
from support.random_worlds import act, random_settings, random_world

from robotix.dynamics.simulation import Simulation, SimulationDiverged
from robotix.errors import BadModel, RobotixError

SAMPLE, CAMPAIGN = 30, 10_000
ROUNDS = 12


def run(seed: int) -> dict[str, int]:
    """Let things happen in a random world; return how often what was refused or diverged."""
    rng = np.random.default_rng(seed)
    told: dict[str, int] = {}
    try:
        simulation = Simulation(random_world(rng), random_settings(rng))
    except BadModel:
        return {"BadModel": 1}
    for _ in range(ROUNDS):
        try:
            act(simulation, rng)
        except (RobotixError, ValueError) as refusal:
            assert str(refusal)
            told[type(refusal).__name__] = told.get(type(refusal).__name__, 0) + 1
        before = simulation.snapshot()
        try:
            simulation.step(int(rng.integers(1, 20)))
        except SimulationDiverged as report:
            assert report.body
            np.testing.assert_array_equal(simulation.snapshot(), before)
            told["diverged"] = told.get("diverged", 0) + 1
        check_sound(simulation)
    return told


def check_sound(simulation: Simulation) -> None:
    assert np.isfinite(simulation.snapshot()).all()
    assert np.isfinite(simulation.energy().total)
    for row in simulation.link_table().rows:
        if not row.real:
            assert np.isfinite(simulation.pose(row.name).matrix).all()
            assert np.isfinite(simulation.twist(row.name)).all()
    for contact in simulation.contacts():
        assert np.isfinite(contact.force).all()


def test_a_sample_of_faults() -> None:
    told = [run(seed) for seed in range(SAMPLE)]
    kinds = set().union(*told)
    assert {"diverged", "BadField", "NoFreeSlot"} <= kinds  # the campaign reaches them


@pytest.mark.soak
def test_the_campaign(figures: Figures) -> None:
    told = Counter[str]()
    for seed in range(CAMPAIGN):
        told.update(run(SAMPLE + seed))
    refused = told.total() - told["diverged"] - told["BadModel"]
    figures(
        "whatever is asked of a simulation, its state stays finite",
        f"{CAMPAIGN:,} random worlds, {ROUNDS * (CAMPAIGN - told['BadModel']):,} actions",
        f"{told['BadModel']:,} worlds and {refused:,} actions refused with a message; "
        f"{told['diverged']:,} calls diverged, were reported and set back",
    )
