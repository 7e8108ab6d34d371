"""Motions: interpolation, joining, limits and errors."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array
from robotix.model import Model
from robotix.motion import (
    Dof,
    Marker,
    Motion,
)
from robotix.motion.coordinates import step_between

rows = arrays(float, (5, 3), elements=st.floats(-6, 6))


METHODS = ("linear", "cubic")


TIMES = np.array([0.5, 0.6, 1.0, 1.1, 2.0])


PLAIN = (Dof("a"), Dof("b", "m"), Dof("c"))


def one(times: list[float], values: list[float], *markers: Marker, name: str = "a") -> Motion:
    """Motion of one joint."""
    return Motion((Dof(name),), np.array(times), np.array(values)[:, None], markers)


@pytest.mark.parametrize("method", METHODS)
@given(q=rows)
def test_goes_through_its_rows_exactly_and_rests_outside(method: str, q: Array) -> None:
    motion = Motion(PLAIN, TIMES, q)
    for t, row in zip(TIMES, q, strict=True):
        np.testing.assert_array_equal(motion.at(t, method=method), row)  # type: ignore[arg-type]
    np.testing.assert_array_equal(motion.at(0.0), q[0])
    np.testing.assert_array_equal(motion.at(9.0), q[-1])


@pytest.mark.parametrize("method", METHODS)
@given(q=rows, t=st.floats(0.5, 2.0))
def test_never_overshoots_its_rows(method: str, q: Array, t: float) -> None:
    i = min(int(np.searchsorted(TIMES, t, side="right")) - 1, 3)
    now = Motion(PLAIN, TIMES, q).at(t, method=method)  # type: ignore[arg-type]
    assert (now >= q[i : i + 2].min(axis=0) - 1e-12).all()
    assert (now <= q[i : i + 2].max(axis=0) + 1e-12).all()


@settings(max_examples=25)
@given(q=arrays(float, (5, 7), elements=st.floats(-1, 1)), row=st.integers(1, 3))
def test_cubic_keeps_its_velocity_across_rows(walker: Model, q: Array, row: int) -> None:
    motion, h = Motion.of(walker, TIMES, q=q), 1e-6
    t = float(TIMES[row])
    before, now, after = (motion.at(t + d, method="cubic") for d in (-h, 0, h))
    arriving = step_between(motion.dofs, before, end=now) / h
    leaving = step_between(motion.dofs, now, end=after) / h
    np.testing.assert_allclose(arriving, leaving, atol=5e-3)


def test_a_floating_root_turns_about_a_fixed_axis(walker: Model) -> None:
    axis, q = np.array([0.6, 0, 0.8]), np.zeros((3, 7))
    q[:, 3:6] = np.outer([0, 2.0, 4.0], axis)  # the last one is beyond π
    motion = Motion.of(walker, [0, 1, 2], q=q)
    for method in METHODS:
        for t in np.linspace(0, 2, 21):
            now = motion.at(float(t), method=method)  # type: ignore[arg-type]
            np.testing.assert_allclose(now[3:6], 2 * t * axis, atol=1e-9)
    np.testing.assert_allclose(motion.velocities[:, 3:6], np.tile(2 * axis, (3, 1)), atol=1e-9)


def test_velocities_of_a_parabola_are_exact_inside() -> None:
    motion = Motion((Dof("a"),), TIMES, (TIMES**2)[:, None])
    np.testing.assert_allclose(motion.velocities[1:-1, 0], 2 * TIMES[1:-1], rtol=1e-12)
    assert not one([1.0], [2.0]).velocities.any()


def test_resampling_keeps_both_ends() -> None:
    motion = one([1.0, 2.0], [0.0, 1.0], Marker(1.5, "half"))
    fine = motion.resampled(0.3)
    np.testing.assert_allclose(fine.times, [1, 1.3, 1.6, 1.9, 2])
    np.testing.assert_allclose(fine.q[:, 0], fine.times - 1, atol=1e-12)
    assert fine.markers == motion.markers
    assert len(motion.resampled(0.25).times) == 5


def test_motions_follow_each_other() -> None:
    there = one([0.0, 1.0], [0.0, 1.0], Marker(0.5, "go"))
    back = one([5.0, 6.0, 8.0], [1.0, 0.5, 0.0], Marker(6.0, "half"))
    both = there.then(back)
    assert both.times.tolist() == [0, 1, 2, 4]
    assert both.q[:, 0].tolist() == [0, 1, 0.5, 0]
    assert both.markers == ((0.5, "go"), (2.0, "half"))
    assert there.then(there, gap=2.0).times.tolist() == [0, 1, 3, 4]
    assert there.joined(back).times.tolist() == [0, 1, 5, 6, 8]
    with pytest.raises(ValueError, match="'a' jumps by 1 between motions; give a gap"):
        there.then(there)
    with pytest.raises(ValueError, match="different joints"):
        there.then(one([0.0], [1.0], name="b"))
    with pytest.raises(ValueError, match="cannot follow"):
        back.joined(there)


def test_a_motion_is_frozen_and_travels() -> None:
    times = np.array([0.0, 1.0])
    motion = Motion((Dof("a"),), times, np.array([[0.0], [1.0]]))
    times[1] = 7
    assert motion.times[1] == 1
    with pytest.raises(ValueError, match="read-only"):
        motion.q[0, 0] = 3
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(motion)).q, motion.q)


NO_MOTIONS = {
    "no rows": ([], np.zeros((0, 1))),
    "rows missing": ([0.0, 1.0], [[0.0]]),
    "time stands": ([0.0, 0.0], [[0.0], [1.0]]),
    "before zero": ([-1.0, 0.0], [[0.0], [1.0]]),
    "unknown time": ([0.0, math.nan], [[0.0], [1.0]]),
    "far future": ([0.0, 1e11], [[0.0], [1.0]]),
    "nan": ([0.0, 1.0], [[0.0], [math.nan]]),
}


@pytest.mark.parametrize("case", NO_MOTIONS)
def test_refuses_what_is_no_motion(case: str) -> None:
    times, q = NO_MOTIONS[case]
    with pytest.raises(ValueError, match=r"time|row|nan"):
        Motion((Dof("a"),), np.array(times), np.array(q))


def test_breaches_name_joint_moment_and_limit(arm: Model) -> None:
    q = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.2, 2.5, 0], [0.3, 2.5, 0.5]])
    breaches = Motion.of(arm, [0, 0.1, 0.2, 0.3], q=q).limit_breaches(arm)
    found = {(b.joint, b.what): b for b in breaches}
    assert ("shoulder", "position") in found and ("elbow", "position") in found
    assert found["shoulder", "velocity"].value == pytest.approx(25)
    assert found["shoulder", "velocity"].time == pytest.approx(0.15)
    assert ("rail", "velocity") not in found
    with pytest.raises(ValueError, match=r"position 0\.5 of 'elbow' at 0\.3 s, limit 0"):
        Motion.of(arm, [0, 0.1, 0.2, 0.3], q=q).check_limits(arm)


def test_says_which_joints_do_not_fit(arm: Model) -> None:
    motion = Motion((Dof("rail", "m"), Dof("wrist")), np.zeros(1), np.zeros((1, 2)))
    with pytest.raises(ValueError, match="lacks shoulder, elbow; the model lacks wrist"):
        motion.check_model(arm)
    with pytest.raises(ValueError, match="does not fit"):
        motion.check_limits(arm)
