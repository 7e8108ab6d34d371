"""Rooms of trials with people: what a study asks for happens in them, and is measured."""

from __future__ import annotations

import pytest

from robotix.app.lab_rooms import ARM, open_live_room
from robotix.experiments.sharing.operator_faults import fault_figures
from robotix.experiments.trial import TrialPlan


def plan(**levels: str) -> TrialPlan:
    return TrialPlan(participant="P001", task="chess", levels=levels, seed=3)


def test_a_fault_of_the_study_happens_while_a_person_drives() -> None:
    room = open_live_room(plan(fault="joint_lock joint=2 start=0.2", reaction="stop"))
    scene = room.scene
    arm = scene.robots[ARM]
    before = arm.q[1]
    for _ in range(int(0.3 / scene.dt)):
        scene.step()
    arm.move((arm.q + 0.2).tolist(), ticks=60)
    for _ in range(int(1.0 / scene.dt)):
        scene.step()
    assert arm.q[1] == pytest.approx(before, abs=1e-6)
    figures = fault_figures(scene)
    assert figures["fault_reacted"] == 1.0 and figures["fault_time_to_react"] > 0.0


def test_without_a_fault_nothing_is_added() -> None:
    room = open_live_room(plan())
    assert fault_figures(room.scene) == {} and "guest" not in room.scene.people
