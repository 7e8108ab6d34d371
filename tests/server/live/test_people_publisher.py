"""People are drawn by their skins: sent once, moved by the places of their bones."""

from __future__ import annotations

import struct
import urllib.request

import numpy as np
from support.people import manikin
from support.served_room import TOKEN, served

from robotix.geometry import Pose
from robotix.scene.scene import Scene
from robotix.server.live.frames import pack_poses


def test_the_bones_of_a_person_come_with_the_frames() -> None:
    scene = Scene()
    person = scene.add_person("ann", manikin("f"), pose=Pose.at(1, 2, 0, rpy=(0, 0, 0.5)))
    with served(scene) as room, room.page() as page:
        told = page.until("room", lambda m: bool(m["skins"]))
        (skin,) = told["skins"]
        count = len(told["nodes"])
        assert skin["name"] == "ann"
        assert skin["bones"] == list(range(count, count + len(person.binding.bone_names)))
        assert all(not node["visuals"] for node in told["nodes"] if node["robot"] == "ann")
        while set(page.places) != set(range(count + len(skin["bones"]))):
            page.next_frame()
        room.loop.pause()
        matrices = person.bones()
        for row, matrix in zip(skin["bones"], matrices, strict=True):
            world = np.concatenate([matrix[:3, :3].ravel(), matrix[:3, 3], [1.0]])
            expected = pack_poses(world[None])[0]
            np.testing.assert_allclose(page.places[row], expected, atol=1e-5)
        request = urllib.request.Request(
            f"{room.origin}/skin/{skin['key']}", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = answer.read()
    n, m, k, groups = struct.unpack_from("<IIII", data)
    assert (n, k) == (len(person.binding.vertices), len(matrices))
    assert len(data) == 16 + n * (12 + 12 + 8 + 16) + 64 * k + 12 * m + 24 * groups
    indices = np.frombuffer(data, "<u4", 3 * m, 16 + n * 48 + 64 * k)
    assert indices.max() < n
    start, size, *_ = struct.unpack_from("<IIffff", data, len(data) - 24)
    assert start + size == 3 * m
