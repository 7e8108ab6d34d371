"""Motions as a dataset of LeRobot, version 3.0 of its format, for imitation learning.

One folder holds all episodes: `data/` and `meta/episodes/` in Parquet, `meta/info.json`,
`meta/stats.json` and `meta/tasks.parquet`. It is written with pyarrow alone, without LeRobot and
PyTorch; the layout is that of LeRobot's own writer [LeRobot2025]. There are no pictures: features
are `observation.state`, the joint positions, and `action`, those of the next frame.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.motion.motion import Motion
from robotix.motion.parquet_file import import_pyarrow

__all__ = ["save_lerobot"]

VERSION = "v3.0"
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
EPISODES_PATH = "meta/episodes/chunk-000/file-000.parquet"
CHUNK_SIZE, DATA_FILE_MB, VIDEO_FILE_MB = 1000, 100, 200
STATE, ACTION = "observation.state", "action"
INDICES = ("frame_index", "episode_index", "index", "task_index")


def save_lerobot(
    folder: str | Path, motions: Sequence[Motion], *, rate: int = 30, task: str = "move",
    robot_type: str = "unknown",
) -> None:  # fmt: skip
    """Write motions of one robot as the episodes of a new dataset.

    Args:
        folder: A folder that does not exist yet, or is empty.
        motions: One motion for each episode, all with the same coordinates.
        rate: Frames per second; the motions are resampled linearly.
        task: What the robot does, in a sentence.
        robot_type: The name of the robot.

    Raises:
        ValueError: There are no motions, their coordinates differ, or the folder is not empty.
        MissingPackage: pyarrow is not installed.
    """
    pyarrow, parquet = import_pyarrow()
    root = Path(folder)
    if not motions or any(motion.dofs != motions[0].dofs for motion in motions):
        raise ValueError("a dataset needs one motion or more, all with the same coordinates")
    if rate < 1:
        raise ValueError(f"rate must be at least 1 frame per second, got {rate}")
    if root.exists() and any(root.iterdir()):
        raise ValueError(f"{root} is not empty; a dataset is written to a new folder")
    episodes, start = [], 0
    for number, motion in enumerate(motions):
        episodes.append(_frames(motion, rate, number, start))
        start += len(episodes[-1]["index"])
    whole = {key: np.concatenate([each[key] for each in episodes]) for key in episodes[0]}

    def write(path: str, table: Any) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, root / path)

    write(DATA_PATH.format(chunk_index=0, file_index=0), _data_table(pyarrow, whole))
    write(EPISODES_PATH, pyarrow.Table.from_pylist([_row(each, task) for each in episodes]))
    write("meta/tasks.parquet", _tasks_table(pyarrow, task))
    stats = {key: _stats(values) for key, values in whole.items()}
    info = _info(motions[0], len(motions), start, rate, robot_type)
    for name, content in (("info.json", info), ("stats.json", stats)):
        (root / "meta" / name).write_text(json.dumps(content, indent=4) + "\n", encoding="utf-8")


def _frames(motion: Motion, rate: int, number: int, start: int) -> dict[str, Array]:
    """Return the columns of an episode, a row for each frame."""
    count = int(np.floor(motion.duration * rate + 1e-9)) + 1
    times = np.arange(count) / rate
    q = np.array([motion.at(float(motion.times[0] + t)) for t in times], dtype=np.float32)
    frames = np.arange(count)
    return {
        STATE: q,
        ACTION: np.concatenate([q[1:], q[-1:]]),
        "timestamp": times.astype(np.float32),
        "frame_index": frames,
        "episode_index": np.full(count, number),
        "index": start + frames,
        "task_index": np.zeros(count, dtype=np.int64),
    }


def _data_table(pyarrow: Any, columns: Mapping[str, Array]) -> Any:
    arrays = {}
    for key, values in columns.items():
        flat = pyarrow.array(values.ravel())
        is_vector = values.ndim == 2
        arrays[key] = (
            pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1]) if is_vector else flat
        )
    return pyarrow.table(arrays)


def _row(frames: Mapping[str, Array], task: str) -> dict[str, Any]:
    """Return what `meta/episodes` holds of an episode."""
    row: dict[str, Any] = {
        "episode_index": int(frames["episode_index"][0]),
        "tasks": [task],
        "length": len(frames["index"]),
        "data/chunk_index": 0,
        "data/file_index": 0,
        "dataset_from_index": int(frames["index"][0]),
        "dataset_to_index": int(frames["index"][-1]) + 1,
    }
    for key, values in frames.items():
        row |= {f"stats/{key}/{name}": value for name, value in _stats(values).items()}
    return row | {"meta/episodes/chunk_index": 0, "meta/episodes/file_index": 0}


def _stats(values: Array) -> dict[str, list[float]]:
    """Return the statistics of a feature, over all frames."""
    rows = values.reshape(len(values), -1)
    return {
        "min": rows.min(axis=0).tolist(),
        "max": rows.max(axis=0).tolist(),
        "mean": rows.mean(axis=0, dtype=float).tolist(),
        "std": rows.std(axis=0, dtype=float).tolist(),
        "count": [len(rows)],
    }


def _tasks_table(pyarrow: Any, task: str) -> Any:
    """Return the table of tasks, whose index, for pandas, is the sentence."""
    table = pyarrow.table({"task_index": [0], "task": [task]})
    column = {
        "field_name": None,
        "metadata": None,
        "numpy_type": "object",
        "pandas_type": "unicode",
    }
    columns = [
        {**column, "name": "task_index", "field_name": "task_index", "numpy_type": "int64",
         "pandas_type": "int64"},
        {**column, "name": "task", "field_name": "task"},
    ]  # fmt: skip
    pandas = {
        "index_columns": ["task"],
        "column_indexes": [],
        "columns": columns,
        "pandas_version": "2.0.0",
    }
    return table.replace_schema_metadata({b"pandas": json.dumps(pandas)})


def _info(motion: Motion, episodes: int, frames: int, rate: int, robot_type: str) -> dict[str, Any]:
    vector = {"dtype": "float32", "shape": [len(motion.dofs)], "names": list(motion.names)}
    features: dict[str, Any] = {STATE: vector, ACTION: vector}
    features["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    features |= {key: {"dtype": "int64", "shape": [1], "names": None} for key in INDICES}
    return {
        "codebase_version": VERSION,
        "robot_type": robot_type,
        "total_episodes": episodes,
        "total_frames": frames,
        "total_tasks": 1,
        "chunks_size": CHUNK_SIZE,
        "data_files_size_in_mb": DATA_FILE_MB,
        "video_files_size_in_mb": VIDEO_FILE_MB,
        "fps": rate,
        "splits": {"train": f"0:{episodes}"},
        "data_path": DATA_PATH,
        "video_path": None,
        "features": features,
    }
