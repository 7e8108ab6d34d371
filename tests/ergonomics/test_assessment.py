"""Whole assessments: of tasks, of recorded motions, of postures; and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from support.assessed import assessed, man, performed, stooped, turned, woman
from support.people import SIDES

from robotix.ergonomics import Job, SingleMuscle, assess, held, recorded
from robotix.ergonomics.signals.circumstances import phase_rows
from robotix.ergonomics.signals.load_series import load_series
from robotix.human.evaluation.joint_loads import joint_loads
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture
from robotix.motion import Marker, Motion, load_motion, save_motion

G = 9.81


def test_a_lift_is_judged_by_every_method() -> None:
    found = assessed("lift")
    keys = [each.key for each in found.findings]
    assert keys == [
        *("task", "compression", "shear", "lifting_index", "rula", "reba", "owas", "capable")
    ]
    for each in found.findings:
        assert each.verdict.advice and 0 <= each.time <= found.times[-1]
        assert found.times[each.row] == each.time
        if each.key != "task":
            assert each.steps and each.sources
    compression = found.finding("compression")
    assert compression is not None
    assert compression.value == found.back.compression.max()
    assert found.severity == "act"  # RULA: bends to the floor


def test_curves_are_as_long_as_the_motion_and_summaries_are_plain() -> None:
    found = assessed("lift")
    columns = found.columns()
    assert {len(values) for values in columns.values()} == {len(found.times)}
    assert {"time [s]", "compression [N]", "rula_left", "owas_code", "trunk [deg]"} <= set(columns)
    text = json.dumps(found.as_dict(), allow_nan=False)
    assert json.loads(text)["findings"][1]["method"] == "compression"
    assert found.spans().sum() == pytest.approx(found.times[-1] - found.times[0])
    above = found.seconds_above(3400)
    assert 0 < above < 5 and found.seconds_above(0) == pytest.approx(found.times[-1], abs=0.1)


def test_the_places_of_a_lift_are_measured_from_the_body() -> None:
    (lift,) = assessed("lift").lifts
    performance = performed("lift")
    for end in (lift.origin, lift.destination):
        given = end.result.lift
        q = performance.motion.q[end.row]
        posture = Posture(woman().model, q)
        hands = np.mean([posture.position(f"{side}_hand") for side in SIDES], axis=0)
        ankles = np.mean([posture.position(f"{side}_ankle") for side in SIDES], axis=0)
        assert given.horizontal == pytest.approx(np.linalg.norm((hands - ankles)[:2]))
        assert given.vertical == pytest.approx(hands[2], abs=0.003)
        assert given.asymmetry < np.radians(1)
        assert given.load == 10
    rise = lift.destination.result.lift.vertical - lift.origin.result.lift.vertical
    assert lift.origin.result.lift.distance == pytest.approx(rise)
    assert lift.worse.result.index >= lift.origin.result.index
    assert lift.notes == ()


def test_carrying_and_one_hand_are_said_not_to_be_covered() -> None:
    (carried,) = assessed("carry").lifts
    assert any("carried over" in note for note in carried.notes)
    reach = assessed("reach")
    assert reach.lifts == () and reach.finding("lifting_index") is None
    assert any("one hand" in note for note in reach.notes)


def test_the_job_enters_the_lifting_equation() -> None:
    job = Job(per_minute=5, hours=8, coupling="poor")
    (lift,) = assess(performed("lift"), job=job).lifts
    (rare,) = assessed("lift").lifts
    assert lift.worse.result.index > 2 * rare.worse.result.index


def test_the_floor_bears_weight_and_load() -> None:
    performance = performed("lift")
    course = load_series(performance)
    weight = G * (woman().model.mass + assessed("lift").facts.load)
    assert course.is_supported.all()
    np.testing.assert_allclose(course.resting.total_force[:, 2], weight, atol=1e-6)
    assert abs(course.resting.residual).max() < 1e-6


def test_where_the_contacts_cannot_give_the_motion_legs_count_as_at_rest() -> None:
    course = load_series(performed("walk"))
    rows = course.is_quasi_static
    assert 0.1 < rows.mean() < 0.9
    np.testing.assert_array_equal(course.loads.tau[rows, 6:20], course.resting.tau[rows, 6:20])
    moving = ~rows
    assert abs(course.loads.tau[moving, 6:20] - course.resting.tau[moving, 6:20]).max() > 1
    climbing = load_series(performed("climb_ladder"))
    assert abs(climbing.loads.transmitted("L5S1_flexion").moment).max() < 500


def test_what_the_contacts_cannot_give_counts_as_done_slower() -> None:
    performance = performed("walk")
    course = load_series(performance)
    assert (course.acceleration_scale[~course.is_quasi_static] == 1).all()
    slowed = course.acceleration_scale[course.is_quasi_static]
    assert (slowed < 1).all() and slowed.max() > 0.5
    played, borne = (
        joint_loads(
            performance.manikin,
            performance.motion,
            contacts=performance.contacts,
            dynamic=True,
            acceleration_scale=acceleration_scale,
        )
        for acceleration_scale in (1.0, course.acceleration_scale)
    )
    assert abs(borne.residual[course.is_supported]).max() < 1e-6
    fast, slow = (
        abs(loads.transmitted("L5S1_flexion").moment).max() for loads in (played, course.loads)
    )
    assert slow < 0.5 * fast


def test_at_rest_inertia_is_left_out() -> None:
    still = assess(performed("lift"), dynamic=False)
    assert not still.back.is_dynamic and still.back is still.resting_back
    assert still.back.compression.max() < assessed("lift").back.compression.max()


# -- recorded motions and postures --------------------------------------------------------------


def test_a_motion_file_gives_the_same_as_the_task(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "motion.csv"
    performance = performed("lift")
    save_motion(path, performance.motion)
    motion = load_motion(path, model=woman().model)
    found = assess(recorded(motion, woman(), load=10.0))
    exact = assessed("lift")
    np.testing.assert_allclose(found.back.compression, exact.back.compression, atol=1e-6)
    np.testing.assert_array_equal(found.scores.reba["right"], exact.scores.reba["right"])
    assert found.scores.owas_code == exact.scores.owas_code
    assert found.lifts[0].load == "box"


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


def test_a_task_that_cannot_be_done_says_so() -> None:
    far = perform("reach", woman(), parameters={"distance": 2.0})
    found = assess(far)
    task = found.finding("task")
    assert task is not None and task.severity == "act" and task.figure == "no"
    assert "falls short by" in task.note and found.severity == "act"


def test_wrong_input_is_refused() -> None:
    motion = performed("lift").motion
    with pytest.raises(ValueError, match="load must be 0 kg or more, got -1"):
        recorded(motion, woman(), load=-1.0)
    other = Motion((("a", "rad"),), np.zeros(1), np.zeros((1, 1)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="does not fit model"):
        recorded(other, woman())
    with pytest.raises(ValueError, match="frequency must be"):
        Job(per_minute=-1)
    with pytest.raises(ValueError, match="no coupling 'god'; did you mean 'good'"):
        Job(coupling="god")
    with pytest.raises(ValueError, match="muscle arm must be"):
        SingleMuscle(5.0)


# -- clearances ---------------------------------------------------------------------------------


def test_clearance_to_furniture() -> None:
    found = assessed("lift").clearance
    assert found is not None
    assert found.gap.shape == assessed("lift").times.shape
    assert 0.01 < found.gap.min() < 0.2
    pair, gap = found.nearest(1)[0]
    assert gap == pytest.approx(found.gap.min()) and "table" in pair
    assert found.label(found.row) == pair
    assert not any(thing == "floor" for _, thing in found.pairs)


def test_who_sits_does_not_bump_into_the_seat() -> None:
    found = assessed("stand_up").clearance
    assert found is not None
    assert not any(part.endswith("thigh") and thing == "seat" for part, thing in found.pairs)
    assert found.gap.min() > 0
    assert assessed("walk").clearance is None
