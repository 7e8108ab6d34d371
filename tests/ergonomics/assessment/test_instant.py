"""Single instants say what the assessment of the whole says of them."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.ergonomics import assess, held
from robotix.ergonomics.assessment.instant import Instant, assess_instant, assess_moment
from robotix.geometry import Box
from robotix.human import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import grip, sole
from robotix.human.motion.loads import Load
from robotix.human.motion.styles import posture_of
from robotix.human.motion.support import level_support
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture


@pytest.fixture(scope="module")
def man() -> Manikin:
    return manikin()


SITTING = {"root_ry": -14.0, "hip_flexion": 78.0, "knee_flexion": 75.0, "elbow_flexion": 70.0}
LEANING = {"root_ry": 35.0}
STOOPING = {"root_ry": 50.0, "hip_flexion": 45.0, "ankle_dorsiflexion": -15.0}


def posed(man: Manikin, degrees: dict[str, float]) -> np.ndarray:
    """Return the posture at ease with other angles, its lowest sole on the floor."""
    q = np.array(man.relaxed)
    given = posture_of(man, degrees)
    q[given != 0] = given[given != 0]
    posture = Posture(man.model, q)
    q[2] -= min(posture.position(p)[2] for side in SIDES for p in man.support_points(side))
    return q


def assert_same(instant: Instant, whole: object, row: int) -> None:
    found, told = instant.back, whole.back  # type: ignore[attr-defined]
    for curve in ("compression", "shear", "moment", "angle"):
        values = getattr(found, curve)[instant.row], getattr(told, curve)[row]
        assert values[0] == pytest.approx(values[1], rel=1e-9, abs=1e-9)
    scores = whole.scores  # type: ignore[attr-defined]
    assert instant.rula.score == max(scores.rula[side][row] for side in SIDES)
    assert instant.reba.score == max(scores.reba[side][row] for side in SIDES)
    assert (instant.owas.category, instant.owas.code) == (scores.owas[row], scores.owas_code[row])
    courses = {each.label: each for each in whole.strengths}  # type: ignore[attr-defined]
    for strain in instant.strains():
        if strain.demand is not None:
            course = courses[strain.joint]
            assert strain.moment == pytest.approx(course.moment[row], rel=1e-9)
            assert strain.demand == pytest.approx(course.demand[row], rel=1e-9)


@pytest.mark.parametrize("task", ["lift", "walk", "sit_down", "climb_ladder"])
def test_a_moment_of_a_task_is_a_row_of_its_assessment(man: Manikin, task: str) -> None:
    performance = perform(task, man)
    whole, times = assess(performance), performance.motion.times
    for row in np.linspace(0, len(times) - 1, 9, dtype=int):
        time = float(times[row])
        instant = assess_moment(performance, time, q=performance.motion.at(time))
        assert instant.row == row and instant.back.is_dynamic
        assert_same(instant, whole, row)


@pytest.mark.parametrize("degrees", [{}, STOOPING, SITTING, LEANING])
def test_any_posture_is_as_if_held(man: Manikin, degrees: dict[str, float]) -> None:
    q = posed(man, degrees)
    instant = assess_instant(man, q)
    whole = assess(held(Posture(man.model, q), man, contacts=instant.contacts))
    assert not instant.back.is_dynamic
    assert_same(instant, whole, 0)


def test_another_posture_than_that_of_the_task_is_held_with_its_load(man: Manikin) -> None:
    performance = perform("lift", man, parameters={"load": 10})
    phase = performance.loads[0]
    time = (phase.start + phase.end) / 2
    q = performance.motion.at(time).copy()
    q[man.model.dof_index("right_elbow_flexion")] += 0.05
    instant = assess_moment(performance, time, q=q)
    assert (instant.load, instant.row, instant.back.is_dynamic) == (10, 0, False)


def test_who_stands_presses_under_the_centre_of_mass(man: Manikin) -> None:
    instant = assess_instant(man, posed(man, {}))
    assert instant.support_source == "standing" and instant.is_supported and instant.margin > 0.03
    assert instant.cop is not None
    np.testing.assert_allclose(instant.cop[:2], instant.com[:2], atol=1e-6)


def test_a_load_moves_the_centre_of_mass_and_the_pressure(man: Manikin) -> None:
    q = posed(man, {"elbow_flexion": 90.0})
    box = Load("box", 10.0, ("right", "left"), Box(np.full(3, 0.3)))
    plain, laden = assess_instant(man, q), assess_instant(man, q, loads=[box])
    assert laden.load == 10 and laden.com[0] > plain.com[0] + 0.02
    assert laden.cop is not None
    np.testing.assert_allclose(laden.cop[:2], laden.com[:2], atol=1e-6)
    assert laden.back.compression[0] > plain.back.compression[0] + 500


def test_whom_the_feet_cannot_bear_with_bent_hips_sits(man: Manikin) -> None:
    instant = assess_instant(man, posed(man, SITTING))
    assert instant.support_source == "sitting" and instant.is_supported
    assert {contact.name for contact in instant.contacts} == {"seat", "right_foot", "left_foot"}
    assert instant.owas.code[2] == "1"  # sits
    reactions = instant.load_series.loads.reactions
    weight = 9.81 * man.anthropometry.mass
    assert reactions["seat"].force[0, 2] > 0.6 * weight
    assert instant.cop is not None and instant.cop[2] < 0.1  # of the feet alone


def test_who_would_fall_has_no_centre_of_pressure_but_a_back(man: Manikin) -> None:
    instant = assess_instant(man, posed(man, LEANING))
    assert instant.support_source == "standing" and not instant.is_supported and instant.margin < 0
    assert instant.cop is None and instant.is_back_known
    assert np.isfinite(instant.back.compression[0])
    assert not any(word in each.joint for each in instant.strains() for word in ("hip", "knee"))


def test_a_back_is_known_unless_hands_bear_what_nobody_can_tell(man: Manikin) -> None:
    q = posed(man, LEANING)
    held_on = assess_instant(man, q, contacts=[sole(man, "right"), grip(man, "right")])
    assert held_on.is_supported and held_on.is_back_known
    dangling = assess_instant(man, q, contacts=[grip(man, "right")])
    assert not dangling.is_supported and not dangling.is_back_known and dangling.strains() == ()
    nothing = assess_instant(man, q, contacts=[])
    assert nothing.margin == -np.inf and nothing.cop is None and not nothing.is_supported


def test_no_points_bear_nothing() -> None:
    polygon, margin = level_support(np.zeros((0, 3)), np.zeros(3))
    assert polygon.shape == (0, 3) and margin == -np.inf


def test_women_have_strength_data_for_the_legs_only() -> None:
    woman = manikin("f")
    strains = assess_instant(woman, posed(woman, STOOPING)).strains()
    judged = {each.joint.split()[-2] for each in strains if each.demand is not None}
    others = {each.joint.split()[-2] for each in strains if each.demand is None}
    assert judged <= {"hip", "knee", "ankle"} and "trunk" in others
