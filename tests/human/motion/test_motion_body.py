"""The body of a motion, written to markers and read from files again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotix.capture.marker_body import fit_body
from robotix.errors import UnknownName
from robotix.geometry import Box
from robotix.human import Anthropometry, make_anthropometry, make_manikin
from robotix.human.motion.loads import Load, LoadPhase
from robotix.human.motion.motion_body import body_in, carried_in, load_markers, with_body
from robotix.human.tasks.tasks import perform
from robotix.motion import Marker, Motion, load_motion, save_motion

MAN = make_manikin(make_anthropometry(sex="m"))


def motion_of(body: Anthropometry, *marks: str) -> Motion:
    still = Motion.of(MAN.model, [0.0, 1.0], q=np.tile(MAN.relaxed, (2, 1)))
    told = with_body(still, body)
    return replace(told, markers=(*told.markers, *(Marker(0.5, mark) for mark in marks)))


@settings(max_examples=30, deadline=None)
@given(sex=st.sampled_from("fm"), stature=st.floats(1.3, 2.2), mass=st.floats(35, 200))
def test_a_body_comes_back_exactly(sex: str, stature: float, mass: float) -> None:
    body = make_anthropometry(sex=sex, stature=stature, mass=mass)
    found = body_in(motion_of(body))
    assert found is not None and found.label == body.label
    assert {name: found[name] for name in found} == {name: body[name] for name in body}


@pytest.mark.parametrize("suffix", ["csv", "mcap"])
def test_a_measured_body_survives_a_file(tmp_path: Path, suffix: str) -> None:
    body = fit_body({"thigh_length": 0.44, "shank_length": 0.40, "trunk_length": 0.47}, sex="f")
    path = tmp_path / f"motion.{suffix}"
    save_motion(path, motion_of(body))
    found = body_in(load_motion(path))
    assert found is not None and found.sex == "female"
    for name in body:
        assert found[name] == pytest.approx(body[name], abs=1e-9)
    assert found.source("thigh_length") == "as the motion's file says"


def test_a_task_tells_its_body_and_its_load() -> None:
    motion = perform("lift", MAN, parameters={"load": 7.5}).motion
    found = body_in(motion)
    assert found is not None and found.label == MAN.anthropometry.label
    assert carried_in(motion) == {"box": (7.5, ("right", "left"))}


def test_one_hand_is_told_apart() -> None:
    cup = Load("cup", 0.3, ("left",), Box(np.array([0.1, 0.1, 0.1])))
    (mark,) = load_markers([LoadPhase(cup, 0.5, 1.0)])
    assert mark == (0.5, "cup weighs 0.3 kg in the left hand")
    assert carried_in(motion_of(MAN.anthropometry, mark.label)) == {"cup": (0.3, ("left",))}


def test_motions_without_a_body_say_nothing() -> None:
    bare = Motion.of(MAN.model, [0.0], q=[MAN.relaxed])
    assert body_in(bare) is None and carried_in(bare) == {}


@pytest.mark.parametrize(
    ("label", "error"),
    [
        ("body: stature=1.7 mass=70", "must say sex, stature and mass"),
        ("body: sex=m stature=tall mass=70", "must say sex, stature and mass"),
        ("body: sex=m stature=9 mass=70", "stature must be"),
        ("body: sex=m stature=nan mass=70", "stature must be"),
        ("body: sex=x stature=1.7 mass=70", "sex must be"),
        ("body: sex=m stature=1.7 mass=70 thigh_length=-1", "no length of a body"),
        ("body: sex=m stature=1.7 mass=70 tail_length=0.5", "tail_length"),
    ],
)
def test_what_is_no_body_is_refused(label: str, error: str) -> None:
    motion = Motion.of(MAN.model, [0.0], q=[MAN.relaxed], markers=[Marker(0.0, label)])
    with pytest.raises((ValueError, UnknownName), match=error):
        body_in(motion)


def test_a_load_without_a_mass_is_refused() -> None:
    motion = motion_of(MAN.anthropometry, "box weighs lots kg in both hands")
    with pytest.raises(ValueError, match="must give a mass"):
        carried_in(motion)
