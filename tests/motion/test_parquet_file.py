"""Motions as Parquet: the same bits again, and clear words for what is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import robotix as rx
from robotix.errors import BadFile
from robotix.motion import Dof, Marker, Motion, append_motion, load_motion, save_motion


def wave() -> Motion:
    rng = np.random.default_rng(1)
    dofs = (Dof("elbow"), Dof("rail", "m"))
    markers = (Marker(0.5, "grasped"), Marker(2.0, "über"))
    return Motion(dofs, np.cumsum(rng.uniform(0.01, 0.1, 40)), rng.normal(size=(40, 2)), markers)


def test_a_motion_is_read_as_it_was_written(tmp_path: Path) -> None:
    motion, path = wave(), tmp_path / "wave.parquet"
    save_motion(path, motion)
    found = load_motion(path)
    assert found.dofs == motion.dofs and found.markers == motion.markers
    assert (found.times == motion.times).all() and (found.q == motion.q).all()
    assert parquet.read_table(path).column_names == ["time [s]", "elbow [rad]", "rail [m]"]
    longer = append_motion(path, motion, gap=0.5)
    assert len(load_motion(path).times) == len(longer.times) == 80


def test_a_motion_of_another_robot_is_refused(tmp_path: Path) -> None:
    save_motion(tmp_path / "wave.parquet", wave())
    with pytest.raises(BadFile, match="does not fit model 'planar_3r'"):
        load_motion(tmp_path / "wave.parquet", model=rx.load("planar_3r"))


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"t": [0.0]}, "first column 't'"),
        ({"time [s]": [0.0], "elbow": [1.0]}, "a name with its unit"),
        ({"time [s]": [0.0, 0.0], "elbow [rad]": [1.0, 1.0]}, "times must increase"),
        ({"time [s]": [0.0], "elbow [rad]": [None]}, "elbow"),
        ({"time [s]": [0.0], "elbow [rad]": ["far"]}, "could not convert"),
    ],
)
def test_tables_that_are_no_motions_are_refused(
    tmp_path: Path, columns: dict[str, list[object]], complaint: str
) -> None:
    parquet.write_table(pa.table(columns), tmp_path / "bad.parquet")
    with pytest.raises(BadFile, match=complaint):
        load_motion(tmp_path / "bad.parquet")


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(BadFile, match="no Parquet file"):
        load_motion(tmp_path / "bad.parquet")
