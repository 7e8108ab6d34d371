"""A recording can be read at any time, and says what is missing in it."""

from pathlib import Path

import numpy as np
import pytest
from support.takes import GRIPPED, record_take

from robotix.errors import BadFile
from robotix.scene.recording.take import Take

DT = 1 / 120


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "take.mcap"
    record_take(path)
    return path


def test_times_joints_and_marks_are_those_that_were_recorded(path: Path) -> None:
    with Take(path) as take:
        assert take.start == 0.0
        assert take.end == pytest.approx(120 * DT)
        assert take.notes == []
        track = take.robots["arm"]
        assert [unit for _, unit in track.dofs] == ["rad"] * 3
        assert len(track.times) == 121
        for k in (0, 17, 120):
            np.testing.assert_array_equal(track.at(track.times[k]), track.rows([k])[0])
        halfway = track.at((track.times[50] + track.times[51]) / 2)
        assert halfway is not None
        np.testing.assert_allclose(halfway, track.rows([50, 51]).mean(axis=0), atol=1e-12)
        np.testing.assert_array_equal(track.joint(1), track.rows(np.arange(121))[:, 1])
        gripped = [mark for mark in take.marks if mark.text == "gripped"]
        assert [mark.kind for mark in gripped] == ["message"]
        assert gripped[0].time == pytest.approx((GRIPPED + 1) * DT)
        assert any(mark.kind == "event" and "stick" in mark.text for mark in take.marks)
        assert any(mark.kind == "problem" and "nonsense" in mark.text for mark in take.marks)


def test_a_take_that_was_cut_off_says_how_far_it_can_be_read(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    (tmp_path / "cut.mcap").write_bytes(data[: len(data) // 2])
    with Take(tmp_path / "cut.mcap") as take:
        assert 0 < take.end < 120 * DT
        assert take.notes[0] == (
            f"The recording was cut off; it can be read up to {take.end:.2f} s."
        )
        assert take.robots["arm"].at(take.end) is not None


def test_what_is_no_recording_of_a_scene_is_refused(path: Path, tmp_path: Path) -> None:
    (tmp_path / "short.mcap").write_bytes(path.read_bytes()[:60])
    with pytest.raises(BadFile, match="nothing on topic"):
        Take(tmp_path / "short.mcap")
