"""What pages hear of a task, and that they cannot change the pace of a trial."""

from __future__ import annotations

from support.served_room import served

from robotix.scene.scene import Scene
from robotix.scene.task_display import TaskDisplay


def test_pages_hear_what_to_do_what_was_wrong_what_is_left() -> None:
    scene = Scene()
    scene.task_display = TaskDisplay("Bring it.", left=2, total=2)
    with served(scene) as room, room.page() as page:
        first = page.until("room")["task"]
        assert (first["now"], first["left"], first["is_stopped"]) == ("Bring it.", 2, False)
        scene.task_display = TaskDisplay("Bring it.", "Dropped.", left=1, total=2)
        then = page.until("room_changed")["task"]
        assert (then["wrong"], then["left"], then["total"]) == ("Dropped.", 1, 2)


def test_a_stop_of_the_experimenter_is_not_ended_by_a_page() -> None:
    with served(Scene()) as room, room.page() as page:
        page.take_control()
        room.service.pages_set_pace = False
        room.loop.pause()
        page.send("pace", action="resume")
        page.send("pace", action="speed", value=0.1)
        page.send("ping", sent=1.0)
        page.until("pong")
        assert room.loop.is_paused and room.loop.speed == 1.0
        room.service.pages_set_pace = True
        page.send("pace", action="resume")
        page.send("ping", sent=2.0)
        page.until("pong")
        assert not room.loop.is_paused
