"""Many simulations at once equal single ones, whatever the number of threads or processes."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.balance import BalanceSensors, BalanceTrial, run_balance
from robotix.dynamics.simulation import Mechanism, Simulation, World
from robotix.dynamics.simulation.holding import holding_servos
from robotix.dynamics.simulation.rollouts import rollout, run_cases
from robotix.errors import BadField, UnknownName
from robotix.model.robots import load


def make_arm() -> Simulation:
    model = load("planar_3r")
    return Simulation(World(mechanisms=(Mechanism("arm", model, servos=holding_servos(model)),)))


def test_a_rollout_equals_single_runs() -> None:
    rng = np.random.default_rng(5)
    q, dq = rng.uniform(-1, 1, size=(6, 3)), rng.normal(size=(6, 3))
    simulation = make_arm()
    before = simulation.snapshot()
    positions, rates = rollout(simulation, "arm", steps=50, q=q, dq=dq, threads=2)
    np.testing.assert_array_equal(simulation.snapshot(), before)
    assert positions.shape == rates.shape == (6, 50, 3)
    one, _ = rollout(simulation, "arm", steps=50, q=q, dq=dq, threads=1)
    np.testing.assert_array_equal(one, positions)
    few, _ = rollout(simulation, "arm", steps=50, q=q, dq=dq, every=10)
    np.testing.assert_array_equal(few, positions[:, 9::10])
    for k in range(6):
        single = make_arm()
        single.set_state("arm", q[k], dq[k])
        single.step(50)
        np.testing.assert_allclose(single.q("arm"), positions[k, -1], rtol=1e-12)
        np.testing.assert_allclose(single.dq("arm"), rates[k, -1], rtol=1e-12)


def test_commands_differ_from_copy_to_copy() -> None:
    simulation = make_arm()
    targets = np.zeros((3, 1, 3))
    targets[:, 0, 0] = (0.0, 0.3, -0.3)
    positions, _ = rollout(simulation, "arm", steps=1000, commands=targets, every=1000)
    np.testing.assert_allclose(positions[:, -1, 0], (0.0, 0.3, -0.3), atol=1e-3)


def test_a_floating_root_is_rolled_out_too() -> None:
    model = load("vhrp26")
    simulation = Simulation(World(mechanisms=(Mechanism("robot", model),)))
    q = np.tile(model.neutral, (2, 1))
    q[1, :6] = (0.1, 0.2, 0.3, 0.0, 0.0, 0.5)
    positions, _ = rollout(simulation, "robot", steps=100, q=q, every=100)
    fall = 9.81 * 0.1**2 / 2
    np.testing.assert_allclose(positions[:, -1, 2], q[:, 2] - fall, rtol=0.02)
    np.testing.assert_allclose(positions[:, -1, 5], q[:, 5], atol=1e-9)


def test_wrong_shapes_and_names_are_refused() -> None:
    simulation = make_arm()
    for wrong in (
        {"q": np.zeros((2, 4))},
        {"q": np.zeros((2, 3)), "dq": np.zeros((3, 3))},
        {"commands": np.zeros((2, 3, 3))},
        {"steps": 0},
    ):
        with pytest.raises(BadField, match=next(iter(reversed(wrong)))):
            rollout(simulation, "arm", **{"steps": 5, **wrong})  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="mechanism"):
        rollout(simulation, "leg", steps=5)


def test_cases_come_in_order_and_do_not_depend_on_processes() -> None:
    noise = BalanceSensors.usual(1.0)
    cases = [BalanceTrial("push", sensors=noise, seed=k, max_seconds=0.05) for k in range(4)]
    seen: list[object] = []
    alone = run_cases(run_balance, cases, processes=1, advance=seen.append)
    assert seen == alone
    assert len({each.max_com_offset for each in alone}) == 4
    assert run_cases(run_balance, cases, processes=2) == alone
    assert run_cases(run_balance, [], processes=2) == []
