"""Hands that hold on or push, knees on the floor: found, given, and used."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.people import SIDES, manikin
from support.squatting import RATE, make_plan, record, squatting

from robotix.capture.body_contacts import GivenContact, parse_contacts
from robotix.capture.follow_markers import Followed, follow
from robotix.capture.follow_run import marked_motion, report_lines
from robotix.capture.marker_recording import MarkerRecording, prepare
from robotix.capture.marker_report import report_on
from robotix.ergonomics import assess, recorded
from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.human import joint_loads, perform
from robotix.kinematics import Posture


def leaning(depth: float) -> Array:
    """A posture that leans forward from the ankles, arms ahead: the feet stay."""
    person = manikin("f", stature=1.7)
    model, q = person.model, person.relaxed.copy()
    q[4] += 0.45 * depth  # about y: forward
    for side in SIDES:
        q[model.dof_index(f"{side}_ankle_dorsiflexion")] += 0.32 * depth
        q[model.dof_index(f"{side}_hip_flexion")] += 0.13 * depth
        q[model.dof_index(f"{side}_shoulder_flexion")] += 1.1 * depth
    q[:3] += Posture(model).position("right_foot") - Posture(model, q).position("right_foot")
    return q


@cache
def lean() -> MarkerRecording:
    """Two seconds upright, one to lean forward, two and a half leaning, one back."""
    times = np.arange(0, 7.5, 1 / RATE)
    s = np.interp(times, [2, 3, 5.5, 6.5], [0, 1, 1, 0])
    s = s * s * (3 - 2 * s)
    rows = [leaning(float(depth)) for depth in s]
    return prepare(record(manikin("f", stature=1.7), rows), make_plan(), sex="f")


@cache
def followed() -> Followed:
    return follow(lean())


@cache
def kneeling() -> Followed:
    """Our own manikin, which kneels down, followed with a static trial."""
    person = manikin("f", stature=1.7)
    motion = perform("kneel", person).motion
    times = np.arange(motion.times[0], motion.times[-1], 1 / RATE)
    upright = np.array(person.relaxed)
    moving = record(person, [motion.at(float(time)) for time in times])
    return follow(prepare(moving, make_plan(), sex="f", static=record(person, [upright, upright])))


def test_who_leans_on_something_is_followed() -> None:
    report, blind = report_on(followed()), report_on(follow(lean(), contacts=NOTHING))
    assert report.success, report.problems
    assert set(report.seconds_touching) == {"right_hand", "left_hand"}
    assert 2.0 < report.seconds_touching["right_hand"] < 5.0
    assert report.rms(driven=True) < 0.01
    assert blind.rms(driven=True) > 2 * report.rms(driven=True)
    assert blind.seconds_touching == {}
    assert any("right hand touches something for" in line for line in report_lines(report))
    assert "left hand touches" in report.tracking.summary


def test_the_hands_carry_what_the_feet_cannot() -> None:
    motion = marked_motion(followed())
    performance = recorded(motion, followed().recording.manikin)
    names = {phase.contact.name for phase in performance.contacts}
    assert {"right_hand", "left_hand", "right_foot", "left_foot"} <= names
    loads = joint_loads(performance.manikin, motion, contacts=performance.contacts)
    row = int(np.searchsorted(motion.times, 4.0))
    hands = sum(loads.reactions[f"{side}_hand"].force[row] for side in SIDES)
    assert hands[2] > 20 and abs(loads.residual[row]).max() < 1.0
    early = sum(loads.reactions[f"{side}_hand"].force[10] for side in SIDES)
    assert np.linalg.norm(early) < 1e-6


def test_knees_on_the_floor_support_the_body() -> None:
    found = kneeling()
    report = report_on(found)
    assert report.seconds_seated == 0, "who kneels does not sit"
    knees = [name for name in report.seconds_touching if name.endswith("_knee")]
    assert knees and max(report.seconds_touching[name] for name in knees) > 0.5
    assert report.rms(driven=True) < 0.04
    performance = recorded(marked_motion(found), found.recording.manikin)
    assert {phase.contact.name for phase in performance.contacts} & {"right_knee", "left_knee"}


def test_who_stands_or_squats_needs_neither() -> None:
    found = follow(prepare(squatting(), make_plan(), sex="f"))
    assert not any(rows.any() for rows in found.touches.values())


def test_given_contacts_replace_found_ones() -> None:
    given = parse_contacts(["right_hand=2.5:4", "left_hand=none"])
    found = follow(lean(), contacts=given)
    times = found.motion.times
    np.testing.assert_array_equal(found.touches["right_hand"], (times >= 2.5) & (times <= 4))
    assert not found.touches["left_hand"].any()


def test_contacts_are_read_from_words() -> None:
    assert parse_contacts(["knees=:2.5"]) == (
        GivenContact("right_knee", -np.inf, 2.5),
        GivenContact("left_knee", -np.inf, 2.5),
    )
    assert parse_contacts(["seat"]) == (GivenContact("seat"),)
    with pytest.raises(UnknownName, match="did you mean 'right_hand'"):
        parse_contacts(["rigth_hand"])
    for word in ("hands=3", "hands=4:3", "hands=a:b"):
        with pytest.raises(ValueError, match="START:END"):
            parse_contacts([word])


NOTHING = parse_contacts(["hands=none", "knees=none"])


def test_an_assessment_says_that_forces_of_hands_were_not_measured() -> None:
    motion = marked_motion(followed())
    found = assess(recorded(motion, followed().recording.manikin))
    assert any(note.startswith("hands touch something") for note in found.notes)
