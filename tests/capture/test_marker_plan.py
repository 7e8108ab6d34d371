"""Marker plans, and hip centres from the pelvis."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from support.people import manikin
from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import follow
from robotix.capture.marker_plan import load_plan, plan_names, with_hips, without_subject
from robotix.capture.marker_recording import prepare
from robotix.capture.marker_report import report_on
from robotix.capture.markers import MarkerSet
from robotix.errors import BadFile, UnknownName
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture


def test_plans_of_the_package_load() -> None:
    assert "cmu" in plan_names()
    plan = load_plan("cmu")
    assert set(plan.drive) == {
        *("pelvis", "head", "right_hand", "left_hand", "right_foot", "left_foot")
    }
    with pytest.raises(UnknownName, match="did you mean 'cmu'"):
        load_plan("cmuu")


PELVIS = '[drive.pelvis]\nright_hip = "a"\nleft_hip = "b"\n'


BAD_PLANS = {
    "no title": (PELVIS, "no key 'title'"),
    "no pelvis": ('title = "t"\n', r"no \[drive.pelvis\]"),
    "no hips": ('title = "t"\n[drive.pelvis]\nsacrum = {markers = "a"}\n', "right_hip and left"),
    "unknown control": (f'title = "t"\n{PELVIS}[drive.tail]\n', "unknown key 'tail'"),
    "unknown place": (f'title = "t"\n{PELVIS}[check]\nright_kne = "a"\n', "a joint centre"),
    "no markers": (f'title = "t"\n{PELVIS}[check]\nright_knee = []\n', "one name or more"),
    "segment": (f'title = "t"\n{PELVIS}[check]\nx = {{markers = "a", on = "shin"}}', "one of pelv"),
    "half a foot": (f'title = "t"\n{PELVIS}[drive.left_foot]\nleft_toe = "a"\n', "left_ankle and"),
}


@pytest.mark.parametrize("case", BAD_PLANS)
def test_bad_plans_are_refused(case: str, tmp_path: Path) -> None:
    text, message = BAD_PLANS[case]
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=message):
        load_plan(path)


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(UnknownName, match="no marker 'right_toe'"):
        prepare(squatting().only([n for n in squatting().names if n != "right_toe"]), make_plan())


def test_hip_centres_lie_between_and_below_the_spines() -> None:
    names = ("RASI", "LASI", "RPSI", "LPSI")
    places = np.array([[0.1, -0.12, 1.0], [0.1, 0.12, 1.0], [-0.1, -0.05, 1.0], [-0.1, 0.05, 1.0]])
    bones = dict(zip(("right_asis", "left_asis", "right_psis", "left_psis"), names, strict=True))
    plan = replace(make_plan(), pelvis_markers=bones)
    turn = Pose.at(0.3, 0.2, 0.1, rpy=(0.3, -0.4, 2.0))
    found = with_hips(MarkerSet(names, np.zeros(1), turn.apply(places)[None]), plan)
    right = turn.inverse().apply(found["right_hip_centre"][0])
    np.testing.assert_allclose(right, [0.1 - 0.19 * 0.24, -0.36 * 0.24, 1 - 0.3 * 0.24])
    left = turn.inverse().apply(found["left_hip_centre"][0])
    np.testing.assert_allclose(left, right * [1, -1, 1])


NAMED = ("cmu", "cmu_c3d", "mixamo", "opencap", "plug_in_gait", "xsens")


def test_plans_come_with_the_package() -> None:
    assert plan_names() == NAMED


@pytest.mark.parametrize("name", NAMED)
def test_every_plan_follows_a_manikin_with_its_markers(name: str) -> None:
    """Markers at the joint centres, by the names of the plan: all that a plan can get wrong."""
    plan = load_plan(name)
    person = manikin("f", stature=1.7)
    centres = person.joint_centres(Posture(person.model, np.array(person.relaxed)))
    places: dict[str, Array] = {}
    for seen in plan.everything():
        place = centres.get(seen.landmark, centres["l5s1"])
        places |= {marker: place for marker in seen.markers if not marker.endswith("_centre")}
    if plan.pelvis_markers is not None:  # where they give the hips of this body, by [Bell1990]
        right, left = centres["right_hip"], centres["left_hip"]
        width = float(np.linalg.norm(right - left)) / 0.72
        middle = (right + left) / 2 + np.array([0.19 * width, 0.0, 0.30 * width])
        for key, marker in plan.pelvis_markers.items():
            side = -1.0 if key.startswith("right") else 1.0
            back = 0.12 if key.endswith("psis") else 0.0
            places[marker] = middle + np.array([-back, side * width / 2, 0.0])
    rows = plan.first_row + 3
    positions = np.tile(np.array(list(places.values())), (rows, 1, 1))
    markers = MarkerSet(tuple(places), np.arange(rows) / 50, positions)
    report = report_on(follow(prepare(markers, plan, sex="f")))
    assert report.rms(driven=True) < 0.02
    assert report.stature == pytest.approx(1.7, abs=0.06)


def test_a_rebuilt_marker_needs_three_others(tmp_path: Path) -> None:
    text = (resources.files("robotix.capture") / "data" / "markers_cmu.toml").read_text()
    path = tmp_path / "plan.toml"
    path.write_text(text + '\n[rebuilt]\nknee = ["a", "b"]\n')
    with pytest.raises(BadFile, match="three or more on the same segment"):
        load_plan(path)


def test_a_marker_of_the_static_trial_asks_for_it() -> None:
    plan = load_plan("opencap")
    names = {name for seen in plan.everything() for name in seen.markers} - set(plan.rebuilt)
    few = MarkerSet(tuple(sorted(names)), np.zeros(1), np.zeros((1, len(names), 3)))
    with pytest.raises(ValueError, match="give that trial by --standing"):
        plan.check_markers(few)


def test_names_of_subjects_are_left_out() -> None:
    plan, markers = make_plan(), squatting().rows(0, 2)
    box = np.zeros((2, 1, 3))
    named = MarkerSet(
        (*(f"Anna:{name}" for name in markers.names), "box:corner"),
        markers.times,
        np.concatenate([markers.positions, box], axis=1),
    )
    found = without_subject(named, plan)
    assert found.names == markers.names
    np.testing.assert_array_equal(found.positions, markers.positions)
    assert without_subject(markers, plan) is markers  # names as the plan wants them
    other = MarkerSet(("a:b",), markers.times, box)
    assert without_subject(other, plan) is other  # nothing fits: the error names what is there


def test_a_recording_begins_when_the_hips_are_seen() -> None:
    """Who walks into the view of the cameras."""
    markers = squatting()
    positions = np.array(markers.positions)
    positions[:20, markers.names.index("left_hip")] = np.nan
    positions[140:, markers.names.index("right_hip")] = np.nan
    late = prepare(MarkerSet(markers.names, markers.times, positions), make_plan(), sex="f")
    assert late.start_time == pytest.approx(20 / 50) and late.markers.times[0] == 0
    assert late.markers.times[-1] == pytest.approx(119 / 50, abs=0.02)
    positions[:, markers.names.index("right_hip")] = np.nan
    with pytest.raises(ValueError, match="the hips are never seen"):
        prepare(MarkerSet(markers.names, markers.times, positions), make_plan(), sex="f")
