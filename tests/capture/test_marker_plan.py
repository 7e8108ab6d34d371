"""Marker plans, and hip centres from the pelvis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.squatting import make_plan, squatting

from robotix.capture.marker_plan import load_plan, plan_names, with_hips
from robotix.capture.marker_recording import prepare
from robotix.capture.markers import MarkerSet
from robotix.errors import BadFile, UnknownName
from robotix.geometry import Pose


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
