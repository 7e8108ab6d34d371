"""Whatever is asked of a simulation: no crash, no NaN, and what diverges is set back."""

from __future__ import annotations

import numpy as np
import pytest
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
@pytest.mark.parametrize("block", range(100))
def test_the_campaign(block: int) -> None:
    for seed in range(block * CAMPAIGN // 100, (block + 1) * CAMPAIGN // 100):
        run(SAMPLE + seed)
