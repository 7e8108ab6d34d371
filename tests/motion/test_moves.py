"""Joint-space moves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array
from robotix.model import Joint, Model
from robotix.motion import (
    Profile,
    fastest_profile,
    make_move,
    move_steps,
)

rows = arrays(float, (5, 3), elements=st.floats(-6, 6))


@given(
    q=arrays(float, 3, elements=st.floats(-2, 2)),
    goal=st.lists(st.none() | st.floats(-2, 2), min_size=3, max_size=3),
    steps=st.integers(1, 30),
)
def test_steps_end_at_the_goal_and_keep_what_is_starred(
    q: Array, goal: list[float | None], steps: int
) -> None:
    rows = move_steps(q, goal, steps=steps)
    assert rows.shape == (steps, 3)
    for column, start, end in zip(rows.T, q, goal, strict=True):
        if end is None:
            assert (column == start).all()
        else:
            assert column[-1] == end
            np.testing.assert_allclose(np.diff([start, *column]), (end - start) / steps, atol=1e-12)


def test_steps_may_follow_a_profile() -> None:
    rows = move_steps([0.0], [1.0], steps=4, profile=Profile.minimum_jerk(7.0))
    np.testing.assert_allclose(rows[:, 0], [0.103515625, 0.5, 0.896484375, 1.0])


@settings(max_examples=25)
@given(
    start=arrays(float, 3, elements=st.floats(0, 1)),
    goal=arrays(float, 3, elements=st.floats(0, 1)),
)
@pytest.mark.parametrize("optimal", [False, True])
def test_a_move_keeps_the_limits_and_uses_them(
    arm: Model, optimal: bool, start: Array, goal: Array
) -> None:
    start[2], goal[2] = -start[2], -goal[2]
    if abs(goal - start).max() < 1e-3:
        return
    profile = fastest_profile(start, goal.tolist(), model=arm) if optimal else None
    motion = make_move(start, goal.tolist(), model=arm, profile=profile, dt=0.005)
    motion.check_limits(arm)
    np.testing.assert_array_equal(motion.q[[0, -1]], [start, goal])
    assert np.diff(motion.times).max() <= 0.005 + 1e-12
    fast = motion.duration * 0.98
    with pytest.raises(ValueError, match=r"velocity|acceleration"):
        law = Profile.minimum_jerk(1.0) if profile is None else profile
        quick = make_move(
            start, goal.tolist(), model=arm, profile=law.stretched(fast), dt=fast / 400
        )
        quick.check_limits(arm)


def test_a_root_moves_within_its_turning_speed(walker: Model) -> None:
    goal = [0, 0, 0, 0, 0, 1.0, 0.0]
    motion = make_move(np.zeros(7), goal, model=walker)
    motion.check_limits(walker)
    assert motion.duration == pytest.approx(15 / 8 / math.pi)
    np.testing.assert_array_equal(motion.q[-1], goal)


def test_a_move_to_where_it_is_takes_no_time(arm: Model) -> None:
    motion = make_move(arm.neutral, [None, None, None], model=arm)
    assert motion.duration == 0 and len(motion.times) == 1


def test_refuses_bad_goals(arm: Model) -> None:
    with pytest.raises(ValueError, match="a goal for 2 joints, but there are 3"):
        move_steps(arm.neutral, [1.0, None], steps=3)
    with pytest.raises(ValueError, match="finite"):
        move_steps([0.0], [math.nan], steps=3)
    with pytest.raises(ValueError, match="one step or more"):
        move_steps([0.0], [1.0], steps=0)
    with pytest.raises(ValueError, match="dt must be positive"):
        make_move([0.0, 0, 0], [1.0, None, None], model=arm, dt=0.0)
    free = arm.with_joint(Joint("rail", "prismatic", lower=0, upper=2))
    with pytest.raises(ValueError, match="give a profile with a duration"):
        make_move([0.0, 0, 0], [1.0, None, None], model=free)
