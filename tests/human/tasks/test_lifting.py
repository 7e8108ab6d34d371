"""Lifts that one can ask questions of: heights, box, turn, hands, stance, pace."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin
from support.performed_tasks import BODIES, check_kept

from robotix.ergonomics import assess
from robotix.human.evaluation.report import measure
from robotix.human.motion.performance import Performance
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture

ASKED: list[tuple[str, dict[str, float]]] = [
    ("natural", {"origin_height": 0.45}),
    ("squat", {"origin_height": 0.45}),
    ("stoop", {"origin_height": 0.75, "table_height": 0.9}),
    ("natural", {"turn_deg": 45}),
    ("natural", {"turn_deg": -60, "origin_height": 0.5}),
    ("natural", {"hands": 1}),
    ("squat", {"straddle": 1}),
    ("natural", {"stance_width": 0.5, "pace": 1.4}),
    ("natural", {"box_width": 0.5, "box_depth": 0.2, "box_height": 0.4, "handle_height": 0.35}),
]
FLOOR: dict[str, float] = {}
KNEE_HEIGHT = {"origin_height": 0.45}


def lifted(style: str = "natural", /, **parameters: float) -> Performance:
    return perform("lift", manikin(percentile=50.0), style=style, parameters=parameters)


@pytest.mark.parametrize(("style", "asked"), ASKED[1::3], ids=str)
def test_a_median_body_can_do_what_is_asked(style: str, asked: dict[str, float]) -> None:
    report = measure(lifted(style, **asked))
    check_kept(report)
    assert report.success, report.problems


@pytest.mark.soak
@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize(("style", "asked"), ASKED, ids=str)
def test_every_body_can(style: str, asked: dict[str, float], sex: str, percentile: float) -> None:
    body = manikin(sex, percentile=percentile)
    report = measure(perform("lift", body, style=style, parameters=asked))
    assert report.success, report.problems


def test_the_box_is_taken_and_put_where_one_says() -> None:
    performance = lifted(origin_height=0.5, table_height=0.8, box_height=0.3, turn_deg=30.0)
    positions, rotations = performance.load_poses("box")
    assert positions[0, 2] == pytest.approx(0.5 + 0.15, abs=0.01)
    assert positions[-1, 2] == pytest.approx(0.8 + 0.15, abs=0.01)
    assert np.degrees(np.arctan2(positions[0, 1], positions[0, 0])) == pytest.approx(30, abs=1)
    across = rotations[0][:, 1]
    assert np.degrees(np.arctan2(-across[0], across[1])) == pytest.approx(30, abs=3)


def test_handles_are_where_the_hands_are() -> None:
    performance = lifted(handle_height=0.25, box_height=0.3)
    (phase,) = performance.loads
    assert phase.load.grip_height == pytest.approx(0.10)
    assert performance.load_poses("box")[0][0, 2] == pytest.approx(0.15, abs=0.01)


def test_one_hand_lifts_alone() -> None:
    performance = lifted(hands=1)
    (phase,) = performance.loads
    assert phase.load.hands == ("right",)
    model, row = performance.manikin.model, performance.row_at(phase.start + 0.5)
    right, left = (
        Posture(model, performance.motion.q[row]).position(f"{side}_hand") for side in SIDES
    )
    assert right[0] > left[0] + 0.1
    back = assess(performance).back
    assert back.side_moment.max() > 20.0


def test_pace_divides_the_time_of_the_lift() -> None:
    slow, fast = (lifted(pace=pace).loads[0].start - 0.2 for pace in (1.0, 2.0))
    assert slow / fast == pytest.approx(2.0, rel=0.02)


def peak(performance: Performance) -> float:
    """Compression of L5/S1 while the box is lifted off and raised, N."""
    start = performance.loads[0].start
    rows = slice(performance.row_at(start) - 30, performance.row_at(start + 1.8))
    return float(assess(performance).back.compression[rows].max())


def test_the_height_of_the_table_does_not_change_the_origin() -> None:
    low, high = (lifted(load=15.0, table_height=height) for height in (0.7, 1.0))
    end = low.row_at(low.loads[0].start + 1.5)
    peaks = [assess(each).back.compression[:end].max() for each in (low, high)]
    assert peaks[0] == pytest.approx(peaks[1], rel=2e-3)  # each is rehearsed as a whole
    slow = [lifted("slow", load=15.0, table_height=height) for height in (0.7, 1.0)]
    np.testing.assert_array_equal(slow[0].motion.q[:end], slow[1].motion.q[:end])


def test_the_back_is_loaded_less_from_higher_up_and_more_by_the_stoop() -> None:
    floor, knee = (
        {style: peak(lifted(style, load=15.0, **where)) for style in ("squat", "stoop")}
        for where in (FLOOR, KNEE_HEIGHT)
    )
    for style in floor:
        assert floor[style] > knee[style]
    for each in (floor, knee):
        assert each["squat"] < each["stoop"]


def test_a_box_at_the_side_loads_the_back_to_a_side() -> None:
    ahead, aside = (assess(lifted(load=10.0, turn_deg=turn)).back for turn in (0.0, 60.0))
    assert aside.side_moment.max() > 1.5 * ahead.side_moment.max()
    assert aside.twist_moment.max() > 1.5 * ahead.twist_moment.max()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"hands": 1.5}, "hands must be a whole number for lift, got 1.5"),
        ({"hands": 3}, "hands must be from 1 to 2 for lift, got 3"),
        ({"straddle": 1, "origin_height": 0.5}, "straddle is for a box on the floor"),
        ({"handle_height": 1.0}, "handle_height must be from 0 to the height of the box"),
        ({"destination_height": 9.0}, "destination_height must be from 0.1 to 3 for lift"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lifted("natural", **asked)


def test_the_destination_has_two_names() -> None:
    performance = lifted(destination_height=0.9, box_distance=2.0)  # ends early: too far away
    top = performance.environment.solids["table"].pose.translation[2]
    assert top == pytest.approx(0.9 - 0.015)
