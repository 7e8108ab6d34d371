"""Whether a plug-in may run is asked in all pages, and answered by the one in control."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.served_room import PATIENCE, ServedRoom, served

from robotix.scene.plugins import PluginRequest, find_plugin
from robotix.scene.scene import Scene


@pytest.fixture
def room() -> Iterator[ServedRoom]:
    with served(Scene(name="empty")) as room:
        yield room


@pytest.fixture
def request_of_wave(tmp_path: Path) -> PluginRequest:
    (tmp_path / "wave.py").write_text("import os\nopen('x')\n")
    return PluginRequest("wave", find_plugin("wave", folder=tmp_path))


@pytest.mark.parametrize("answer", [True, False])
def test_the_page_in_control_answers_for_all(
    room: ServedRoom, request_of_wave: PluginRequest, answer: bool
) -> None:
    with room.page("driver") as driver, room.page("other") as other:
        driver.take_control()
        pending = room.service.questions.ask(request_of_wave)
        for page in (driver, other):
            asked = page.until("plugin_question")
            assert asked["name"] == "wave" and asked["file"] == "wave.py" and asked["is_open"]
            assert asked["sha256"] == request_of_wave.digest and asked["uses"] == ["os", "open()"]
        other.send("plugin_answer", id=asked["id"], may_run=True)
        other.until("said", lambda said: "in control" in said["text"])
        driver.send("plugin_answer", id=asked["id"] + 1, may_run=True)  # to no question
        assert not pending.done()
        driver.send("plugin_answer", id=asked["id"], may_run=answer)
        assert pending.result(PATIENCE) is answer
        for page in (driver, other):
            assert not page.until("plugin_question")["is_open"]
        driver.send("plugin_answer", id=asked["id"], may_run=not answer)  # too late
        assert driver.command("show world")["ok"] and pending.result() is answer


def test_a_page_that_may_only_watch_cannot_answer(
    room: ServedRoom, request_of_wave: PluginRequest
) -> None:
    pending = room.service.questions.ask(request_of_wave)
    key = room.hosting.access.sessions.key("watch")
    with room.page("watcher", key=key) as watcher:  # which comes later, and is asked, too
        asked = watcher.until("plugin_question")
        watcher.send("ask_control", take=True)
        watcher.until("said", lambda said: "only watch" in said["text"])
        watcher.send("plugin_answer", id=asked["id"], may_run=True)
        watcher.until("said", lambda said: "in control" in said["text"])
        assert not pending.done()
        room.service.questions.close()
        assert not watcher.until("plugin_question")["is_open"]
    with room.page("late") as late:
        late.take_control()
        assert not [each for each in late.heard if each["kind"] == "plugin_question"]
