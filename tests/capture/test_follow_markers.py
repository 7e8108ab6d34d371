"""Tracking of markers: a recorded manikin is reproduced exactly, real people approximately."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.people import SIDES
from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import Followed, follow, follow_file
from robotix.capture.follow_run import report_lines, run_follow
from robotix.capture.marker_recording import prepare
from robotix.capture.marker_report import FollowReport, report_on
from robotix.geometry import Pose
from robotix.kinematics import forward_batch
from robotix.motion import load_motion

DATA = Path(__file__).parents[2] / "examples" / "data"


@cache
def followed_squat() -> Followed:
    return follow(prepare(squatting(), make_plan(), sex="f"))


@cache
def pick_up() -> FollowReport:
    return report_on(follow_file(DATA / "pick_up.bvh", plan="cmu", unit="cmu"))


def test_a_recorded_manikin_is_found_again() -> None:
    report = report_on(followed_squat())
    assert report.rms(driven=True) < 0.01
    assert report.rms(driven=False) < 0.03
    assert max(error.largest for error in report.angles) < np.radians(12)
    assert report.foot_slip < 1e-3
    assert report.limit_violation == 0
    assert report.balance_margin > 0


def test_the_motion_is_on_the_floor_and_faces_x_wherever_it_was_recorded() -> None:
    elsewhere = Pose.at(3.0, -2.0, 0.7, rpy=(0, 0, 2.5))
    moved = follow(prepare(squatting().rows(0, 40).moved(elsewhere), make_plan(), sex="f"))
    same = follow(prepare(squatting().rows(0, 40), make_plan(), sex="f"))
    np.testing.assert_allclose(moved.motion.q, same.motion.q, atol=1e-4)
    assert np.linalg.norm(same.motion.q[0, :2]) < 0.02
    assert abs(same.motion.q[0, 5]) < 0.02
    back = moved.recording.base_from_recording @ elsewhere
    np.testing.assert_allclose(back.rotation, np.eye(3), atol=1e-6)


def test_a_hand_that_is_lost_comes_back_without_a_jump() -> None:
    positions = squatting().positions.copy()
    positions[40:100, squatting().names.index("right_wrist")] = np.nan
    gappy = replace(squatting(), positions=positions)
    lost = follow(prepare(gappy, make_plan(), sex="f"))
    joints = lost.motion.velocities[:, 6:]
    assert abs(joints).max() < 6.0  # rad/s
    report = report_on(lost)
    wrist = next(error for error in report.landmarks if error.landmark == "right_wrist")
    assert wrist.median < 0.005 and wrist.at == pytest.approx(2.0, abs=0.1)  # as it comes back
    rows = forward_batch(lost.recording.manikin.model, lost.motion.q[-40:], point="right_wrist")[0]
    gaps = np.linalg.norm(rows - lost.recording.markers["right_wrist"][-40:], axis=1)
    assert gaps.max() < 0.01


def test_a_point_that_is_never_seen_is_told() -> None:
    positions = squatting().positions.copy()
    positions[:, squatting().names.index("right_wrist")] = np.nan
    with pytest.raises(ValueError, match="'right_wrist' should drive the manikin"):
        follow(prepare(replace(squatting(), positions=positions), make_plan(), sex="f"))


def test_a_recording_too_short_for_its_plan_is_told() -> None:
    with pytest.raises(ValueError, match="has 1 rows; the plan needs row 3"):
        prepare(squatting().rows(0, 1), replace(make_plan(), first_row=3))


def test_a_single_row_is_a_posture() -> None:
    one = follow(prepare(squatting().rows(0, 1), make_plan(), sex="f"))
    assert one.motion.q.shape == (1, 39)
    assert report_on(one).rms(driven=True) < 0.01


def test_the_recorded_pick_up_is_followed() -> None:
    report = pick_up()
    of = {error.landmark: error for error in report.landmarks}
    assert report.stature == pytest.approx(1.65, abs=0.01)
    assert max(of[f"{side}_wrist"].largest for side in SIDES) < 0.04
    assert max(of[f"{side}_hip"].median for side in SIDES) < 0.01
    assert max(of[f"{side}_knee"].median for side in SIDES) < 0.05
    assert max(of[f"{side}_elbow"].median for side in SIDES) < 0.10
    assert report.rms(driven=True) < 0.06 and report.rms(driven=False) < 0.13
    assert report.foot_slip < 1e-3 and report.limit_violation == 0
    assert report.seconds_outside < 0.6  # after the step, and after the heels rise
    angles = {error.angle: error for error in report.angles}
    assert max(angles[f"{side}_{name}"].median for side in SIDES for name in ("knee", "hip")) < 0.1


def test_the_recorded_box_lift_is_followed(tmp_path: Path) -> None:
    report = run_follow(
        DATA / "box_lift.c3d", markers=DATA / "box_lift.toml", sex="f", out=tmp_path / "new"
    )
    assert report.rms(driven=True) < 0.015
    assert report.rms(driven=False) < 0.06
    assert report.balance_margin > 0.05 and report.foot_slip < 1e-4
    document = json.loads((tmp_path / "new" / "report.json").read_text())
    assert document["rms_not_used"] == pytest.approx(report.rms(driven=False))
    motion = load_motion(tmp_path / "new" / "motion.csv")
    assert motion.duration == pytest.approx(report.duration)
    assert any("right_elbow" in line and "not used" in line for line in report_lines(report))
