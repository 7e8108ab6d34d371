"""The body of a recorded subject."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.people import manikin
from support.squatting import make_plan, squatting

from robotix.capture.marker_body import fit_body, measured_lengths
from robotix.capture.marker_recording import prepare
from robotix.human.body.anthropometry import make_anthropometry


def test_the_body_is_found_in_its_markers() -> None:
    person = manikin("f", stature=1.7).anthropometry
    body = fit_body(measured_lengths(squatting(), make_plan()), sex="f")
    assert body.stature == pytest.approx(1.7, abs=0.01)
    for name in ("thigh_length", "shank_length", "upper_arm_length", "forearm_length"):
        assert body[name] == pytest.approx(person[name], abs=1e-9)
        assert body.source(name) == "measured between markers"
    assert body["shoulder_height"] == pytest.approx(person["shoulder_height"], abs=0.01)


def test_lengths_of_a_body_add_up_after_stretching() -> None:
    body = fit_body({"thigh_length": 0.45, "shank_length": 0.40, "trunk_length": 0.50}, sex="m")
    assert body["hip_height"] - body["knee_height"] == pytest.approx(0.45)
    assert body["knee_height"] - body["ankle_height"] == pytest.approx(0.40)
    assert body["shoulder_height"] - body["hip_height"] == pytest.approx(0.50)
    assert body.stature > body["neck_height"] > body["shoulder_height"]


def test_a_wrong_unit_is_told() -> None:
    small = replace(squatting(), positions=squatting().positions / 1000)
    with pytest.raises(ValueError, match="Give the file's unit"):
        prepare(small, make_plan())


def test_stature_may_be_given() -> None:
    assert fit_body({"forearm_length": 0.25}, sex="m", stature=1.8).stature == pytest.approx(1.8)


def test_feet_are_as_long_as_the_markers_say() -> None:
    usual = make_anthropometry(sex="f", stature=1.7)
    reach = usual["heel_to_ball"] - usual["heel_to_ankle"]
    long = fit_body({"foot_reach": 1.1 * reach}, sex="f", stature=1.7)
    assert long["heel_to_ball"] - long["heel_to_ankle"] == pytest.approx(1.1 * reach)
    assert long["foot_length"] == pytest.approx(1.1 * usual["foot_length"])
    odd = fit_body({"foot_reach": 3 * reach}, sex="f", stature=1.7)  # a marker on the tip, or off
    assert odd["foot_length"] == pytest.approx(1.2 * usual["foot_length"])
