"""Meshes, sounds, pictures and clouds over HTTP."""

from __future__ import annotations

import json
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.room_files import STL
from support.served_room import TOKEN, ServedRoom, served

import robotix as rx
from robotix.authoring import load_scene
from robotix.server.http.workspace_api import make_cloud

SCENE = """\
robotix: 1
name: with everything
robots:
  arm: {model: planar_3r}
objects:
  cup: {mesh: cup.stl, at: [1, 0, 0], material: {colour: [1, 0, 0]}}
  lamp: {light: {kind: sun, strength: 2}}
  eye: {viewpoint: {field_of_view_deg: 60}}
  zone: {box: [1, 1, 1], region: true}
  radio: {sound: {file: radio.wav, loop: true, volume: 0.5}}
rules:
  - {when: {event: ring}, do: {play_sound: [bell.wav, cup]}}
  - {when: {event: shoot}, do: {snapshot: [shot.png, eye]}}
"""
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    folder = tmp_path_factory.mktemp("room")
    for name in ("radio", "bell", "secret"):
        (folder / f"{name}.wav").write_bytes(b"RIFF" + name.encode())
    (folder / "cup.stl").write_text(STL)
    (folder / "room.yaml").write_text(SCENE)
    with served(load_scene(folder / "room.yaml")) as room:
        yield room


def ask(room: ServedRoom, path: str, body: bytes | None = None) -> tuple[int, bytes, str]:
    request = urllib.request.Request(room.origin + path, body, {"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read(), answer.headers["content-type"]
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read(), refused.headers["content-type"]


def nodes_of(room: ServedRoom) -> dict[str, Any]:
    with room.page() as page:
        return {node["name"]: node for node in page.until("room")["nodes"]}


def test_what_nodes_hold_is_told(room: ServedRoom) -> None:
    nodes = nodes_of(room)
    assert nodes["lamp"]["light"] == {"sort": "sun", "colour": [1.0, 1.0, 1.0], "strength": 2.0}
    assert nodes["eye"]["field_of_view"] == pytest.approx(np.radians(60))
    assert nodes["zone"]["is_region"] and nodes["zone"]["visuals"]
    assert nodes["arm/flange"]["robot"] == "arm"


def test_meshes_are_fetched_by_the_hash_of_their_contents(room: ServedRoom) -> None:
    (visual,) = nodes_of(room)["cup"]["visuals"]
    assert visual["surface"]["colour"] == [1.0, 0.0, 0.0]
    status, data, _ = ask(room, f"/mesh/{visual['shape']['key']}")
    assert status == 200
    n, m = struct.unpack_from("<II", data)
    assert (n, m) == (3, 1) and len(data) == 8 + 24 * n + 12 * m
    positions = np.frombuffer(data, "<f4", 3 * n, 8).reshape(-1, 3)
    normals = np.frombuffer(data, "<f4", 3 * n, 8 + 12 * n).reshape(-1, 3)
    assert {tuple(row) for row in np.round(positions.astype(float), 6).tolist()} == {
        (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0)
    }  # fmt: skip
    np.testing.assert_allclose(normals, [[0, 0, 1]] * 3)
    assert ask(room, "/mesh/none")[0] == 404


def test_links_are_meshes(room: ServedRoom) -> None:
    keys = [
        visual["shape"]["key"]
        for node in nodes_of(room).values()
        if node["robot"] == "arm"
        for visual in node["visuals"]
        if visual["shape"]["kind"] == "mesh"
    ]
    assert keys
    assert all(ask(room, f"/mesh/{key}")[0] == 200 for key in keys)


def test_only_sounds_of_the_room_are_served(room: ServedRoom) -> None:
    with room.page() as page:
        told = page.until("sound")
        assert (told["uri"], told["node"], told["is_on"], told["loop"]) == (
            "radio.wav", "radio", True, True,
        )  # fmt: skip
        status, data, kind = ask(room, "/sound/radio.wav")
        assert (status, data, kind) == (200, b"RIFFradio", "audio/wav")
        assert ask(room, "/sound/secret.wav")[0] == 404
        assert ask(room, "/sound/room.yaml")[0] == 404
        page.take_control()
        page.command("emit ring")
        rung = page.until("sound")
        assert (rung["uri"], rung["node"], rung["loop"]) == ("bell.wav", "cup", False)
        assert ask(room, "/sound/bell.wav")[0] == 200


# -- pictures -------------------------------------------------------------------------------


def test_without_a_page_there_is_no_picture(room: ServedRoom) -> None:
    status, body, _ = ask(room, "/api/snapshots", b"{}")
    assert status == 503 and "no page is open" in json.loads(body)["error"]


@pytest.mark.parametrize("wish", [b'{"width": 1}', b'{"height": 99999}', b'{"x": 1}', b"[", b"[]"])
def test_a_picture_of_odd_size_is_refused(room: ServedRoom, wish: bytes) -> None:
    with room.page():
        assert ask(room, "/api/snapshots", wish)[0] == 422


def test_a_page_draws_for_those_who_ask(room: ServedRoom) -> None:
    answers = []

    def wait() -> None:
        answers.append(ask(room, "/api/snapshots", b'{"viewpoint": "eye", "width": 320}'))

    with room.page() as page:
        asking = threading.Thread(target=wait)
        asking.start()
        wanted = page.until("snapshot")
        assert (wanted["viewpoint"], wanted["width"], wanted["height"]) == ("eye", 320, 720)
        upload = f"/api/snapshots/{wanted['id']}"
        assert ask(room, upload, b"no picture")[0] == 422
        assert ask(room, upload, PNG)[0] == 204
        asking.join()
    assert answers == [(200, PNG, "image/png")]
    assert ask(room, upload, PNG)[0] == 404  # nobody waits any more


def test_rules_can_have_pictures_saved(room: ServedRoom) -> None:
    with room.page() as page:
        page.take_control()
        page.command("emit shoot")
        wanted = page.until("snapshot")
        assert ask(room, f"/api/snapshots/{wanted['id']}", PNG)[0] == 204
        page.until("said", lambda m: m["text"] == "saved shot.png")
    assert room.scene.files.source is not None
    assert (room.scene.files.source.parent / "pictures" / "shot.png").read_bytes() == PNG


# -- clouds ---------------------------------------------------------------------------------


def test_the_cloud_of_an_arm_is_where_it_reaches() -> None:
    model = rx.load("planar_3r")
    rows = np.frombuffer(make_cloud(model, model.point(), 5000), "<f4").reshape(-1, 4)
    reach = np.linalg.norm(rows[:, :3], axis=1).max()
    assert 1.0 < reach < 1.4  # it is 1.2 m long
    assert (0 <= rows[:, 3]).all() and rows[:, 3].max() == pytest.approx(1.0)
    assert len(rows) > 200


def test_clouds_are_made_on_demand_and_kept(room: ServedRoom) -> None:
    status, data, _ = ask(room, "/api/workspace/arm?samples=2000")
    assert status == 200 and len(data) % 16 == 0 and len(data) > 1000
    assert ask(room, "/api/workspace/arm?samples=2000")[1] == data
    assert ask(room, "/api/workspace/none")[0] == 404
    for samples in ("0", "1e3", "99999999", ""):
        assert ask(room, f"/api/workspace/arm?samples={samples}")[0] == 422


# -- the page -------------------------------------------------------------------------------


def test_the_built_page_is_served(
    room: ServedRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from robotix.server.http.app import page_folder

    monkeypatch.setenv("ROBOTIX_STATIC", str(tmp_path))
    assert page_folder() == tmp_path
    with served(room.scene.__class__(name="other")) as other:
        status, body, _ = ask(other, "/")
        assert status == 503 and b"not built yet" in body
        (tmp_path / "assets").mkdir()
        (tmp_path / "index.html").write_text("<title>page</title>")
        (tmp_path / "assets" / "main-1234.js").write_text("1")
        assert ask(other, "/")[:2] == (200, b"<title>page</title>")
        assert ask(other, "/assets/main-1234.js")[2].startswith("text/javascript")
        assert ask(other, "/none.js")[0] == 404
