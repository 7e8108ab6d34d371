"""The panels show what the room says, and do in the room what is done in them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from browser.conftest import PATIENCE, READY, Opened, OpenPage, Served, ServeRoom
from playwright.sync_api import Browser, Locator

SCENE = """\
robotix: 1
name: Panels
robots:
  arm: {model: kuka_lwr, q_deg: [0, 30, 0, -70, 0, 50, 0]}
  toy: {model: planar_3r, at: [0, 2, 0]}
objects:
  table: {box: [0.6, 0.6, 0.3], at: [0.9, 0.8, 0.15], material: {colour: blue}}
  ball: {sphere: 0.06, at: [0.55, 0.3, 0.9]}
rules:
  - {when: {key: J}, mode: reflect, do: {step: {by_deg: [0.5, 0, 0, 0, 0, 0, 0]}}}
"""
START = [0, 30, 0, -70, 0, 50, 0]  # degrees
START_DEG = ", ".join(map(str, START))
BIG = (1280, 720)
PHONE = (390, 844)
NO_PICTURE = """() => {  // panels alone are tested, and pictures are slow without a graphics card
  const renderer = window.robotix.stage.renderer
  window.draw = renderer.render
  renderer.render = () => {}
}"""
KEEP_LINES = """() => {
  window.lines = []
  const send = window.robotix.connection.command
  window.robotix.connection.command = (line) => {
    window.lines.push([performance.now(), line])
    return send(line)
  }
}"""

TAUGHT = [[0, 30, 0, -70, 0, 50, 0], [25, 20, 0, -60, 0, 40, 0], [-15, 40, 10, -80, 0, 30, 0]]
# Knows whether the arm has passed a posture, within four degrees, after the one asked before.
WATCH_POSTURES = """() => {
  const postures = []
  window.robotix.connection.on('robots', ({robots}) =>
    postures.push(robots.find((robot) => robot.name === 'arm').q.map((v) => v * 180 / Math.PI)))
  window.passed = (wanted) => {
    const at = postures.findIndex((q) => q.every((v, i) => Math.abs(v - wanted[i]) < 4))
    if (at < 0) return false
    postures.splice(0, at)
    return true
  }
}"""


@pytest.fixture(scope="module")
def room(serve_module: ServeRoom) -> Served:
    """Serve one room for all tests."""
    return serve_module(SCENE)


@pytest.fixture(scope="module")
def shared(room: Served, browser: Browser) -> Iterator[Opened]:
    """Open one page for all tests: panels can be opened and closed, pages take their time."""
    context = browser.new_context(
        viewport={"width": BIG[0], "height": BIG[1]}, color_scheme="dark", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    one = Opened(context.new_page(), [])
    one.page.on("pageerror", lambda error: one.errors.append(str(error)))
    one.page.goto(room.address)
    one.page.wait_for_function(READY, timeout=PATIENCE)
    one.page.evaluate(NO_PICTURE)
    yield one
    context.close()


OpenPanel = Callable[[str], Opened]


@pytest.fixture
def open_panel(shared: Opened) -> Iterator[OpenPanel]:
    """Open a panel of a page that is in control, the arm where it started."""

    def open_one(panel: str) -> Opened:
        if not shared.ask("app.control.isMine"):
            shared.ask("app.control.ask(true)")
        shared.until("app.control.isMine")
        shared.ask("app.connection.send({kind: 'pace', action: 'resume'})")
        for line in ("stop", "set_robot arm", "set_step 20", f"move ({START_DEG})"):
            shared.ask("app.connection.command(arg)", line)
        shared.until(f"app.room.active === 'arm' && arg.every({NEAR})", START)
        shared.ask("app.shell.open(arg, true)", panel)
        return shared

    yield open_one
    assert shared.errors == []


NEAR = "(v, i) => Math.abs(app.room.states.get('arm').q[i] * 180 / Math.PI - v) < 0.05"


def at(one: Opened, name: str) -> Locator:
    """Return the element that tests know by a name."""
    return one.page.locator(f"[data-id='{name}']").first


def degrees(one: Opened) -> list[float]:
    """Return the joints of the arm as the page has heard of them."""
    return [math.degrees(value) for value in one.ask("app.room.states.get('arm').q")]


def unfold(one: Opened, section: str) -> None:
    """Open a section that is folded."""
    one.page.evaluate(f"document.querySelector(\"details[data-id='{section}']\").open = true")


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
    assert one.page.get_by_role("button", name="Go to over the table").count() == 0


def test_a_saved_path_is_played_as_it_was_taught(open_panel: OpenPanel, room: Served) -> None:
    one = open_panel("teach")
    unfold(one, "path")
    file = room.scene.with_name("taught.csv")
    file.unlink(missing_ok=True)
    at(one, "path-file").fill("taught")
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
    at(one, "obstacle-node").select_option("ball")
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


# -- figures ----------------------------------------------------------------------------------


def test_figures_are_those_of_the_robot(open_panel: OpenPanel) -> None:
    one = open_panel("figures")
    unfold(one, "jacobian-section")
    one.until("document.querySelectorAll('.p-bar').length === 3")
    one.until("document.querySelectorAll('.p-matrix tr').length === 7")
    shown = [float(text) for text in one.page.locator(".p-bar .p-figure").all_inner_texts()]
    said = one.ask("app.room.states.get('arm').singular_values")
    np.testing.assert_allclose(shown, said, atol=1e-3)
    cell = float(one.page.locator(".p-matrix tr").nth(1).locator("td").nth(1).inner_text())
    assert abs(cell - one.ask("app.room.states.get('arm').jacobian[0][1]")) < 0.006


def test_overlays_are_switched(open_panel: OpenPanel) -> None:
    one = open_panel("figures")
    names = one.ask("app.overlays.all.map((each) => each.name)")
    assert names
    name = names[0]
    before = one.ask("app.overlays.get(arg).isOn", name)
    at(one, f"overlay-{name}").click()
    one.until("app.overlays.get(arg[0]).isOn === arg[1]", [name, not before])
    at(one, f"overlay-{name}").click()


# -- looking ----------------------------------------------------------------------------------


def test_the_view_is_set(open_panel: OpenPanel) -> None:
    one = open_panel("view")
    at(one, "camera-mode").select_option("fly")
    assert one.ask("app.stage.mode") == "fly"
    at(one, "theme").select_option("light")
    assert one.page.evaluate("document.documentElement.dataset.theme") == "light"
    one.page.get_by_text("Stereo").first.click()
    at(one, "stereo").select_option("anaglyph")
    assert one.ask("app.stage.stereo") == "anaglyph"
    at(one, "stereo").select_option("off")
    at(one, "measure").click()
    assert one.ask("app.measure.isOn") is True


def test_a_picture_is_saved(open_panel: OpenPanel) -> None:
    one = open_panel("view")
    one.page.evaluate("() => { window.robotix.stage.renderer.render = window.draw }")
    with one.page.expect_download() as download:
        at(one, "snapshot").click()
    one.page.evaluate(NO_PICTURE)
    data = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "Panels.png"
    assert data[:8] == b"\x89PNG\r\n\x1a\n"


# -- things -----------------------------------------------------------------------------------


def test_things_are_found_chosen_hidden_and_moved(open_panel: OpenPanel) -> None:
    one = open_panel("tree")
    at(one, "tree-search").fill("tab")
    shown = one.page.locator(".p-node-name").all_inner_texts()
    assert "table" in shown
    assert "ball" not in shown
    one.page.locator("[data-node='table']").click()
    one.until("app.selection.node?.info.name === 'table'")
    assert at(one, "place-x").input_value() == "0.900"
    at(one, "place-x").fill("1.25")
    at(one, "place-x").press("Enter")
    one.until("Math.abs(app.room.node('table').object.position.x - 1.25) < 1e-3")
    one.page.get_by_role("button", name="Hide table").click()
    one.until("app.room.node('table').info.visible === false")
    one.page.keyboard.press("Control+z")
    one.until("app.room.node('table').info.visible === true")
    one.until("app.room.canUndo")
    at(one, "undo").click()
    one.until("Math.abs(app.room.node('table').object.position.x - 0.9) < 1e-3")
    at(one, "redo").click()
    one.until("Math.abs(app.room.node('table').object.position.x - 1.25) < 1e-3")
    at(one, "undo").click()
    at(one, "wireframe").click()
    one.until("app.room.node('table').info.wireframe === true")
    at(one, "wireframe").click()
    one.until("app.room.node('table').info.wireframe === false")


def test_the_tree_is_walked_by_keyboard(open_panel: OpenPanel) -> None:
    one = open_panel("tree")
    at(one, "tree-search").fill("")
    one.until("document.querySelectorAll('.p-node').length > 2")
    first = one.page.locator(".p-node").first
    name = first.get_attribute("data-node")
    first.focus()
    one.page.keyboard.press("ArrowDown")
    second = one.page.evaluate("document.activeElement.dataset.node")
    assert second not in (None, name)
    one.page.keyboard.press("Enter")
    one.until("app.selection.node?.info.name === arg", second)
    one.page.keyboard.press("Home")
    assert one.page.evaluate("document.activeElement.dataset.node") == name


# -- talking ----------------------------------------------------------------------------------


def test_the_command_line_runs_recalls_and_completes(open_panel: OpenPanel) -> None:
    one = open_panel("messages")
    line = at(one, "command-line")
    line.fill("move (10, *, *, *, *, *, *)")
    line.press("Enter")
    one.until("app.room.states.get('arm').q[0] * 180 / Math.PI > 9.9")
    line.fill("mvoe")
    line.press("Enter")
    one.until("document.querySelector(\"[data-id='log']\").textContent.includes('did you mean')")
    line.press("ArrowUp")
    line.press("ArrowUp")
    assert line.input_value() == "move (10, *, *, *, *, *, *)"
    line.fill("set_fir")
    line.press("Tab")
    one.until("document.querySelector(\"[data-id='command-line']\").value === 'set_first_joint '")
    assert "joint" in at(one, "usage").inner_text()


def test_the_loop_is_watched_paused_and_made_to_step(open_panel: OpenPanel) -> None:
    one = open_panel("messages")
    one.until("/\\d+ Hz/.test(document.querySelector(\"[data-id='health'] dd\").textContent)")
    one.until("document.querySelector(\"[data-id='health']\").textContent.includes('ms')")
    one.ask("app.connection.command('move @4000;(90, *, *, *, *, *, *)')")
    one.until("app.room.states.get('arm').q[0] > 0.001")
    at(one, "pause").click()
    one.until("document.querySelector(\"[data-id='pause']\").textContent === 'Go on'")
    one.frames()
    before = one.ask("app.room.tick")
    for _ in range(3):
        at(one, "one-tick").click()
    one.until("app.room.tick > arg", before)
    one.frames()
    assert one.ask("app.room.tick") <= before + 4  # the page need not have seen the very last one
    at(one, "pause").click()
    one.ticks(10)


def test_the_connection_says_who_drives_and_how_others_come(open_panel: OpenPanel) -> None:
    one = open_panel("share")
    assert at(one, "holder").inner_text() == "You are driving."
    assert "robotix run --lan" in at(one, "lan").inner_text()
    at(one, "share-give").click()
    one.until("!app.control.isMine")
    at(one, "share-take").click()
    one.until("app.control.isMine")


def test_help_draws_the_keys_and_escape_closes_it(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.page.locator("body").click(position={"x": 640, "y": 400})
    one.page.keyboard.press("F1")
    one.until("document.querySelector(\"[data-id='help']\").open")
    key = one.page.locator(".p-key.room").first
    assert key.inner_text() == "J"
    assert "undo" in at(one, "help").inner_text().lower()
    one.page.keyboard.press("Escape")
    one.until("!document.querySelector(\"[data-id='help']\").open")


# -- for everybody ----------------------------------------------------------------------------

CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text()
PANELS = ("teach", "figures", "tree", "view", "messages", "share")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_and_controls_have_names(open_panel: OpenPanel, scheme: str) -> None:
    one = open_panel("teach")
    one.ask("app.shell.theme = arg", scheme)
    for panel in PANELS:
        one.ask("app.shell.open(arg, true)", panel)
        one.page.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true })"
        )
        one.ask("app.selection.choose('table')")
        one.ticks(12)
        one.until("document.getAnimations().length === 0")  # colours go over into each other
        found = one.page.evaluate(CONTRASTS, f"#panel-{panel}")
        assert found == {"pale": [], "nameless": []}, json.dumps(found, indent=1)


def test_panels_fit_a_phone(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for panel in PANELS:
        one.ask("app.shell.open(arg, true)", panel)
        one.ticks(6)
        box = one.page.locator(f"#panel-{panel}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert box["y"] + box["height"] <= PHONE[1]
        wide = one.page.evaluate(
            "(id) => { const body = document.querySelector(id + ' .panel-body');"
            " return body.scrollWidth - body.clientWidth }",
            f"#panel-{panel}",
        )
        assert wide <= 0
    one.page.set_viewport_size({"width": BIG[0], "height": BIG[1]})
