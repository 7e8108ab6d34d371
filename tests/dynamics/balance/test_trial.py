"""Squat, kick and push: falls without the law, none with it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from robotix.dynamics.balance import (
    AnkleLaw,
    BalancePush,
    BalanceResult,
    BalanceSensors,
    BalanceTrial,
    KeyPostures,
    feet_of,
    run_balance,
    stance,
)
from robotix.dynamics.balance.robustness import PushCase, largest_push, push_limits
from robotix.dynamics.simulation import Mechanism, Simulation, World
from robotix.errors import BadField, UnknownName
from robotix.model.robots import load

MODEL = load("vhrp26")


@cache
def ran(trial: BalanceTrial) -> BalanceResult:
    return run_balance(trial)


def test_a_squat_to_the_floor_falls_with_held_ankles_and_not_with_the_law() -> None:
    held = ran(BalanceTrial("squat", None))
    assert held.fell and held.fall_time is not None and 0.8 < held.fall_time < 1.5
    found = ran(BalanceTrial("squat"))
    assert not found.fell and found.fall_time is None
    assert found.seconds == pytest.approx(6.0, abs=0.01)
    assert found.max_com_offset < 0.003
    assert found.final_com_offset < 1e-4
    assert found.lowest_root < 0.08 and found.lowest_hand < 0.03  # of 0.241 and 0.216 m


def test_a_kick_falls_with_held_ankles_and_not_with_the_law() -> None:
    held = ran(BalanceTrial("kick", None))
    assert held.fell and held.fall_time is not None and 1.2 < held.fall_time < 2.2
    found = ran(BalanceTrial("kick"))
    assert not found.fell
    assert found.max_com_offset < 0.045
    assert found.final_com_offset < 1e-3


def test_the_printed_sign_falls_on_one_leg() -> None:
    found = ran(BalanceTrial("kick", AnkleLaw(sign="printed")))
    assert found.fell and found.fall_time is not None and found.fall_time < 1.6


def test_a_push_is_absorbed_and_one_that_is_too_hard_is_not() -> None:
    found = ran(BalanceTrial("push", max_seconds=2.5))
    assert not found.fell
    assert 0.005 < found.max_com_offset < 0.02
    assert found.final_com_offset < 1e-3
    assert ran(BalanceTrial("push", push=BalancePush(5.0))).fell


def test_friction_and_noise_are_survived_and_repeated_by_the_seed() -> None:
    noise = BalanceSensors.usual(1.0)
    trial = BalanceTrial("push", sensors=noise, seed=7, ankle_friction=0.1, max_seconds=1.2)
    found = ran(trial)
    assert not found.fell and found.max_com_offset < 0.02
    brief = replace(trial, max_seconds=0.1)
    assert run_balance(brief) == run_balance(brief)
    assert run_balance(brief) != run_balance(replace(brief, seed=8))


def test_watchers_see_every_update() -> None:
    times: list[float] = []
    run_balance(BalanceTrial("push", max_seconds=0.02), watch=lambda s: times.append(s.time))
    np.testing.assert_allclose(times, np.arange(1, 11) * 0.002)


def test_a_stance_has_its_centre_of_mass_over_a_flat_foot() -> None:
    simulation = Simulation(World(mechanisms=(Mechanism("robot", MODEL),)))
    for foot in ("left", "right"):
        other = "right" if foot == "left" else "left"
        q = stance(MODEL, {f"{other}_hip_pitch": -0.8, f"{other}_knee": 1.0}, foot=foot)
        simulation.set_state("robot", q)
        ankle = simulation.pose(f"robot/{foot}_foot")
        np.testing.assert_allclose(ankle.rotation, np.eye(3), atol=1e-9)
        assert ankle.translation[2] == pytest.approx(0.0203, abs=1e-9)
        np.testing.assert_allclose(simulation.momentum().com[:2], ankle.translation[:2], atol=1e-6)
    with pytest.raises(UnknownName, match="joint"):
        stance(MODEL, {"left_elbows": 0.1})


def test_feet_are_those_of_the_model() -> None:
    left, right = feet_of(MODEL)
    assert (left.heel, left.toe, left.half_width) == pytest.approx((0.035, 0.06, 0.026))
    assert right.pitch == "right_ankle_pitch"


def test_key_postures_rest_at_their_times() -> None:
    a, b = np.zeros(2), np.array([1.0, -2.0])
    motion = KeyPostures((0.5, 1.5), (a, b))
    for time, expected in ((0.0, a), (0.5, a), (1.0, b / 2), (1.5, b), (9.0, b)):
        np.testing.assert_allclose(motion.at(time)[0], expected, atol=1e-12)
    h = 1e-6
    slope = (motion.at(0.8 + h)[0] - motion.at(0.8 - h)[0]) / (2 * h)
    np.testing.assert_allclose(motion.at(0.8)[1], slope, rtol=1e-6)
    with pytest.raises(BadField, match="ascending"):
        KeyPostures((1.0, 1.0), (a, b))


def test_the_largest_push_lies_between_what_is_survived_and_what_is_not() -> None:
    tolerance = 1.6  # N s: two trials, of 3 and 1.5 N s
    ((limit,),) = push_limits([2.0], [math.pi], tolerance=tolerance, processes=1)
    assert limit in (0.0, 1.5)  # backwards: the heel is short
    assert ran(BalanceTrial("push", push=BalancePush(limit + 1.5, math.pi))).fell


def test_bad_values_are_refused() -> None:
    for make in (
        lambda: BalancePush(-1.0),
        lambda: BalancePush(1.0, math.nan),
        lambda: BalancePush(1.0, duration=0.0),
        lambda: BalanceTrial("jump"),  # type: ignore[arg-type]
        lambda: largest_push(PushCase(None), tolerance=0.0),
    ):
        with pytest.raises(BadField):
            make()
