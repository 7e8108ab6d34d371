"""The export follows the schema of BIDS, as the package of its own makers reads it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bidsschematools.schema import load_schema
from bidsschematools.validator import validate_bids
from support.small_study import make_study

from robotix.experiments.export.bids import export_bids
from robotix.experiments.store.reading import StudyReader


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_study(tmp_path_factory.mktemp("study"), operators=1)
    target = tmp_path_factory.mktemp("bids")
    with StudyReader(folder) as reader:
        files = export_bids(reader, target)
    assert sorted(files) == sorted(path for path in target.rglob("*") if path.is_file())
    return target


@pytest.fixture(scope="module")
def schema() -> Any:
    return load_schema()


def read_tsv(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_all_names_are_valid(data_set: Path) -> None:
    result = validate_bids(str(data_set), dummy_paths=False)
    assert result["path_tracking"] == []
    assert len(list(data_set.glob("sub-*/motion/*_motion.tsv"))) == 3 * 12


def test_channels_have_the_required_columns_in_order(data_set: Path, schema: Any) -> None:
    rule = schema.rules.tabular_data.motion.motionChannels
    first = [schema.objects.columns[name].name for name in rule.initial_columns]
    kinds = set(schema.objects.columns["type__channels"].enum)
    for path in data_set.glob("sub-*/motion/*_channels.tsv"):
        rows = read_tsv(path)
        assert list(rows[0])[: len(first)] == first
        assert {row["type"] for row in rows} <= kinds
        motion = np.loadtxt(path.with_name(path.name.replace("channels", "motion")), ndmin=2)
        assert motion.shape == (11, len(rows))


def test_sidecars_have_the_required_fields(data_set: Path, schema: Any) -> None:
    needed, known = set[str](), set[str]()
    for rule in schema.rules.sidecars.motion.values():
        for name, level in rule.fields.items():
            known.add(name)
            if (level if isinstance(level, str) else level["level"]) == "required":
                needed.add(name)
    assert needed >= {"TaskName", "SamplingFrequency"}
    for path in data_set.glob("sub-*/motion/*_motion.json"):
        sidecar = json.loads(path.read_text())
        assert needed <= set(sidecar) <= known
        assert sidecar["SamplingFrequency"] == pytest.approx(10.0)
        counts = {name for name in known if name.endswith("ChannelCount")}
        assert counts - {"MISCChannelCount"} <= set(sidecar)  # that one is deprecated


def test_the_description_has_what_bids_asks(data_set: Path, schema: Any) -> None:
    fields = schema.rules.json.dataset.dataset_description.fields
    needed = {
        name
        for name, level in fields.items()
        if (level if isinstance(level, str) else level["level"]) == "required"
    }
    assert needed <= set(json.loads((data_set / "dataset_description.json").read_text()))


def test_scans_name_every_motion_with_its_levels(data_set: Path) -> None:
    for path in data_set.glob("sub-*/*_scans.tsv"):
        rows = read_tsv(path)
        assert len(rows) == 12 and {row["arm"] for row in rows} >= {"kuka_lwr"}
        assert all((path.parent / row["filename"]).is_file() for row in rows)
        described = json.loads(path.with_suffix(".json").read_text())
        assert set(rows[0]) - {"filename", "acq_time"} == set(described)


def test_recordings_of_scenes_are_read_too(tmp_path: Path) -> None:
    from robotix.experiments.export.bids import _motion_of
    from robotix.experiments.training import open_training_room
    from robotix.inputs.readings import Inputs
    from robotix.scene.recording.recorder import Recorder

    room = open_training_room("training_axes", "kuka_lwr")
    recorder = Recorder(tmp_path / "room.mcap", room.scene)
    for _ in range(5):
        room.scene.step(Inputs())
        recorder(room.scene)
    recorder.close()
    motion = _motion_of(tmp_path / "room.mcap")
    assert len(motion.dofs) == 7
    np.testing.assert_allclose(motion.q[-1], room.scene.robots["arm"].q)
