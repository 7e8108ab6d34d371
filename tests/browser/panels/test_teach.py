"""The teach panel: joints, postures, paths, settings, who may."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from browser.conftest import OpenPage, Served
from browser.panels.conftest import (
    BIG,
    KEEP_LINES,
    NEAR,
    START,
    TAUGHT,
    WATCH_POSTURES,
    OpenPanel,
    at,
    degrees,
    unfold,
)

# -- teaching ---------------------------------------------------------------------------------


def test_a_typed_value_moves_its_joint_and_no_other(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    at(one, "value-A2").fill("45")
    at(one, "value-A2").press("Enter")
    one.until("Math.abs(app.room.states.get('arm').q[1] * 180 / Math.PI - 45) < 0.05")
    others = [value for i, value in enumerate(degrees(one)) if i != 1]
    np.testing.assert_allclose(others, [v for i, v in enumerate(START) if i != 1], atol=0.05)


def test_sliders_follow_the_robot(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.ask("app.connection.command('move (30, *, *, *, *, *, *)')")
    one.until("Math.abs(app.room.states.get('arm').q[0] * 180 / Math.PI - 30) < 0.05")
    one.until("Math.abs(document.querySelector(\"[data-id='joint-A1']\").valueAsNumber - 30) < 0.1")
    one.until("document.querySelector(\"[data-id='value-A1']\").value === '30.0'")


def test_a_dragged_slider_leads_the_joint_at_twenty_lines_a_second(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.page.evaluate(KEEP_LINES)
    slider = at(one, "joint-A1")
    box = slider.bounding_box()
    assert box is not None
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = one.page.mouse
    mouse.move(middle, height)
    mouse.down()
    for step in range(30):
        mouse.move(middle + 2 * step, height)
    held = slider.evaluate("slider => slider.valueAsNumber")
    one.ticks(12)
    assert slider.evaluate("slider => slider.valueAsNumber") == held  # it does not run away
    mouse.up()
    one.until("Math.abs(app.room.states.get('arm').q[0] * 180 / Math.PI - arg) < 0.1", held)
    sent = [time for time, line in one.page.evaluate("window.lines") if line.startswith("joint ")]
    assert len(sent) >= 2
    assert min(b - a for a, b in pairwise(sent)) > 45  # ms


def test_step_buttons_step_and_repeat_while_held(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    at(one, "step-size").select_option("5")
    at(one, "plus-A1").press("Enter")
    one.until("Math.abs(app.room.states.get('arm').q[0] * 180 / Math.PI - 5) < 0.05")
    at(one, "minus-A1").hover()
    one.page.mouse.down()
    one.until("app.room.states.get('arm').q[0] * 180 / Math.PI < -14.9")
    one.page.mouse.up()


def test_the_end_of_a_stroke_is_shown(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    at(one, "value-A6").fill("500")
    at(one, "value-A6").press("Enter")
    one.until("document.querySelector(\"[data-joint='A6']\").classList.contains('at-stop')")
    light = "app.room.root.getObjectByName('glow of ' + app.room.joint('arm', 6).body)"
    one.until(f"{light}?.children[0].material.opacity > 0")
    at(one, "value-A6").fill("0")
    at(one, "value-A6").press("Enter")
    one.until(f"!{light}")


def test_the_end_effector_goes_where_it_is_told(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    place = [0.45, 0.2, 0.6]
    for axis, value in zip("xyz", place, strict=True):
        at(one, f"tip-{axis}").fill(str(value))
    at(one, "go-place").click()
    one.until("arg.every((v, i) => Math.abs(app.room.states.get('arm').tip[i] - v) < 2e-3)", place)
    one.until("document.querySelector(\"[data-id='tip-x']\").value === '0.450'")


def test_stop_stops_at_once(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.ask("app.connection.command('move @2000;(90, *, *, *, *, *, *)')")
    one.until("app.room.states.get('arm').q[0] > 0.02")
    at(one, "stop").click()
    one.until("!app.room.states.get('arm').is_moving")
    stood = degrees(one)[0]
    one.ticks(60)
    assert 0 < stood < 80
    assert degrees(one)[0] == stood


def test_postures_are_kept_by_name_and_gone_to(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    unfold(one, "postures-section")
    at(one, "posture-name").fill("over the table")
    at(one, "keep-posture").click()
    one.ask("app.connection.command('move (40, 0, 0, -20, 0, 0, 0)')")
    one.until("app.room.states.get('arm').q[0] * 180 / Math.PI > 39.9")
    one.page.get_by_role("button", name="Go to over the table").click()
    one.until(f"arg.every({NEAR})", START)
    one.page.get_by_role("button", name="Forget over the table").click()
    one.page.get_by_role("button", name="Go to over the table").wait_for(state="detached")


def test_a_saved_path_is_played_as_it_was_taught(open_panel: OpenPanel, room: Served) -> None:
    one = open_panel("teach")
    unfold(one, "path")
    file = room.scene.with_name("taught.csv")
    file.unlink(missing_ok=True)
    at(one, "path-file").fill("taught")
    assert at(one, "path-save").inner_text() == "Add posture"
    for posture in TAUGHT:
        one.ask("app.connection.command(arg)", f"move ({', '.join(map(str, posture))})")
        one.until(f"arg.every({NEAR})", posture)
        count = file.read_text().count("\n") if file.exists() else 0
        at(one, "path-save").click()
        one.until(
            "document.querySelector(\"[data-id='path-count']\").textContent.includes('taught')"
        )
        while not file.exists() or file.read_text().count("\n") <= count:
            one.ticks(2)
    words = at(one, "path-count").inner_text()
    assert words == f"{len(TAUGHT)} postures were added to “taught”."
    one.page.evaluate(WATCH_POSTURES)
    one.ask("app.connection.command('set_step 240')")
    at(one, "path-play").click()
    # It stands at the last posture: it goes back to the first, and through the second again.
    for posture in (TAUGHT[0], TAUGHT[1], TAUGHT[2]):
        one.until("window.passed(arg)", posture)
    one.until("!app.room.states.get('arm').is_moving")
    np.testing.assert_allclose(degrees(one), TAUGHT[2], atol=0.05)


def test_how_it_moves_is_set_and_shown(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    unfold(one, "chain")
    at(one, "end-effector").select_option("5")
    one.until("app.room.robots.get('arm').last === 5")
    at(one, "first-joint").select_option("2")
    one.until("app.room.robots.get('arm').first === 2")
    at(one, "method").select_option("qp")
    one.until("app.room.robots.get('arm').method === 'qp'")
    at(one, "duration").fill("0.5")
    at(one, "duration").press("Enter")
    one.until("app.room.robots.get('arm').steps === 60")
    at(one, "damping").evaluate(
        "rail => { rail.value = '-1'; rail.dispatchEvent(new Event('input')) }"
    )
    one.until("Math.abs(app.room.robots.get('arm').damping - 0.1) < 1e-6")
    for line in ("set_end_effector 7", "set_first_joint 1", "set_method dls"):
        one.ask("app.connection.command(arg)", line)


def test_obstacles_are_kept_clear_of(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    unfold(one, "obstacles-section")
    one.ask("app.selection.choose('table')")
    at(one, "obstacle-node").select_option("ball")
    one.ask("app.connection.command('set_step 31')")  # the room changes; the choice stays
    one.until("app.room.robots.get('arm').steps === 31")
    one.ask("app.selection.choose('')")
    at(one, "obstacle-distance").fill("80")
    at(one, "add-obstacle").click()
    one.until("app.room.states.get('arm').obstacles.some((each) => each.node === 'ball')")
    one.until("document.querySelector(\"[data-id='obstacles']\").textContent.includes('ball')")
    at(one, "clear-obstacles").click()
    one.until("app.room.states.get('arm').obstacles.length === 0")


def test_another_robot_is_chosen(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    at(one, "robot").select_option("toy")
    one.until("app.room.active === 'toy'")
    one.until("document.querySelectorAll('.p-joint').length === 3")
    at(one, "robot").select_option("arm")
    one.until("document.querySelectorAll('.p-joint').length === 7")


def test_who_only_watches_is_told_so_and_may_take_over(
    open_panel: OpenPanel, room: Served, open_page: OpenPage
) -> None:
    first = open_panel("teach")
    second = open_page(room, size=BIG)
    second.ask("app.shell.open('teach', true)")
    assert at(second, "value-A1").is_disabled()
    assert at(second, "stop").is_enabled()
    second.page.locator("#panel-teach").get_by_role("button", name="Take control").click()
    second.until("app.control.isMine")
    assert at(second, "value-A1").is_enabled()
    first.until("!app.control.isMine")
    assert at(first, "value-A1").is_disabled()
