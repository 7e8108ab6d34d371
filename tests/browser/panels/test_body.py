"""What a person's back carries is seen while it is lifted: in the panel and in the room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import Keeper, Opened
from browser.panels.conftest import BIG, NO_PICTURE, PHONE, at
from playwright.sync_api import TimeoutError

SCENE = Path(__file__).parents[3] / "examples" / "scenes" / "lift.yaml"
CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text()
MARKS = "app.room.root.getObjectByName('balance of carl')"
CARL = "app.people.states.get('carl')"
# Notes the highest compression, and how wide the bar was then.
WATCH_BAR = """() => {
  const app = window.robotix
  window.seen = { force: 0, width: 0, low: Infinity, levels: [] }
  app.people.onChange(() => {
    const back = app.people.states.get('carl')?.back
    if (!back) return
    const fill = document.querySelector("[data-id='compression'] .b-fill")
    window.seen.low = Math.min(window.seen.low, back.compression)
    window.seen.levels.push(back.level)
    if (back.compression < window.seen.force) return
    window.seen.force = back.compression
    window.seen.width = parseFloat(fill.style.width)
  })
}"""


@pytest.fixture
def shared(keeper: Keeper) -> Iterator[Opened]:
    """Open the example in which somebody lifts boxes, the panel open and figures there."""
    room = keeper.room(SCENE.read_text())
    one = keeper.page(room, size=BIG, sharpness=1)
    one.page.evaluate(NO_PICTURE)
    one.until("app.control.isMine && app.room.skins.length > 0")
    one.ask("app.shell.open('body', true)")
    try:
        one.until(f"{CARL} !== undefined")
    except TimeoutError as error:
        error.add_note("the room said:\n" + "".join(room.lines))
        raise
    yield one
    assert one.errors == []


def lift_again(one: Opened) -> None:
    """Let Carl lift the next box."""
    one.until("!app.room.states.get('carl').is_moving")
    one.page.locator("body").click(position={"x": 400, "y": 500})
    one.page.keyboard.down("1")
    one.until("app.room.states.get('carl').is_moving")
    one.page.keyboard.up("1")


def test_the_bar_rises_and_falls_with_the_load_of_the_back(shared: Opened) -> None:
    one = shared
    one.ask("app.connection.command('stop all')")
    one.page.evaluate(WATCH_BAR)
    lift_again(one)
    one.until("window.seen.levels.includes(2)")  # above the action limit
    one.until(f"{CARL}.load === 0 && !app.room.states.get('carl').is_moving")
    seen = one.page.evaluate("window.seen")
    assert seen["low"] < 1500 and seen["force"] > 3400
    top = 1.2 * 6400
    assert seen["width"] == pytest.approx(100 * seen["force"] / top, abs=0.1)
    meter = at(one, "compression")
    assert "N, " in (meter.get_attribute("aria-valuetext") or "")
    marks = one.page.eval_on_selector_all(
        "[data-id='compression'] .b-mark", "(all) => all.map((each) => parseFloat(each.style.left))"
    )
    assert marks == pytest.approx([100 * 3400 / top, 100 * 6400 / top], abs=0.1)


def test_the_curve_keeps_what_was(shared: Opened) -> None:
    drawn = shared.page.evaluate(
        """() => {
          const canvas = document.querySelector("[data-id='load-curve']")
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
          return data.filter((value, k) => k % 4 === 3 && value > 200).length
        }"""
    )
    assert drawn > 500  # pixels: limits and the curve


def test_figures_are_told_in_words(shared: Opened) -> None:
    one = shared
    one.until("document.querySelectorAll(\"[data-id='scores'] li\").length === 3")
    assert [each.split()[1] for each in one.page.locator(".b-scores li").all_inner_texts()] == [
        "RULA",
        "REBA",
        "OWAS",
    ]
    assert "feet" in at(one, "doing").inner_text()
    joints = one.page.locator(".b-strain").all_inner_texts()
    assert 3 <= len(joints) <= 7 and all("N m" in each for each in joints)
    assert at(one, "moment").inner_text().endswith("N m")
    assert float(at(one, "margin").get_attribute("aria-valuenow") or "nan") == pytest.approx(
        1000 * one.ask(f"{CARL}.margin"), abs=1
    )


def test_the_support_and_the_bar_are_drawn_in_the_room(shared: Opened) -> None:
    one = shared
    one.until(f"{MARKS}?.visible === true")
    corners = one.ask(f"{MARKS}.children[0].geometry.getAttribute('position').count")
    assert corners == one.ask(f"{CARL}.polygon.length") > 3
    bar = f"{MARKS}.getObjectByName('back load')"
    assert one.ask(f"{bar}.isSprite && {bar}.visible")
    image = one.ask(
        f"""(() => {{ const image = {bar}.material.map.image
        const data = image.getContext('2d').getImageData(0, 0, image.width, image.height).data
        return new Set(data).size }})()"""
    )
    assert image > 20  # colours: it is drawn
    one.ask("app.overlays.get('balance').toggle(false)")
    assert one.ask(f"{MARKS} === undefined")
    one.ask("app.overlays.get('balance').toggle(true)")
    one.until(f"{MARKS}?.visible === true")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out(shared: Opened, scheme: str) -> None:
    shared.ask("app.shell.theme = arg", scheme)
    shared.ticks(12)
    shared.until("document.getAnimations().length === 0")
    found = shared.page.evaluate(CONTRASTS, "#panel-body")
    assert found == {"pale": [], "nameless": []}, json.dumps(found, indent=1)


def test_the_panel_fits_a_phone(shared: Opened) -> None:
    one = shared
    one.resize(PHONE)
    one.ticks(6)
    wide = one.page.evaluate(
        "() => { const body = document.querySelector('#panel-body .panel-body');"
        " return body.scrollWidth - body.clientWidth }"
    )
    one.resize(BIG)
    assert wide <= 0


def test_nobody_is_asked_for_when_nobody_looks(shared: Opened) -> None:
    one = shared
    one.ask("app.overlays.get('balance').toggle(false)")
    one.page.locator("body").click(position={"x": 400, "y": 500})
    one.page.keyboard.press("b")  # closes the panel
    one.until("app.people.states.size === 0 && app.people.chosen === ''")
    one.page.keyboard.press("b")
    one.until(f"{CARL} !== undefined")
    one.ask("app.overlays.get('balance').toggle(true)")
