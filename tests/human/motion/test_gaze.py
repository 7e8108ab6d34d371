"""What people look at, and the neck that follows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.people import manikin

from robotix.geometry import Array
from robotix.geometry.rotation import rotation_about
from robotix.human import Manikin, perform
from robotix.human.body.head_and_hands import EXTENDED_NECK, FLEXED_NECK, TURNED_NECK
from robotix.human.motion.gaze import LOWEST_EYES, OTHER_EYES, look_angles, neck_angles
from robotix.human.motion.performance import Performance
from robotix.human.motion.recording_fit import RecordingFit


@cache
def man() -> Manikin:
    return manikin("m")


@cache
def _lift() -> Performance:
    return perform("lift", man())


def _eyes() -> Array:
    return man().skeleton["eyes"]


def _point(*, down_deg: float, left_deg: float = 0.0, far: float = 100.0) -> Array:
    down, left = np.radians([down_deg, left_deg])
    direction = rotation_about([0, 0, 1], left) @ rotation_about([0, 1, 0], down) @ [1, 0, 0]
    return _eyes() + far * direction


@pytest.mark.parametrize(("down", "left"), [(0, 0), (30, 0), (40, 14), (-10, -14)])
def test_the_eyes_take_the_first_part_of_the_way(down: float, left: float) -> None:
    angles = look_angles(man(), np.zeros((1, 39)), _point(down_deg=down, left_deg=left))
    assert angles.flexion[0] == angles.rotation[0] == 0.0


def test_the_neck_takes_what_the_eyes_leave() -> None:
    q = np.zeros((1, 39))
    low = look_angles(man(), q, _point(down_deg=60))
    assert low.flexion[0] == pytest.approx(np.radians(60) - LOWEST_EYES, abs=2e-3)
    up = look_angles(man(), q, _point(down_deg=-40))
    assert up.flexion[0] == pytest.approx(-np.radians(40) + OTHER_EYES, abs=2e-3)
    aside = look_angles(man(), q, _point(down_deg=0, left_deg=50))
    assert aside.rotation[0] == pytest.approx(np.radians(50) - OTHER_EYES, abs=2e-3)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.integers(0, 2**32 - 1))
def test_the_neck_stays_within_its_range_wherever_one_looks(point: list[float], seed: int) -> None:
    model = man().model
    q = np.random.default_rng(seed).uniform(np.maximum(model.lower, -2), np.minimum(model.upper, 2))
    angles = look_angles(man(), q[None], point)
    assert -EXTENDED_NECK <= angles.flexion[0] <= FLEXED_NECK
    assert abs(angles.rotation[0]) <= TURNED_NECK


def test_who_bends_over_looks_up_to_look_ahead_and_down_at_what_is_grasped() -> None:
    lift = _lift()
    neck, times = neck_angles(lift), lift.motion.times
    grasp = lift.row_at(lift.loads[0].start)
    looking = look_angles(man(), lift.motion.q[[grasp]], lift.load_poses("box")[0][grasp])
    assert neck.flexion[grasp] == pytest.approx(looking.flexion[0], abs=1e-9)
    rates = np.diff(neck.flexion) / np.diff(times)
    assert abs(rates).max() < 5.0  # rad/s: smooth


def test_a_recording_does_not_say_where_one_looks() -> None:
    recorded = replace(_lift(), tracking=RecordingFit("followed"))
    neck = neck_angles(recorded)
    assert not neck.flexion.any() and not neck.rotation.any()
