"""Positions of the joint centres at `q = 0`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.human import make_anthropometry
from robotix.human.body.skeleton import SIDES, make_skeleton


@given(st.sampled_from("fm"), st.floats(1, 99))
def test_joints_are_in_order_from_the_floor_to_the_crown(sex: str, percentile: float) -> None:
    body = make_anthropometry(sex=sex, percentile=percentile)
    at = make_skeleton(body)
    heights = [
        at[name][2] for name in ("right_ankle", "right_knee", "right_hip", "l5s1", "t12l1", "neck")
    ]
    assert heights == sorted(heights)
    assert at["crown"][2] == pytest.approx(body.stature)
    assert 0 < at["right_fingertip"][2] < at["right_wrist"][2] < at["right_elbow"][2]


def test_left_mirrors_right() -> None:
    at = make_skeleton(make_anthropometry(sex="f"))
    for name in (key.removeprefix("right_") for key in at if key.startswith("right_")):
        assert at[f"left_{name}"] == pytest.approx(at[f"right_{name}"] * (1, -1, 1))
        assert at[f"left_{name}"][1] * SIDES["left"] > 0
