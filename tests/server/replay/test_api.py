"""What pages ask about a recording: contents, curves and tables."""

import asyncio
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.recorded_rooms import make_room
from support.takes import record_take

from robotix.app.session import RecordTo, open_session
from robotix.authoring import load_scene
from robotix.dynamics import inverse_dynamics
from robotix.scene.recording.posing import TakePoser
from robotix.scene.recording.take import Take
from robotix.server.replay.api import ReplayApi
from robotix.server.replay.player import ReplayPlayer
from robotix.server.replay.second_take import SecondTake


class Shown:
    """Two takes that are shown, and what was recorded of them."""

    def __init__(self, folder: Path) -> None:
        self.seen = [
            record_take(folder / "a.mcap"),
            record_take(folder / "b.mcap", ticks=60, seed=3),
        ]
        self.takes = [Take(folder / "a.mcap"), Take(folder / "b.mcap")]
        scene = make_room()
        second = SecondTake(scene, TakePoser(make_room(seed=3), self.takes[1]))
        self.player = ReplayPlayer(TakePoser(scene, self.takes[0]), second=second)
        self.api = ReplayApi(self.player, notes=[["A note."]])

    def ask(self, path: str, status: int = 200, **query: Any) -> Any:
        texts = {
            name.rstrip("_"): value if isinstance(value, list) else [str(value)]
            for name, value in query.items()
        }
        found, kind, body = asyncio.run(self.api.respond(path, texts))
        assert found == status, body
        return json.loads(body) if "json" in kind else body.decode()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    shown = Shown(tmp_path_factory.mktemp("takes"))
    yield shown
    for take in shown.takes:
        take.close()


def test_contents_name_takes_channels_marks_and_notes(shown: Shown) -> None:
    contents = shown.ask("")
    first, second = contents["takes"]
    assert (first["name"], second["name"]) == ("a.mcap", "b.mcap")
    assert (first["end"], second["end"]) == (1.0, 0.5)
    assert first["notes"][-1] == "A note." and "made while it ran" in first["notes"][0]
    kinds = {channel["id"][0] for channel in first["channels"]}
    assert kinds >= {"joint", "rate", "position", "axis", "button"}
    assert contents["second_prefix"] and contents["offset"] == 0.0
    assert {"arm", "table", "cup"} <= set(first["nodes"])
    assert {mark["kind"] for mark in first["marks"]} == {"event", "message", "problem"}


def test_joints_are_as_they_were_recorded(shown: Shown) -> None:
    name, unit = shown.takes[0].robots["arm"].dofs[0]
    channel = json.dumps(["joint", "arm", name])
    curve = shown.ask("curve", channel=channel, points=1000)
    assert curve["unit"] == unit and not curve["is_sampled"]
    assert curve["low"] == curve["high"] == shown.takes[0].robots["arm"].joint(0).tolist()
    short = shown.ask("curve", channel=channel, points=10, take=1)
    values = shown.takes[1].robots["arm"].joint(0)
    assert len(short["times"]) <= 20
    assert (min(short["low"]), max(short["high"])) == (values.min(), values.max())


def test_devices_are_held_between_messages(shown: Shown) -> None:
    curve = shown.ask("curve", channel=json.dumps(["button", "stick", "go"]), points=4000)
    assert curve["is_held"] and set(curve["low"]) <= {0.0, 1.0, None}
    assert 1.0 in curve["low"] and 0.0 in curve["low"]
    axis = shown.ask("curve", channel=json.dumps(["axis", "stick", "0"]), points=4000)
    assert max(value for value in axis["high"] if value is not None) > 0.5


def test_positions_and_distances_follow_from_recorded_poses(shown: Shown) -> None:
    curve = shown.ask("curve", channel=json.dumps(["position", "cup", "x"]), points=500)
    assert curve["is_sampled"]
    for time, value in zip(curve["times"], curve["low"], strict=True):
        tick = round(120 * time)
        if tick % 4 == 0:
            assert value == pytest.approx(shown.seen[0][tick]["cup"][9], abs=1e-9)
    distance = shown.ask("curve", channel=json.dumps(["distance", "arm", "table"]), points=500)
    assert all(isinstance(value, float) for value in distance["low"])
    shown.player.show()  # what was measured in between does not stay
    assert shown.player.poser.scene.tick == 0


def test_efforts_hold_the_recorded_posture(shown: Shown) -> None:
    track, model = shown.takes[0].robots["arm"], shown.player.poser.scene.robots["arm"].model
    name, _ = track.dofs[1]
    curve = shown.ask("curve", channel=json.dumps(["effort", "arm", name]), points=500)
    assert curve["is_sampled"] and curve["unit"] in ("N", "N m")
    last = inverse_dynamics(model, track.rows(np.array([len(track.joint(0)) - 1])))[0, 1]
    assert curve["low"][-1] == pytest.approx(last, rel=1e-9, abs=1e-12)


def test_the_load_of_a_back_follows_from_recorded_postures(tmp_path: Path) -> None:
    file = tmp_path / "stand.yaml"
    file.write_text("robotix: 1\npeople:\n  anna: {sex: f}\n")
    with open_session(
        load_scene(file), record=RecordTo(tmp_path / "stand.mcap"), is_paced=False
    ) as loop:
        loop.run(ticks=4)
    take = Take(tmp_path / "stand.mcap")
    api = ReplayApi(ReplayPlayer(TakePoser(load_scene(file), take)), notes=[[]])
    query = {"channel": [json.dumps(["compression", "anna"])], "points": ["10"]}
    status, _, body = asyncio.run(api.respond("curve", query))
    curve = json.loads(body)
    take.close()
    assert status == 200 and curve["unit"] == "N" and curve["is_sampled"]
    assert all(150 < value < 1000 for value in curve["low"])  # she stands upright


def test_a_table_has_both_takes_at_the_times_of_the_first(shown: Shown) -> None:
    name, _ = shown.takes[0].robots["arm"].dofs[1]
    text = shown.ask("table.csv", channel=[json.dumps(["joint", "arm", name])], to=0.8)
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == [
        "time (s)",
        f"joint arm {name} (rad)",
        f"2nd take: joint arm {name} (rad)",
    ]
    assert len(rows) == 1 + 97
    values = shown.takes[0].robots["arm"].joint(1)[:97]
    np.testing.assert_allclose([float(row[1]) for row in rows[1:]], values, rtol=1e-8)
    assert rows[-1][2] == "", "the second take has ended by then"
    assert rows[30][2] != ""


@pytest.mark.parametrize(
    ("path", "query", "status", "words"),
    [
        ("nothing", {}, 404, "no 'nothing'"),
        ("curve", {}, 422, "'channel' is missing"),
        ("curve", {"channel": "joint"}, 422, "JSON"),
        ("curve", {"channel": '["joint", "arm", "no"]'}, 422, "no joint 'no'"),
        ("curve", {"channel": '["joint", "leg", "q"]'}, 422, "no robot 'leg'"),
        ("curve", {"channel": '["weather"]'}, 422, "no channel"),
        ("curve", {"channel": '["distance", "arm", "moon"]'}, 422, "no node 'moon'"),
        ("curve", {"channel": '["axis", "stick", "x"]'}, 422, "x"),
        ("curve", {"channel": '["weather"]', "take": 5}, 422, "2 takes"),
        ("curve", {"channel": '["weather"]', "from": 5, "to": 1}, 422, "rising"),
        ("table.csv", {}, 422, "1 to 24 channels"),
    ],
)
def test_what_is_not_there_is_refused_with_a_word(
    shown: Shown, path: str, query: dict[str, Any], status: int, words: str
) -> None:
    texts = {name: [str(value)] for name, value in query.items()}
    found, _, body = asyncio.run(shown.api.respond(path, texts))
    assert found == status
    assert words in json.loads(body)["error"]


def test_an_unknown_action_is_refused(shown: Shown) -> None:
    shown.api.change_pace("seek", 0.25)
    assert shown.player.time == 0.25
    with pytest.raises(ValueError, match="action must be"):
        shown.api.change_pace("fly", 1.0)
    shown.api.change_pace("seek", 0.0)
