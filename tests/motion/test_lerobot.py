"""Datasets of LeRobot have its layout, its columns and types, and our numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from robotix.motion import Dof, Motion, save_lerobot

RATE = 20
DOFS = (Dof("elbow"), Dof("rail", "m"))


def wave(seed: int, seconds: float) -> Motion:
    times = np.linspace(1.0, 1.0 + seconds, 33)
    return Motion(DOFS, times, np.random.default_rng(seed).normal(size=(33, 2)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    motions = [wave(1, 2.0), wave(2, 1.0)]
    save_lerobot(tmp_path / "set", motions, rate=RATE, task="wave", robot_type="arm")
    return tmp_path / "set"


def test_the_frames_are_those_of_the_motions(folder: Path) -> None:
    table = parquet.read_table(folder / "data/chunk-000/file-000.parquet")
    vector = pa.list_(pa.float32(), 2)
    types = {field.name: field.type for field in table.schema}
    assert types == {
        "observation.state": vector, "action": vector, "timestamp": pa.float32(),
        "frame_index": pa.int64(), "episode_index": pa.int64(), "index": pa.int64(),
        "task_index": pa.int64(),
    }  # fmt: skip
    columns = table.to_pydict()
    assert columns["index"] == list(range(41 + 21))
    assert columns["frame_index"] == [*range(41), *range(21)]
    assert columns["episode_index"] == [0] * 41 + [1] * 21
    states, actions = np.array(columns["observation.state"]), np.array(columns["action"])
    expected = [wave(1, 2.0).at(1.0 + k / RATE) for k in range(41)]
    np.testing.assert_allclose(states[:41], expected, atol=1e-6)
    np.testing.assert_array_equal(actions[:40], states[1:41])
    np.testing.assert_array_equal(actions[40], states[40])  # the last one stays
    np.testing.assert_allclose(columns["timestamp"][41:], np.arange(21) / RATE, atol=1e-6)


def test_episodes_point_at_their_frames(folder: Path) -> None:
    rows = parquet.read_table(folder / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert [row["episode_index"] for row in rows] == [0, 1]
    assert [(row["dataset_from_index"], row["dataset_to_index"]) for row in rows] == [
        (0, 41), (41, 62),
    ]  # fmt: skip
    assert [row["length"] for row in rows] == [41, 21]
    assert rows[0]["tasks"] == ["wave"]
    for key in ("data/chunk_index", "data/file_index", "meta/episodes/file_index"):
        assert rows[1][key] == 0
    assert rows[1]["stats/observation.state/count"] == [21]


def test_info_and_statistics_describe_the_whole(folder: Path) -> None:
    info = json.loads((folder / "meta/info.json").read_text())
    assert info["codebase_version"] == "v3.0"
    assert (info["total_episodes"], info["total_frames"], info["fps"]) == (2, 62, RATE)
    assert info["features"]["action"] == {
        "dtype": "float32", "shape": [2], "names": ["elbow", "rail"],
    }  # fmt: skip
    assert info["splits"] == {"train": "0:2"}
    data = info["data_path"].format(chunk_index=0, file_index=0)
    states = np.array(parquet.read_table(folder / data)["observation.state"].to_pylist())
    stats = json.loads((folder / "meta/stats.json").read_text())["observation.state"]
    np.testing.assert_allclose(stats["mean"], states.mean(axis=0))
    np.testing.assert_allclose(stats["std"], states.std(axis=0))
    assert stats["count"] == [62]


def test_tasks_are_indexed_by_their_sentence(folder: Path) -> None:
    table = parquet.read_table(folder / "meta/tasks.parquet")
    assert table.to_pylist() == [{"task_index": 0, "task": "wave"}]
    pandas = json.loads(table.schema.metadata[b"pandas"])
    assert pandas["index_columns"] == ["task"]


def test_what_makes_no_dataset_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not empty"):
        save_lerobot(folder, [wave(1, 1.0)])
    with pytest.raises(ValueError, match="one motion or more"):
        save_lerobot(tmp_path / "other", [])
    other = Motion((Dof("knee"),), np.array([0.0]), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="same coordinates"):
        save_lerobot(tmp_path / "other", [wave(1, 1.0), other])
    with pytest.raises(ValueError, match="rate"):
        save_lerobot(tmp_path / "other", [wave(1, 1.0)], rate=0)
