"""A room with a plug-in that is not known waits until the page in control has answered."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from browser.conftest import PATIENCE, READY, OpenPage, ServeRoom

CODE = b"""
import subprocess
from pathlib import Path

def setup(scene):
    Path(__file__).with_name("mark").write_text("ran")
"""
ROOM = """
robotix: 1
robots: {arm: {model: planar_3r}}
plugins: {wave: {module: wave}}
"""
DIALOG = '[data-id="plugin-question"]'
ASKED = f"() => !!document.querySelector('{DIALOG}') && window.robotix.control.isMine"
SEEN = f"() => !!document.querySelector('{DIALOG}') && !!window.robotix.control.holder"


def test_the_page_in_control_is_asked_and_a_yes_is_remembered(
    serve: ServeRoom, open_page: OpenPage, tmp_path: Path
) -> None:
    served = serve(ROOM, beside={"wave.py": CODE})
    one = open_page(served, until=ASKED, is_drawn=False)
    words = one.page.inner_text(DIALOG)
    for expected in ("wave.py", sha256(CODE).hexdigest(), "pathlib, subprocess", "wave"):
        assert expected in words
    watcher = open_page(served, until=SEEN, is_drawn=False)
    assert watcher.page.is_disabled('[data-id="plugin-yes"]')
    # A page that answers all the same is not heard.
    watcher.ask("void app.connection.send({kind: 'plugin_answer', id: 1, may_run: true})")
    refusal = watcher.page.get_by_text("only the page in control can answer")
    refusal.first.wait_for(state="attached")
    assert not (tmp_path / "mark").exists()
    one.page.keyboard.press("Escape")
    one.page.keyboard.press("Escape")
    assert one.page.is_visible(DIALOG)
    one.page.click('[data-id="plugin-yes"]')
    for each in (one, watcher):
        each.page.wait_for_function(READY, timeout=PATIENCE)
        assert each.page.query_selector(DIALOG) is None
    assert (tmp_path / "mark").read_text() == "ran"
    known = json.loads((tmp_path / "robotix" / "trusted_plugins.json").read_text())
    assert known == {sha256(CODE).hexdigest(): "wave.py"}
    for each in (one, watcher):
        each.page.context.close()
    served.stop()
    again = serve(ROOM)  # is not asked again
    open_page(again, is_drawn=False)


def test_after_a_no_the_room_runs_without_the_plug_in(
    serve: ServeRoom, open_page: OpenPage, tmp_path: Path
) -> None:
    served = serve(ROOM, beside={"wave.py": CODE})
    one = open_page(served, until=ASKED, is_drawn=False)
    one.page.click('[data-id="plugin-no"]')
    one.page.wait_for_function(READY, timeout=PATIENCE)
    assert not (tmp_path / "mark").exists()
    assert not (tmp_path / "robotix" / "trusted_plugins.json").exists()
