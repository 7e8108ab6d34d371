"""A scene is put into any recorded state, whatever was attached to what, in any order of times."""

from pathlib import Path

import numpy as np
import pytest
from support.recorded_rooms import make_room
from support.takes import GRIPPED, record_take

from robotix.scene.recording.posing import TakePoser
from robotix.scene.recording.take import Take

DT = 1 / 120
NODES_TICKS = 4  # poses of nodes are recorded 30 times a second


def test_every_recorded_state_comes_back(tmp_path: Path) -> None:
    seen = record_take(tmp_path / "take.mcap")
    scene = make_room()
    with Take(tmp_path / "take.mcap") as take:
        poser = TakePoser(scene, take)
        ticks = [*range(0, 120, NODES_TICKS)]
        for tick in [*ticks, *np.random.default_rng(0).permutation(ticks).tolist()]:
            poser.pose(tick * DT)
            assert scene.tick == tick
            for name in ("arm", "table", "cup", *(n for n in seen[tick] if n.startswith("arm/"))):
                row = scene.graph.world[scene.graph[name].row]
                np.testing.assert_allclose(row, seen[tick][name], atol=1e-9, err_msg=name)


def test_between_two_states_things_move_evenly(tmp_path: Path) -> None:
    seen = record_take(tmp_path / "take.mcap")
    scene = make_room()
    first, last = GRIPPED + 20, GRIPPED + 20 + NODES_TICKS
    with Take(tmp_path / "take.mcap") as take:
        TakePoser(scene, take).pose((first + last) / 2 * DT)
        between = (seen[first]["table"] + seen[last]["table"]) / 2
        row = scene.graph.world[scene.graph["table"].row]
        np.testing.assert_allclose(row[9:12], between[9:12], atol=1e-4)


def test_the_tree_stays_and_nodes_made_later_are_named(tmp_path: Path) -> None:
    record_take(tmp_path / "take.mcap")
    scene = make_room()
    structure = scene.graph.structure
    with Take(tmp_path / "take.mcap") as take:
        poser = TakePoser(scene, take)
        poser.pose(take.end)
        assert scene.graph.structure == structure
        assert scene.graph["table"].parent is scene.graph.root
        assert all(name.startswith("ball ") for name in poser.missing) and poser.missing
        assert {node.name for node in poser.moved} == {"table", "cup"}
        assert [robot.name for robot, _ in poser.robots] == ["arm"]


def test_nothing_runs_when_a_scene_is_posed(tmp_path: Path) -> None:
    record_take(tmp_path / "take.mcap")
    scene = make_room()
    scene.add_hook("forbidden", lambda dt: pytest.fail("a hook ran"))
    with Take(tmp_path / "take.mcap") as take:
        TakePoser(scene, take).pose(0.5)
    assert scene.messages == [] and scene.events == []
