"""Pages see and change a room that stands still."""

from collections.abc import Callable

import numpy as np
from support.served_room import Frame, Page, served

from robotix.geometry import Box, Pose
from robotix.model import Visual
from robotix.scene.scene import Scene


def make_scene() -> Scene:
    scene = Scene()
    scene.graph.add("cup", visuals=[Visual(Box(np.full(3, 0.1)))], pose=Pose.at(1, 0, 0))
    return scene


def pause(page: Page) -> None:
    page.take_control()
    page.until("room")
    page.send("pace", action="pause", value=0)
    page.until("health", lambda health: health["is_paused"])


def shows_cup_at(x: float) -> Callable[[Frame], bool]:
    return lambda frame: any(place[0] == x for place in frame.places.values())


def test_health_goes_on_and_steps_are_seen() -> None:
    with served(make_scene()) as room, room.page() as page:
        pause(page)
        for _ in range(2):
            page.until("health", lambda health: health["is_paused"])
        before = room.scene.tick
        page.send("pace", action="step", value=3)
        page.next_frame(lambda frame: frame.tick == before + 3)  # although nothing moved
        page.until("health", lambda health: health["time"] == room.scene.time)
        assert room.scene.tick == before + 3


def test_lines_are_answered_and_seen_while_nothing_moves() -> None:
    with served(make_scene()) as room, room.page() as page, room.page() as other:
        pause(page)
        for _ in range(2):  # the second one finds a room that stands still
            assert page.command("show cup")["ok"]
        before = room.loop.report().ticks
        assert page.command("place cup; (2, 0, 0)")["ok"]
        page.next_frame(shows_cup_at(2))
        assert page.command("hide cup")["ok"]
        other.until("nodes", lambda changed: not changed["nodes"][0]["visible"])
        assert not page.command("nonsense")["ok"]
        assert page.command("undo")["ok"] and page.command("undo")["ok"]
        page.next_frame(shows_cup_at(1))
        assert room.loop.report().ticks == before


def test_answers_from_a_room_that_stood_still_stay_between_two() -> None:
    with served(make_scene()) as room, room.page() as page, room.page() as other:
        pause(page)
        for _ in range(3):
            assert not page.command("nonsense")["ok"]
        page.send("pace", action="resume", value=0)
        page.command("emit done")  # heard by all, after whatever was said before
        other.until("happened", lambda happened: happened["names"] == ["done"])
        said = [message for message in other.heard if message["kind"] == "said"]
        assert not [
            message for message in said if message.get("problem") != "loop"
        ]  # a busy machine
