"""Figures, views, things, words, help; for every eye and every hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser.conftest import Opened
from browser.panels.conftest import (
    BIG,
    KEEP_LINES,
    NO_PICTURE,
    PHONE,
    OpenPanel,
    at,
    unfold,
)

from robotix.server.wire.qr_code import qr_image

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


def test_the_read_out_is_that_of_the_robot(open_panel: OpenPanel) -> None:
    one = open_panel("figures")
    one.until("document.querySelector('[data-id=readout-position]').textContent.endsWith('mm')")
    text = at(one, "readout-position").inner_text().removesuffix(" mm")
    tip = one.ask("app.room.states.get('arm').tip")
    np.testing.assert_allclose([float(v) / 1000 for v in text.split()], tip, atol=1e-4)
    q = one.ask("app.room.states.get('arm').q")
    rows = at(one, "readout-joints").locator("tr")
    assert rows.count() == len(q)
    assert "…" in rows.first.inner_text()
    assert len(at(one, "readout-orientation").inner_text().split()) == 4  # three angles and °
    assert "left" in at(one, "readout-limit").inner_text()


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


def test_the_room_is_saved_by_a_button(open_panel: OpenPanel) -> None:
    one = open_panel("tree")
    one.page.evaluate(KEEP_LINES)
    at(one, "save-room").click()
    one.until("window.lines.some(([, line]) => line === 'save_room')")


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
    assert one.ask("app.room.tick") <= before + 12  # it may not have seen the last ones
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


def test_the_address_for_other_machines_comes_with_its_qr_code(open_panel: OpenPanel) -> None:
    one = open_panel("share")
    before = one.ask("app.connection.welcome")
    address = "https://192.168.0.17:8443"
    _receive(one, before | {"lan": address, "lan_qr": qr_image(address)})
    one.until("document.querySelector('.p-qr').naturalWidth > 0")
    assert at(one, "lan").locator("code").inner_text() == address
    _receive(one, before)
    one.until("document.querySelector('.p-qr') === null")


def _receive(one: Opened, message: dict[str, Any]) -> None:
    """Let the page receive a message."""
    one.ask(
        "sockets.at(-1).dispatchEvent(new MessageEvent('message', {data: arg}))",
        json.dumps(message),
    )


def test_help_draws_the_keys_and_escape_closes_it(open_panel: OpenPanel) -> None:
    one = open_panel("teach")
    one.page.locator("body").click(position={"x": 640, "y": 400})
    one.page.keyboard.press("F1")
    one.until("document.querySelector(\"[data-id='help']\").open")
    assert one.page.locator(".p-key.room", has_text="J").count() == 1
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_help_can_be_read(open_panel: OpenPanel, scheme: str) -> None:
    one = open_panel("teach")
    one.ask("app.shell.theme = arg", scheme)
    one.page.locator("#tool-help").click()
    one.until("document.getAnimations().length === 0")
    found = one.page.evaluate(CONTRASTS, "[data-id=help]")
    one.page.keyboard.press("Escape")
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
