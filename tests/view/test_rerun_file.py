"""Recordings for Rerun and datasets of LeRobot, read back by Rerun's readers, hold our numbers."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from rerun.chunk import Chunk, RrdReader
from rerun.experimental import LeRobotReader
from support.public_robots import public_urdfs

import robotix as rx
from robotix.geometry import Array
from robotix.motion import Marker, MissingPackage, Motion, make_move, save_lerobot
from robotix.view import save_rerun
from robotix.view.link_things import body_things

Columns = dict[str, dict[str, pa.Array]]


def moved(model: rx.Model) -> Motion:
    end = np.clip(model.neutral + 0.4, model.lower, model.upper)
    motion = make_move(model.neutral, end.tolist(), model=model)
    return Motion(motion.dofs, motion.times, motion.q, (Marker(0.1, "off"),))


def read(file: Path) -> Columns:
    return merged(RrdReader(file).stream().to_chunks())


def merged(chunks: Iterable[Chunk]) -> Columns:
    """Return the columns of all entities, by their paths."""
    found: Columns = defaultdict(dict)
    for chunk in chunks:
        batch = chunk.to_record_batch()
        found[chunk.entity_path] |= dict(zip(batch.schema.names, batch.columns, strict=True))
    return found


def numbers(column: pa.Array, *shape: int) -> Array:
    while pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
        column = column.flatten()
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=float).reshape(-1, *shape)


@pytest.fixture(scope="module")
def panda(tmp_path_factory: pytest.TempPathFactory) -> tuple[rx.Model, Motion, Columns]:
    model = rx.load(public_urdfs()["panda_description/urdf/panda.urdf"])
    motion, file = moved(model), tmp_path_factory.mktemp("rerun") / "panda.rrd"
    save_rerun(file, model, motion)
    return model, motion, read(file)


def test_joints_are_time_series(panda: tuple[rx.Model, Motion, Columns]) -> None:
    _, motion, columns = panda
    for k, (name, unit) in enumerate(motion.dofs):
        entity = columns[f"/robot/joints/{name}"]
        np.testing.assert_array_equal(numbers(entity["Scalars:scalars"]), motion.q[:, k])
        seconds = entity["time"].cast(pa.int64()).to_numpy() * 1e-9
        np.testing.assert_allclose(seconds, motion.times, atol=1e-9)
        assert entity["SeriesLines:names"].to_pylist() == [[f"{name} [{unit}]"]]


def test_links_are_where_they_are(panda: tuple[rx.Model, Motion, Columns]) -> None:
    model, motion, columns = panda
    expected = np.array([rx.Posture(model, q).body_poses for q in motion.q])
    moving = 0
    for k, body in enumerate(model.bodies):
        entity = columns[f"/robot/links/{body.name}"]
        position = numbers(entity["Transform3D:translation"], 3)
        rotation = numbers(entity["Transform3D:mat3x3"], 3, 3).transpose(0, 2, 1)
        rows = expected[:, k] if len(position) > 1 else expected[:1, k]
        np.testing.assert_allclose(position, rows[:, 9:], atol=1e-6)  # single precision
        np.testing.assert_allclose(rotation.reshape(-1, 9), rows[:, :9], atol=1e-6)
        moving += len(position) > 1
    assert moving >= model.n_dof


def test_links_carry_their_meshes(panda: tuple[rx.Model, Motion, Columns]) -> None:
    model, _, columns = panda
    body = next(body for body in model.bodies if body.name == "panda_link3")
    things = list(body_things(model, body))
    assert things
    for k, thing in enumerate(things):
        entity = columns[f"/robot/links/panda_link3/surface_{k}"]
        vertices = numbers(entity["Mesh3D:vertex_positions"], 3)
        np.testing.assert_allclose(vertices, thing.vertices, atol=1e-6)
        np.testing.assert_array_equal(numbers(entity["Mesh3D:triangle_indices"], 3), thing.faces)
        rgba = int(numbers(entity["Mesh3D:albedo_factor"])[0])
        assert rgba >> 24 == round(255 * float(np.asarray(thing.colour).ravel()[0]))
        assert rgba & 255 == round(255 * thing.opacity)


def test_markers_are_a_text_log(panda: tuple[rx.Model, Motion, Columns]) -> None:
    assert panda[2]["/robot/markers"]["TextLog:text"].to_pylist() == [["off"]]


def test_names_may_hold_anything_and_links_may_be_bare(tmp_path: Path) -> None:
    model = rx.load("planar_3r")
    file = tmp_path / "a b.rrd"
    save_rerun(file, model, moved(model), meshes=False)
    paths = read(file)
    assert not [path for path in paths if "surface" in path]
    assert len([path for path in paths if path.startswith("/robot/links/")]) == len(model.bodies)
    assert [entry.application_id for entry in RrdReader(file).recordings()] == [model.name]


def test_wrong_use_is_told_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = rx.load("planar_3r")
    motion = moved(model)
    with pytest.raises(ValueError, match=r"is called \.rrd"):
        save_rerun(tmp_path / "a.bin", model, motion)
    with pytest.raises(ValueError, match="there is no folder"):
        save_rerun(tmp_path / "nowhere" / "a.rrd", model, motion)
    with pytest.raises(ValueError, match="does not fit"):
        save_rerun(tmp_path / "a.rrd", rx.load("panda"), motion)
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(MissingPackage, match=r"robotix\[rerun\]"):
        save_rerun(tmp_path / "a.rrd", model, motion)
    assert not list(tmp_path.iterdir())


def test_a_lerobot_dataset_is_read_by_another_reader(tmp_path: Path) -> None:
    model = rx.load("planar_3r")
    motion = moved(model)
    expected = [motion.at(k / 20) for k in range(int(motion.duration * 20) + 1)]
    save_lerobot(tmp_path / "set", [motion, motion], rate=20, task="wave", robot_type="planar_3r")
    reader = LeRobotReader(tmp_path / "set")
    assert reader.episodes() == [0, 1]
    columns = merged(reader.stream(1).to_chunks())
    state = columns["/observation.state"]
    np.testing.assert_allclose(numbers(state["Scalars:scalars"], 3), expected, atol=1e-6)
    assert state["SeriesLines:names"].to_pylist() == [list(motion.names)]
    np.testing.assert_allclose(
        numbers(columns["/action"]["Scalars:scalars"], 3)[:-1], expected[1:], atol=1e-6
    )
