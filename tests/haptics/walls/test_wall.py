"""A sampled wall: energy, passivity, and what a bad setting is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.walls.wall import (
    OperatorHand,
    PassivityControl,
    SampledDevice,
    VirtualWall,
    WallTrial,
    run_wall,
    run_walls,
)

DEVICE = SampledDevice(mass=2.0, damping=5.0)  # passive up to 2c/T = 10 kN/m


def random_trials(count: int, seed: int) -> list[WallTrial]:
    rng = np.random.default_rng(seed)
    return [
        WallTrial(
            VirtualWall(10 ** rng.uniform(2, 6), rng.uniform(0, 100), bool(rng.integers(2)),
                        hysteresis=rng.choice([0.0, 1e-4])),
            SampledDevice(10 ** rng.uniform(-1, 1), rng.choice([0.0, 10 ** rng.uniform(-1, 1.5)]),
                          rng.choice([0.0, 1.0]), rng.choice([0.0, 1e-5]),
                          rng.choice([np.inf, 50.0]), rng.choice([0.0, 0.01]),
                          delay=1e-3 * int(rng.integers(0, 6))),
            OperatorHand(rng.uniform(0, 1), rng.uniform(0, 20), rng.uniform(0, 1000),
                         rng.uniform(-0.01, 0.05), rng.uniform(0, 30), max_force=60.0),
            speed=rng.uniform(0, 1), seconds=0.5, control=PassivityControl.bounded,
        )
        for _ in range(count)
    ]  # fmt: skip


def check_never_negative(trials: list[WallTrial]) -> int:
    """Raise unless the controlled energy never is negative; return how often it was without."""
    for trial, result in zip(trials, run_walls(trials, threads=2), strict=True):
        assert result.energy_leak < 1e-9, trial
    free = run_walls([replace(t, control=PassivityControl.none) for t in trials], threads=2)
    return sum(not result.is_passive for result in free)


def test_the_energy_is_never_negative_with_control() -> None:
    leaking = check_never_negative(random_trials(1000, seed=1))
    assert leaking > 300  # without it: so the law is put to a test


@pytest.mark.soak
def test_the_energy_is_never_negative_with_control_in_ten_thousand_walls() -> None:
    assert check_never_negative(random_trials(10_000, seed=2)) > 3000


@pytest.mark.parametrize("stiffness", [500.0, 5000.0, 9900.0])
def test_a_wall_within_the_passivity_condition_gives_out_nothing(stiffness: float) -> None:
    for push in (0.0, 5.0, 40.0):
        result = run_wall(WallTrial(VirtualWall(stiffness), DEVICE, OperatorHand(push=push)))
        assert result.energy_leak < 1e-9


def test_the_damping_of_the_device_takes_up_what_the_sampled_wall_leaks() -> None:
    result = run_wall(WallTrial(VirtualWall(9000.0), DEVICE))
    assert result.wall_leak > 0.01
    assert result.is_passive


def test_a_stiff_wall_gives_out_energy() -> None:
    result = run_wall(WallTrial(VirtualWall(30_000.0), DEVICE))
    assert not result.is_passive
    assert not result.is_stable
    slow, fast = (
        run_wall(WallTrial(VirtualWall(5000.0), replace(DEVICE, rate=rate))).wall_leak
        for rate in (300.0, 1000.0)
    )
    assert slow > 2 * fast  # the leak grows with the period


def test_the_device_comes_to_rest_where_hand_and_wall_are_in_balance() -> None:
    hand = OperatorHand(stiffness=300.0, damping=10.0, rest=0.02, push=2.0)
    trial = WallTrial(VirtualWall(2000.0, 20.0), DEVICE, hand, seconds=5.0)
    history = run_wall(trial).history
    assert history is not None
    assert history.positions[-1] == pytest.approx((2 + 300 * 0.02) / 2300, rel=1e-3)
    assert history.forces[-1] == pytest.approx(2000 * history.positions[-1], rel=1e-3)


def test_energy_is_that_of_hand_and_motion() -> None:
    trial = WallTrial(VirtualWall(3000.0), replace(DEVICE, friction=0.5), OperatorHand(push=5.0))
    history = run_wall(trial).history
    assert history is not None
    work = 5.0 * (history.positions - trial.start)
    kinetic = 0.5 * 2.0 * (history.velocities**2 - trial.speed**2)
    np.testing.assert_allclose(history.energies, work - kinetic, atol=1e-12)


def test_friction_stops_a_device_and_does_not_move_it() -> None:
    device = replace(DEVICE, friction=3.0)
    history = run_wall(
        WallTrial(VirtualWall(0.0), device, OperatorHand(push=2.0), speed=0.05)
    ).history
    assert history is not None
    assert history.velocities[-1] == 0
    assert 0 < history.positions[-1] < 0.01


def test_the_passivity_observer_reduces_the_leak() -> None:
    trial = WallTrial(VirtualWall(30_000.0), DEVICE)
    leaks = {c: run_wall(replace(trial, control=c)).energy_leak for c in PassivityControl}
    assert leaks[PassivityControl.bounded] == 0
    assert 0 < leaks[PassivityControl.observer] < 0.5 * leaks[PassivityControl.none]


def test_runs_do_not_depend_on_threads() -> None:
    trials = random_trials(7, seed=3)
    one, three = run_walls(trials), run_walls(trials, threads=3)
    assert [r.energy_leak for r in one] == [r.energy_leak for r in three]
    assert [r.max_penetration for r in one] == [r.max_penetration for r in three]
    assert run_walls([]) == []


def test_bad_settings_are_named() -> None:
    for make, field in (
        (lambda: VirtualWall(-1.0), "stiffness"),
        (lambda: SampledDevice(mass=0.0), "mass"),
        (lambda: SampledDevice(rate=float("nan")), "rate"),
        (lambda: SampledDevice(delay=1.0), "delay"),
        (lambda: SampledDevice(max_force=0.0), "max_force"),
        (lambda: OperatorHand(rest=float("inf")), "rest"),
        (lambda: WallTrial(VirtualWall(1.0), seconds=0.0), "seconds"),
        (lambda: WallTrial(VirtualWall(1.0), speed=float("nan")), "speed"),
        (lambda: WallTrial(VirtualWall(1.0, pulls=True), control=PassivityControl.bounded),
         "control"),
    ):  # fmt: skip
        with pytest.raises(BadField, match=f"^{field}"):
            make()
    with pytest.raises(ValueError, match="same number of samples"):
        run_walls([WallTrial(VirtualWall(1.0)), WallTrial(VirtualWall(1.0), seconds=1.0)])
