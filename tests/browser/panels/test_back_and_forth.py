"""What was done in a room is taken back: edits of things, motions of an arm, or all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.conftest import Keeper, OpenPage, Served, ServeRoom
from browser.panels.conftest import NEAR, START, OpenPanel, at, unfold

BOX = """\
robotix: 1
name: Reset
objects:
  box: {box: [0.2, 0.2, 0.2], at: [0, 0, 0.1]}
"""


def test_things_are_added_copied_coloured_and_deleted(open_panel: OpenPanel) -> None:
    one = open_panel("tree")
    at(one, "new-shape").select_option("cylinder")
    at(one, "add-thing").click()
    one.until("app.selection.node?.info.name === 'cylinder_1'")
    at(one, "thing-colour").evaluate(
        "(input) => { input.value = '#20c040'; input.dispatchEvent(new Event('change')) }"
    )
    one.until(
        "app.room.node('cylinder_1').info.visuals[0].surface.colour"
        ".every((v, k) => Math.abs(v - [32, 192, 64][k] / 255) < 1e-3)"
    )
    at(one, "copy-thing").click()
    one.until("app.selection.node?.info.name === 'cylinder_2'")
    apart = (
        "app.room.node(arg[0]).object.position.distanceTo(app.room.node(arg[1]).object.position)"
    )
    assert one.ask(apart, ["cylinder_1", "cylinder_2"]) == pytest.approx(0.25, abs=1e-3)
    at(one, "delete-thing").click()
    one.until("!app.room.node('cylinder_2')")
    for _ in range(4):  # deleted, copied, coloured, added
        one.until("app.room.canUndo")
        at(one, "undo").click()
    one.until("!app.room.node('cylinder_1') && !app.room.node('cylinder_2')")


def test_a_robot_can_be_moved_but_not_deleted(open_panel: OpenPanel) -> None:
    one = open_panel("tree")
    one.ask("app.selection.choose('toy')")
    one.until("app.selection.node?.info.name === 'toy'")
    assert at(one, "delete-thing").is_hidden()


def test_the_arm_goes_back_to_where_it_stood(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.ticks(40)  # it stands for a while
    one.ask("app.connection.command('move (40, 0, 0, -20, 0, 0, 0)')")
    one.until("app.room.states.get('arm').q[0] * 180 / Math.PI > 39.9")
    at(one, "go-back").click()
    one.until(f"arg.every({NEAR})", START)


def test_postures_are_those_of_the_room(
    open_panel: OpenPanel, room: Served, keeper: Keeper
) -> None:
    one = open_panel("teach")
    unfold(one, "postures-section")
    at(one, "posture-name").fill("for all")
    at(one, "keep-posture").click()
    kept = "app.room.robots.get('arm').postures.map((posture) => posture.name).join()"
    one.until(f"{kept} === 'for all'")
    assert one.ask("Object.keys(localStorage).some((key) => key.includes('posture'))") is False
    one.page.get_by_role("button", name="Forget for all").click()
    one.until(f"{kept} === ''")


def test_a_room_begins_again(serve: ServeRoom, open_page: OpenPage) -> None:
    served = serve(BOX)
    one = open_page(served, is_drawn=False, allow_errors=True)  # the browser complains meanwhile
    one.until("app.control.isMine")
    one.ask("app.connection.command('place box; (3, 0, 0.1)')")
    one.until("app.room.node('box').object.position.x > 2.9")
    run = one.ask("app.connection.welcome.run")
    one.page.click("#tool-reset")
    one.page.locator("#banner-reset").get_by_role("button", name="Begin again").click()
    one.until("app.connection.state === 'open' && app.connection.welcome.run !== arg", run)
    one.until("Math.abs(app.room.node('box')?.object.position.x) < 1e-6 && app.room.tick > 0")
    one.until("app.control.isMine")


def test_a_room_that_is_recorded_does_not_begin_again(
    serve: ServeRoom, open_page: OpenPage, tmp_path: Path
) -> None:
    served = serve(BOX, "--record", str(tmp_path / "take.mcap"))
    one = open_page(served, is_drawn=False)
    one.until("app.control.isMine")
    answer = one.ask("app.connection.command('reset_room')")
    assert not answer["ok"] and "recorded" in answer["text"]
