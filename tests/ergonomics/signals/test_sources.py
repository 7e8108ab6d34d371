"""Performances from motions and postures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support.assessed import man, performed, stooped, turned, woman
from support.people import SIDES

from robotix.ergonomics import assess, held, recorded
from robotix.ergonomics.signals.circumstances import phase_rows
from robotix.kinematics import Posture
from robotix.motion import Marker, Motion


def test_without_markers_feet_are_seen_and_the_load_is_held_throughout() -> None:
    marked = performed("walk")
    bare = replace(marked.motion, markers=())
    found = recorded(bare, woman(), load=3.0, hands=["left"])
    (phase,) = found.loads
    assert (phase.start, phase.end) == (0.0, bare.times[-1]) and phase.load.hands == ("left",)
    for side in SIDES:
        seen, told = (
            np.any(
                [
                    phase_rows(phase, bare.times)
                    for phase in each.contacts
                    if phase.contact.name.startswith(side)
                ],
                axis=0,
            )
            for each in (found, marked)
        )
        assert (seen == told).mean() > 0.8


def test_seats_and_hands_are_read_from_markers() -> None:
    names = {
        task: {
            phase.contact.name
            for phase in recorded(performed(task).motion, performed(task).manikin).contacts
        }
        for task in ("stand_up", "climb_ladder")
    }
    assert "seat" in names["stand_up"] and "right_hand" in names["climb_ladder"]


def test_markers_that_never_end_and_unknown_ones() -> None:
    times = np.array([0.0, 1.0, 2.0])
    motion = Motion.of(
        man().model,
        times,
        q=np.tile(man().relaxed, (3, 1)),
        markers=[
            Marker(0.0, "right_foot touches"),
            Marker(0.0, "left_foot touches"),
            Marker(0.5, "elbow touches"),
            Marker(1.0, "bag taken"),
        ],
    )
    found = recorded(motion, man(), load=2.0)
    assert sorted(phase.contact.name for phase in found.contacts) == ["left_foot", "right_foot"]
    assert [(p.load.name, p.start, p.end) for p in found.loads] == [("bag", 1.0, 2.0)]


def test_one_posture_is_an_assessment_of_one_instant() -> None:
    found = assess(held(Posture(man().model, stooped(man(), 45)), man(), load=8.0))
    assert len(found.times) == 1 and not found.back.is_dynamic
    assert found.spans().tolist() == [0.0]
    assert found.clearance is None
    assert found.lifts[0].notes[0].startswith("not put down")


def test_a_body_of_another_size_is_noticed() -> None:
    q = turned(man())
    q[2] += 0.2
    found = assess(held(Posture(man().model, q), man()))
    assert any("is the body of another size" in note for note in found.notes)
