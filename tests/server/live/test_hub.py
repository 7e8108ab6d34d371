"""Pages see the room as it is, and drive it one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from support.served_room import Page, ServedRoom, served

import robotix as rx
from robotix.geometry import Box, Pose, rotation_from_quaternion
from robotix.model import Visual
from robotix.scene.commands.basic import Say
from robotix.scene.events.events import Button, Collision
from robotix.scene.graph.content import Material
from robotix.scene.scene import Scene
from robotix.server.live.hub import Client
from robotix.server.live.service import RoomService


def make_room() -> Scene:
    scene = Scene(name="a room")
    box = Box(np.array([0.2, 0.3, 0.4]))
    scene.graph.add(
        "table", solids=[box], visuals=[Visual(box)], pose=Pose.at(2, 0, 0.5, rpy=(0.1, 0.2, 0.3))
    )
    scene.graph.add("cup", parent="table", solids=[box], visuals=[Visual(box)], scale=0.1)
    scene.add_robot("arm", rx.load("planar_3r"), pose=Pose.at(0, 1, 0, rpy=(0, 0, 1)))
    scene.on(Button("keyboard", "L"), Say("hello"), name="greet")
    scene.on(Collision("arm", "table"), Say("ouch"))
    return scene


@pytest.fixture
def room() -> Iterator[ServedRoom]:
    with served(make_room()) as room:
        yield room


def test_a_page_is_told_what_is_in_the_room(room: ServedRoom) -> None:
    with room.page("headset") as page:
        told = page.until("room")
        names = [node["name"] for node in told["nodes"]]
        assert names == [node.name for node in room.scene.graph]
        assert [node["row"] for node in told["nodes"]] == list(range(len(names)))
        table, cup = names.index("table"), names.index("cup")
        assert told["nodes"][cup]["parent"] == table
        (visual,) = told["nodes"][table]["visuals"]
        assert visual["shape"] == {"kind": "box", "size": [0.2, 0.3, 0.4]}
        (robot,) = told["robots"]
        assert (robot["name"], robot["tip"], robot["method"]) == ("arm", "arm/flange", "dls")
        assert [joint["name"] for joint in robot["joints"]] == ["joint1", "joint2", "joint3"]
        assert told["active"] == "arm"
        assert told["keys"] == [{"key": "L", "does": "greet"}]
        assert page.name.startswith("headset ")


def test_frames_say_where_everything_is(room: ServedRoom) -> None:
    with room.page() as page:
        told = page.until("room")
        first = page.next_frame()
        assert set(first.places) == set(range(len(told["nodes"])))
        page.take_control()
        assert page.command("move @30;(20, -30, 40)")["ok"]
        page.until("robots", lambda m: m["robots"][0]["q"][2] > 0.69)
        moved = page.next_frame(lambda frame: not frame.places)  # nothing moves any more
        assert moved.structure == told["structure"] and moved.tick > first.tick
        room.loop.pause()
        for node in room.scene.graph:
            x, y, z, qx, qy, qz, qw, scale = page.places[node.row].astype(float)
            np.testing.assert_allclose([x, y, z], node.world_position, atol=1e-6)
            rotation = rotation_from_quaternion([qw, qx, qy, qz])
            np.testing.assert_allclose(rotation, node.world_pose.rotation, atol=1e-6)
            assert scale == pytest.approx(node.world_scale)


def test_only_what_moved_is_sent(room: ServedRoom) -> None:
    with room.page() as page:
        page.until("room")
        page.next_frame()
        page.take_control()
        page.command("place cup; (1, 2, 3)")
        frame = page.next_frame(lambda frame: bool(frame.places))
        assert set(frame.places) == {room.scene.graph["cup"].row}
        np.testing.assert_allclose(next(iter(frame.places.values()))[:3], [1, 2, 3], atol=1e-6)


def test_two_pages_see_the_same(room: ServedRoom) -> None:
    with room.page() as one, room.page() as other:
        for page in (one, other):
            page.until("room")
            page.next_frame()
        one.take_control()
        one.command("hide cup")
        for page in (one, other):
            page.heard.clear()
        one.command("move @20;(10, 20, 30)")
        for page in (one, other):
            page.until("robots", lambda m: m["robots"][0]["q"][2] > 0.52)
            page.next_frame(lambda frame: not frame.places)
        assert one.places.keys() == other.places.keys()
        for row, place in one.places.items():
            np.testing.assert_array_equal(place, other.places[row])


def test_looks_that_change_are_told(room: ServedRoom) -> None:
    with room.page() as page:
        page.until("room")
        page.take_control()
        page.command("wireframe table; on")
        (node,) = page.until("nodes")["nodes"]
        assert node["name"] == "table" and node["wireframe"]
        room.scene.graph["table"].set(material=Material((1.0, 0.0, 0.0), 0.5, pattern="wood"))
        message = page.until("nodes", lambda m: m["nodes"][0]["visuals"][0]["surface"]["pattern"])
        surface = message["nodes"][0]["visuals"][0]["surface"]
        assert (surface["colour"], surface["opacity"]) == ([1.0, 0.0, 0.0], 0.5)


def test_nodes_that_come_and_go_give_a_new_room(room: ServedRoom) -> None:
    with room.page() as page:
        first = page.until("room")
        page.take_control()
        page.command("display_ellipsoid")
        second = page.until("room")
        assert second["structure"] > first["structure"]
        (added,) = {n["name"] for n in second["nodes"]} - {n["name"] for n in first["nodes"]}
        assert added == "arm/ellipsoid"
        frame = page.next_frame(lambda frame: frame.structure == second["structure"])
        assert len(page.places) == len(second["nodes"]) or len(frame.places) > 0
        shape = second["nodes"][-1]["visuals"][0]["shape"]
        assert shape["kind"] == "ellipsoid"


def test_settings_of_robots_are_told(room: ServedRoom) -> None:
    with room.page() as page:
        page.until("room")
        page.take_control()
        page.command("set_damping 0.5")
        page.command("set_method qp")
        page.command("set_first_joint 2")
        changed = page.until("room_changed", lambda m: m["robots"][0]["first"] == 2)
        assert (changed["robots"][0]["damping"], changed["robots"][0]["method"]) == (0.5, "qp")


def test_a_watched_robot_is_told_all_about(room: ServedRoom) -> None:
    with room.page() as page, room.page() as other:
        page.take_control()
        page.command("move @5;(20, 40, 60)")
        page.command("set_obstacle table; 0.1")
        page.send("watch", robot="arm")
        message = page.until(
            "robots", lambda m: bool(m["robots"][0]["jacobian"] and m["robots"][0]["obstacles"])
        )
        (state,) = message["robots"]
        posture = room.scene.robot("arm").posture
        assert np.array(state["jacobian"]).shape == (6, 3)
        assert state["manipulability"] > 0  # a planar arm can move in its plane
        assert len(state["ellipsoid"]) == 3 and len(state["singular_values"]) == 3
        assert state["obstacles"][0]["node"] == "table"
        assert state["obstacles"][0]["distance"] > 0
        assert len(state["q"]) == posture.model.n_dof
        plain = other.until("robots")["robots"][0]
        assert plain["jacobian"] == [] and plain["manipulability"] is None


# -- driving --------------------------------------------------------------------------------


def test_one_page_drives_and_the_others_watch(room: ServedRoom) -> None:
    with room.page("one") as one, room.page("other") as other:
        assert not one.command("printvar")["ok"]  # nobody has control
        one.take_control()
        other.send("ask_control")
        assert other.until("lease", lambda m: m["holder"] == one.name)["is_mine"] is False
        refused = other.command("move (1, 2, 3)")
        assert not refused["ok"] and one.name in refused["text"]
        assert other.command("stop")["ok"]  # whoever sees danger may stop it
        assert "joint1" in one.command("printvar")["text"]
        other.take_control(by_force=True)
        assert one.until("lease", lambda m: m["holder"] == other.name)["is_mine"] is False
        assert not one.command("printvar")["ok"]
        other.send("give_control")
        one.until("lease", lambda m: m["holder"] == "")


def test_lines_are_answered_in_words_and_only_to_who_asked(room: ServedRoom) -> None:
    with room.page() as one, room.page() as other:
        one.take_control()
        wrong = one.command("mvoe (1, 2, 3)")
        assert not wrong["ok"] and "did you mean 'move'" in wrong["text"]
        assert not one.command("two\nlines")["ok"]
        assert "place: a node" in one.command("help")["text"]
        one.command("emit done")
        other.until("happened", lambda m: m["names"] == ["done"])
        told = [m for m in other.heard if m["kind"] == "said" and m["problem"] != "loop"]
        assert told == []


def test_edits_can_be_undone_and_done_again(room: ServedRoom) -> None:
    cup = room.scene.graph["cup"]
    with room.page() as page:
        assert not page.until("room")["can_undo"]
        page.take_control()
        before = cup.world_position
        assert not page.command("undo")["ok"]
        for x in (1, 2, 3):  # one after the other, as a thing that is dragged
            assert page.command(f"place cup; ({x}, 0, 0); (1, 0, 0, 0)")["ok"]
        page.until("room_changed", lambda m: m["can_undo"])
        assert page.command("undo")["ok"]
        page.until("room_changed", lambda m: not m["can_undo"] and m["can_redo"])
        np.testing.assert_allclose(cup.world_position, before, atol=1e-12)
        assert page.command("redo")["ok"]
        page.until("room_changed", lambda m: m["can_undo"] and not m["can_redo"])
        np.testing.assert_allclose(cup.world_position, [3, 0, 0], atol=1e-12)


def test_keys_reach_the_rules(room: ServedRoom) -> None:
    with room.page() as page, page.keyboard() as down:
        page.take_control()
        wait_for(page, lambda: "keyboard" in room.scene.inputs.devices)
        wait_for(page, lambda: room.scene.tick > 60)
        down.add("KeyL")
        assert page.until("said", lambda m: not m["problem"])["text"] == "hello"


def wait_for(page: Page, is_so: Callable[[], bool]) -> None:
    """Hear messages until something is so."""
    while not is_so():
        page.until("robots")


@contextmanager
def driving(room: ServedRoom, name: str) -> Iterator[Page]:
    """Let the arm follow the arrow keys, and hold one."""
    with room.page(name) as page, page.keyboard() as down:
        page.take_control()
        assert page.command("move @2;(20, 40, 60)")["ok"]
        page.until("robots", lambda m: m["robots"][0]["q"][0] > 0.3)
        assert page.command("track_init stick")["ok"]
        down.add("ArrowLeft")
        wait_for(page, lambda: room.scene.inputs.devices["stick"].live)
        assert page.command("track_toggle")["ok"]
        state = page.until("robots", lambda m: m["robots"][0]["tracked_by"] == "stick")
        assert state["robots"][0]["drive"] == "follows stick"
        yield page


def test_a_page_that_is_gone_stops_the_arm_it_drove(room: ServedRoom) -> None:
    arm = room.scene.robot("arm")
    with room.page("watcher") as watcher:
        with driving(room, "driver"):
            assert arm.drive is not None
        watcher.until("lease", lambda m: m["holder"] == "")
        said = watcher.until("said", lambda m: "is gone" in m["text"])
        assert "stick" in said["text"]
        watcher.heard.clear()
        watcher.until("robots", lambda m: not m["robots"][0]["drive"])
    assert arm.drive is None


def test_who_loses_control_drives_no_longer(room: ServedRoom) -> None:
    with room.page("other") as other, driving(room, "one"):
        other.take_control(by_force=True)
        other.until("said", lambda m: "is gone" in m["text"])  # though the key is still down
        other.heard.clear()
        state = other.until("robots", lambda m: not m["robots"][0]["drive"])["robots"][0]
        assert not state["tracked_by"]


def test_pages_that_come_and_go_are_events(room: ServedRoom) -> None:
    from robotix.scene.events.events import ClientConnected

    room.scene.on(ClientConnected(), Say("somebody is there"), mode="on")
    with room.page() as page:
        page.until("said", lambda m: m["text"] == "somebody is there")


def test_the_pace_can_be_changed(room: ServedRoom) -> None:
    with room.page() as page:
        page.until("room")
        page.take_control()
        page.send("pace", action="pause")
        page.until("health", lambda m: m["is_paused"])
        assert room.loop.is_paused
        page.send("pace", action="speed", value=0.5)
        page.until("health", lambda m: m["speed"] == 0.5)
        page.send("pace", action="resume")
        page.until("health", lambda m: not m["is_paused"])


def test_a_ping_is_answered(room: ServedRoom) -> None:
    with room.page() as page:
        page.send("ping", sent=12.5)
        assert page.until("pong")["sent"] == 12.5


def test_a_page_goes_on_after_a_restart() -> None:
    with served(make_room()) as room:
        port = room.hosting.port
        with room.page() as page:
            page.until("room")
            first = room.service.run
            cookie, key = room.cookie, room.key
    with served(make_room(), port=port) as room:
        sessions = room.hosting.access.sessions  # the same token, so nobody has to log in anew
        assert sessions.is_cookie(cookie.split("=")[1]) and sessions.role_of(key) == "drive"
        with room.page() as page:
            page.until("room")
            assert room.service.run != first


def test_pages_are_told_why_there_is_no_room(room: ServedRoom) -> None:
    reason = "bad.yaml:3:1: no such thing"
    with room.page("first") as page:
        room.service.fail(reason, timeout=10.0)
        assert page.until("failed")["text"] == reason
    with room.page("later") as page:
        assert page.until("failed")["text"] == reason


def test_frames_of_a_recording_that_jumps_back_are_confirmed_in_the_order_they_were_sent() -> None:
    client = Client("page")
    for tick in (500, 501, 20, 20, 21):
        client._ahead.append(tick)
    client.confirm(20)
    assert list(client._ahead) == [21]
    client.confirm(21)
    assert not client._ahead


def test_a_page_that_comes_before_the_room_knows_whether_it_can_begin_again() -> None:
    for can_reset in (False, True):
        service = RoomService()
        service.can_reset = can_reset  # nothing is loaded yet
        assert service.welcome(service.add_client("")).can_reset is can_reset
