"""Pages follow the view of another page, and poses of tracked devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.served_room import Page, ServedRoom, served

from robotix.inputs.readings import Inputs, Reading
from robotix.scene.scene import Scene
from robotix.server.live.viewing import snapshot_devices

VIEW = {"position": [1.0, 2.0, 1.6], "quaternion": [0.0, 0.0, 0.0, 1.0], "field_of_view": 1.2}


@pytest.fixture
def room() -> Iterator[ServedRoom]:
    with served(Scene(name="a room")) as room:
        yield room


def test_a_view_goes_to_those_that_watch_and_its_end_too(room: ServedRoom) -> None:
    with room.page("spectator") as watcher, room.page() as other:
        watcher.send("watch_views", is_on=True)
        with room.page("participant") as seen:
            seen.send("view", **VIEW)
            told = watcher.until("view_of")
            assert told == {"kind": "view_of", "client": seen.name, "is_there": True, **VIEW}
            late = room.page("late")
            with late as page:
                page.send("watch_views", is_on=True)
                assert page.until("view_of")["client"] == seen.name
        assert watcher.until("view_of", lambda view: not view["is_there"])["client"] == seen.name
        other.send("ping", sent=1.0)
        other.until("pong")
        assert not [each for each in other.heard if each["kind"] == "view_of"]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"position": [1e9, 0, 0]}, "within"),
        ({"quaternion": [0, 0, 0, 0]}, "zero"),
        ({"field_of_view": 4.0}, "field_of_view"),
    ],
)
def test_an_impossible_view_is_refused(
    room: ServedRoom, changed: dict[str, Any], reason: str
) -> None:
    with room.page() as page:
        page.send("view", **(VIEW | changed))
        assert reason in page.closed()[1]


def test_tracked_devices_are_told_with_their_tick() -> None:
    scene = Scene()
    head = Reading(position=(0.1, 0.2, 1.3), quaternion=(0.5, 0.5, -0.5, 0.5))
    gone = Reading(position=(0.0, 0.0, 0.0), live=False)
    scene.step(Inputs({"head": head, "stick": Reading((0.0, 0.0, 0.0)), "right_glove": gone}))
    told = snapshot_devices(scene)
    assert (told.tick, told.time) == (scene.tick, scene.time)
    assert [(each.device, each.is_live) for each in told.poses] == [
        ("head", True),
        ("right_glove", False),
    ]
    assert told.poses[0].position == (0.1, 0.2, 1.3)
    assert told.poses[0].quaternion == (0.5, -0.5, 0.5, 0.5)  # w last


def test_a_page_is_told_where_the_head_is(room: ServedRoom) -> None:
    with room.page() as page:
        page.take_control()
        page.send("watch_devices", is_on=True)

        def is_there(message: dict[str, Any]) -> bool:
            wear(page)
            return any(each["device"] == "head" and each["is_live"] for each in message["poses"])

        told = page.until("devices", is_there)
        (head,) = [each for each in told["poses"] if each["device"] == "head"]
        assert head["position"] == pytest.approx([0.3, 0.2, 1.6])  # x forwards, y left, z up


def wear(page: Page) -> None:
    """Send what a headset sends: 0.2 m to the left, 1.6 m up, 0.3 m ahead."""
    data = {"position": [-0.2, 1.6, -0.3], "orientation": [0, 0, 0, 1]}
    page.send("device", device="headset", data=data)
