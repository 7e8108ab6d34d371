"""What pages did is in the recording, and happens again to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from support.served_room import Page, served

import robotix as rx
from robotix.geometry import Box, Pose
from robotix.scene.console.console import install_console
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.scene import Scene


def make_room() -> Scene:
    scene = Scene(seed=3)
    scene.graph.add("cup", solids=[Box(np.full(3, 0.1))], pose=Pose.at(1, 1, 0))
    scene.add_robot("arm", rx.load("planar_3r"))
    install_console(scene)
    return scene


def drag_by_mouse(page: Page, *, ticks: int) -> None:
    """Hold the last link by the cursor, and move it a little every time."""

    def cursor(x: float, *buttons: str) -> None:
        data = {"position": [x, 0.2, 0.0], "quaternion": [1, 0, 0, 0], "buttons": buttons}
        page.send("device", device="cursor", data=data)

    while not page.command("drag arm/link3; cursor")["ok"]:  # until the hand is known
        cursor(1.0)
    for step in range(ticks):
        cursor(1.0 - 0.005 * step, "left")
        page.command("printvar")
    assert page.command("let_go cursor")["ok"]


def test_a_run_with_pages_is_replayed_to_the_last_bit(tmp_path: Path) -> None:
    scene, path = make_room(), tmp_path / "run.mcap"
    recorder = Recorder(path, scene)
    with served(scene, on_tick=(recorder,)) as room:
        with room.page("one") as page, page.keyboard() as down:
            page.take_control()
            for line in (
                "place cup; (1, 2, 3); (0.5, 0.5, 0.5, 0.5)",
                "place cup; (1, 2, 4)",
                "hide cup",
                "undo",
                "undo",
                "redo",
                "wireframe cup; on",
                "joint joint2; 30",
                "set_damping 0.1",
                "set_method strict",
                "move_xyz (0.6, 0.4, 0)",
                "track_init stick",
            ):
                assert page.command(line)["ok"], line
            page.until("robots", lambda m: m["robots"][0]["is_moving"])
            down.add("ArrowUp")
            while not page.command("track_toggle")["ok"]:
                pass  # until the key is taken for meant
            page.until("robots", lambda m: m["robots"][0]["tracked_by"] == "stick")
            with room.page("two") as other:
                other.take_control(by_force=True)
                drag_by_mouse(other, ticks=10)
                other.command("home")
                other.until("robots", lambda m: m["robots"][0]["drive"] == "moves to a posture")
    recorder.close()
    report = replay(path, load=lambda header: make_room())
    assert report.digest_ok, report.first_difference
    assert report.ticks == scene.tick > 50
