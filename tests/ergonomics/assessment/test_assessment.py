"""Assessments of tasks, motions and postures."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.assessed import assessed, performed, woman

from robotix.ergonomics import Job, SingleMuscle, assess, recorded
from robotix.human.tasks.tasks import perform
from robotix.motion import Motion, load_motion, save_motion


def test_a_lift_is_judged_by_every_method() -> None:
    found = assessed("lift")
    keys = [each.key for each in found.findings]
    assert keys == [
        *("task", "compression", "shear", "lifting_index", "acceptable", "lifft"),
        *("rula", "reba", "owas", "capable"),
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


def test_the_job_enters_the_lifting_equation() -> None:
    job = Job(per_minute=5, hours=8, coupling="poor")
    (lift,) = assess(performed("lift"), job=job).lifts
    (rare,) = assessed("lift").lifts
    assert lift.worse.result.index > 2 * rare.worse.result.index


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


@pytest.mark.parametrize(("sex", "who", "mass"), [("f", "women", 20), ("m", "men", 25)])
def test_notes_have_limits_of_sex_and_age(sex: str, who: str, mass: float) -> None:
    """The verdicts stay those of all people; the notes name the limits of these."""
    found = assessed("lift", sex)
    back, lift = found.finding("compression"), found.finding("lifting_index")
    assert back is not None and f"acceptable for {who}, " in back.note
    assert any("DGUV" in line for line in back.sources)
    assert lift is not None
    assert f"ISO 11228-1: {lift.value * 23 / mass:.2f} with {mass:g} kg" in lift.note
    older = assess(found.performance, job=Job(age="55-65")).finding("lifting_index")
    assert older is not None and f"with {mass - 5:g} kg" in older.note
