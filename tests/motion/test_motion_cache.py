"""Motion files in memory: what a scene has appended is there at once, and on the disk soon."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robotix as rx
from robotix.errors import BadFile
from robotix.motion import Motion, load_motion, save_motion
from robotix.motion.motion_cache import MAX_MOTIONS, MotionCache

MODEL = rx.load("planar_3r")


def posture(value: float) -> Motion:
    return Motion.of(MODEL, [0.0], q=[[value] * 3])


def first_joint(motion: Motion) -> list[float]:
    return [float(value) for value in motion.q[:, 0]]


@pytest.mark.parametrize("name", ["a.csv", "a.mcap"])
def test_what_is_appended_is_there_before_it_is_written(tmp_path: Path, name: str) -> None:
    cache, path = MotionCache(), tmp_path / name
    writes = [cache.append_later(path, posture(value), gap=0.5) for value in (0.1, 0.2, 0.3)]
    assert not path.exists() and first_joint(cache.load(path)) == [0.1, 0.2, 0.3]
    writes[0]()
    writes[1]()
    assert first_joint(load_motion(path)) == [0.1, 0.2]
    assert first_joint(cache.load(path)) == [0.1, 0.2, 0.3]
    writes[2]()
    np.testing.assert_array_equal(load_motion(path).times, [0.0, 0.5, 1.0])
    known = cache.load(path)
    assert cache.load(path) is known and first_joint(load_motion(path)) == first_joint(known)


def test_what_could_not_be_written_is_forgotten(tmp_path: Path) -> None:
    cache, path = MotionCache(), tmp_path / "folder" / "a.csv"
    with pytest.raises(ValueError, match="no folder"):
        cache.append_later(path, posture(0.1))
    path.parent.mkdir()
    write = cache.append_later(path, posture(0.1))
    path.parent.rmdir()
    with pytest.raises(ValueError, match="no folder"):
        write()
    path.parent.mkdir()
    with pytest.raises(BadFile, match="no such file"):
        cache.load(path)


def test_another_robot_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    cache, path = MotionCache(), tmp_path / "a.csv"
    save_motion(path, posture(0.1))
    other = Motion.of(rx.load("ur5"), [0.0], q=[[0.0] * 6])
    with pytest.raises(BadFile, match="joints"):
        cache.append_later(path, other)


def test_a_change_by_others_counts_at_the_latest_after_some_time(tmp_path: Path) -> None:
    now = 0.0
    cache, path = MotionCache(clock=lambda: now), tmp_path / "a.csv"
    cache.max_age = 2.0
    save_motion(path, posture(0.1))
    cache.refresh(path)
    before = path.read_bytes()
    save_motion(path, posture(0.2))
    now = 1.9
    assert first_joint(cache.load(path)) == [0.1] and cache.data(path) == before
    now = 2.1
    assert cache.data(path) is None
    assert first_joint(cache.load(path)) == [0.2] and cache.data(path) == path.read_bytes()
    save_motion(path, posture(0.3))
    cache.refresh(path)  # somebody looked
    assert first_joint(cache.load(path)) == [0.3]
    path.unlink()
    with pytest.raises(BadFile, match="no such file"):
        cache.load(path)


def test_a_file_that_was_made_here_is_known(tmp_path: Path) -> None:
    cache, path, old = MotionCache(), tmp_path / "a.csv", tmp_path / "old.csv"
    save_motion(old, posture(0.1))
    for each in (path, old):
        cache.append(each, posture(0.2), gap=1.0)
        cache.append(each, posture(0.3), gap=1.0)
    assert cache.is_own(path) and not cache.is_own(old) and cache.data(old) is None
    save_motion(path, posture(0.4))  # by somebody else
    assert not cache.is_own(path)


def test_the_oldest_are_forgotten_but_not_before_they_are_written(tmp_path: Path) -> None:
    cache = MotionCache()
    write = cache.append_later(tmp_path / "first.csv", posture(0.1))
    for number in range(MAX_MOTIONS + 3):
        cache.append(tmp_path / f"{number}.csv", posture(0.2))
    assert first_joint(cache.load(tmp_path / "first.csv")) == [0.1]
    write()
    assert first_joint(load_motion(tmp_path / "first.csv")) == [0.1]
