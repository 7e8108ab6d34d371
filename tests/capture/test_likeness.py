"""Our lift against a recorded pick-up: the same motion differs by nothing, time does not count."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from support.people import manikin

from robotix.capture.likeness import compare_with_recording, likeness_lines
from robotix.capture.markers import MarkerSet
from robotix.capture.trc_file import dump_trc
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture

ROOT = Path(__file__).parents[2]
PICK_UP = ROOT / "examples" / "data" / "pick_up.bvh"
SIDES = ("right", "left")


def plan() -> str:
    """Return a marker plan of joint centres by their names."""
    lines = ['title = "Joint centres by their names"', "[drive.pelvis]"]
    lines += [f'{side}_hip = "{side}_hip"' for side in SIDES]
    for side in SIDES:
        lines += [f"[drive.{side}_hand]", f'{side}_wrist = "{side}_wrist"', f"[drive.{side}_foot]"]
        lines += [f'{side}_{name} = "{side}_{name}"' for name in ("ankle", "toe")]
    lines += ["[check]"]
    names = ("knee", "elbow", "shoulder")
    lines += [f'{side}_{name} = "{side}_{name}"' for side in SIDES for name in names]
    return "\n".join(lines)


def test_our_own_lift_recorded_is_like_itself_at_any_speed(tmp_path: Path) -> None:
    body = manikin("m")
    motion = perform("lift", body, style="squat").motion
    rows = range(0, 570, 2)  # to where the box is held
    places = [body.joint_centres(Posture(body.model, motion.q[row])) for row in rows]
    names = tuple(places[0])
    positions = np.array([[place[name] for name in names] for place in places])
    times = 0.035 * np.arange(len(rows), dtype=np.float64)
    slow = MarkerSet(names, times, positions)
    (tmp_path / "lift.trc").write_text(dump_trc(slow))
    (tmp_path / "plan.toml").write_text(plan())
    likeness = compare_with_recording(
        tmp_path / "lift.trc", markers=tmp_path / "plan.toml", style="squat", mass=body.model.mass
    )
    assert likeness.stature == pytest.approx(1.755, abs=0.01)
    assert likeness.seconds[0] == pytest.approx(1.75 * likeness.seconds[1], rel=0.1)
    assert np.degrees(likeness.rms) < 4
    assert {angle.angle for angle in likeness.angles} >= {"right_ankle", "trunk_lean"}


def test_the_recorded_person_squats_deeper_than_we_do() -> None:
    likeness = compare_with_recording(PICK_UP, unit="cmu", load=1.0)
    recorded, ours = likeness.hips_sink
    assert recorded > 0.5 > ours > 0.1
    knee = next(angle for angle in likeness.angles if angle.angle == "right_knee")
    assert knee.rms <= knee.peak and knee.bias < 0
    assert len(list(likeness_lines(likeness))) == len(likeness.angles) + 5


def test_the_table_of_the_page_is_fresh() -> None:
    spec = importlib.util.spec_from_file_location("make_likeness", ROOT / "docs/make_likeness.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (ROOT / "docs" / "human.md").read_text()
    shown, made = (
        [int(number) for number in re.findall(r"-?\d+", module.TABLE.search(text)[2])]
        for text in (page, module.filled(page, module.compared()))
    )
    assert shown == pytest.approx(made, abs=2), "run `python docs/make_likeness.py`"
