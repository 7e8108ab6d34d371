"""Motion files as performances: the body from the file, and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.assessed import performed

from robotix.ergonomics import MotionBodyError, load_performance
from robotix.errors import BadFile
from robotix.motion import save_motion

DATA = Path(__file__).parents[3] / "examples" / "data"


def test_a_motion_file_is_read_with_body_contacts_and_loads(tmp_path: Path) -> None:
    original = performed("lift")
    save_motion(tmp_path / "motion.mcap", original.motion)
    again = load_performance(tmp_path / "motion.mcap")
    assert again.task == "motion.mcap"
    assert again.manikin.anthropometry.label == original.manikin.anthropometry.label
    np.testing.assert_allclose(again.motion.q, original.motion.q, atol=1e-9)
    assert [p.load.mass for p in again.loads] == [p.load.mass for p in original.loads]
    assert len(again.contacts) == len(original.contacts)
    assert load_performance(tmp_path / "motion.mcap", load=3.0).loads[0].load.mass == 3.0


def test_another_body_is_refused_and_an_unknown_one_must_be_given(tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    save_motion(path, performed("lift").motion)
    with pytest.raises(MotionBodyError, match=r"another body .*: its sex is not male"):
        load_performance(path, sex="m")
    lines = [row for row in path.read_text().splitlines() if "body:" not in row]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(MotionBodyError, match="does not say whose motion it is"):
        load_performance(path)
    assert load_performance(path, sex="f").manikin.anthropometry.sex == "female"


def test_a_recording_is_followed_by_a_body_of_its_size() -> None:
    performance = load_performance(DATA / "pick_up.bvh", load=2.0, hands=["left"])
    assert performance.loads[0].load.hands == ("left",)
    assert 1.5 < performance.manikin.anthropometry.stature < 2.0
    with pytest.raises(MotionBodyError, match="a recording says how tall"):
        load_performance(DATA / "pick_up.bvh", percentile=50)


def test_other_files_are_refused() -> None:
    with pytest.raises(BadFile, match=r"the ending '\.txt'"):
        load_performance("motion.txt")
