"""The first minutes at a page: a tour, words that help, a view that nothing covers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import Keeper, Opened, OpenPage, Served

SCENE = """\
robotix: 1
name: First steps
devices: {stick: translate3}
robots:
  arm: {model: kuka_lwr, at: [0, 0, 0.4], q_deg: [0, 30, 0, -70, 0, 50, 0]}
objects:
  floor: {plane: true}
  view: {viewpoint: {field_of_view_deg: 50}, at: [2.5, -2, 1.6], rpy_deg: [0, 15, 140]}
rules:
  - {name: reach up, when: {key: "2"}, do: {move: {to_deg: [0, 0, 0, -20, 0, 20, 0]}}}
  - {name: wave, when: {key: T}, do: {move: {to_deg: [30, 30, 0, -70, 0, 50, 0]}}}
"""
SIZE, PHONE, TABLET = (1280, 720), (390, 844), (820, 1180)
# Slower than a key is held without a word, but bearable where heartbeats are late.
TRUST = "trust:\n  keyboard: {quiet: 0.5, lost: 0.9}\n"
STALL_MS = 1300


@pytest.fixture(scope="module")
def room(keeper: Keeper, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """One room for all tests here."""
    file = _strict_devices(tmp_path_factory.mktemp("devices"))
    return keeper.room(SCENE, "--devices", str(file))


def _strict_devices(folder: Path) -> Path:
    from importlib.resources import files

    usual = files("robotix.devices").joinpath("data/default_devices.yaml").read_text("utf-8")
    file = folder / "devices.yaml"
    file.write_text(usual.replace("trust:\n", TRUST), "utf-8")
    return file


@pytest.fixture
def page(room: Served, open_page: OpenPage) -> Iterator[Opened]:
    """A page that nobody has used before, in control."""
    one = open_page(room, size=SIZE, is_drawn=False)
    one.ask("app.control.ask(true)")
    one.until("app.control.isMine")
    yield one
    one.ask("app.connection.command('stop all')")


def _step(page: Opened) -> str:
    return str(page.page.locator(".p-tour").get_attribute("data-step"))


def test_the_tour_has_one_look_move_act_and_stop(page: Opened) -> None:
    page.page.click("[data-id=start-tour]")
    assert _step(page) == "look"
    page.page.mouse.move(300, 300)
    page.page.mouse.down()
    page.page.mouse.move(420, 300, steps=4)
    page.page.mouse.up()
    page.until("document.querySelector('.p-tour').dataset.step === 'move'")
    page.page.keyboard.down("ArrowDown")
    page.until("document.querySelector('.p-tour').dataset.step === 'act'")
    page.page.keyboard.up("ArrowDown")
    assert "press 2" in page.page.locator("[data-id=tour-words]").inner_text()
    page.page.keyboard.press("2")
    page.until("document.querySelector('.p-tour').dataset.step === 'stop'")
    page.page.keyboard.press("Escape")
    page.until("document.querySelector('.p-tour').dataset.step === 'done'")


def test_what_the_arm_does_by_itself_is_no_step_of_the_tour(page: Opened) -> None:
    page.page.click("[data-id=start-tour]")
    page.page.click(".p-tour button >> nth=0")
    assert _step(page) == "move"
    page.ask("app.connection.command('move @60;(40, 30, 0, -70, 0, 50, 0)')")
    page.until("app.room.states.get('arm').q[0] > 0.6 && !app.room.states.get('arm').is_moving")
    assert _step(page) == "move"
    page.page.keyboard.down("ArrowDown")
    page.until("document.querySelector('.p-tour').dataset.step === 'act'")
    page.page.keyboard.up("ArrowDown")


def test_fingers_are_told_what_to_tap(room: Served, open_page: OpenPage) -> None:
    page = open_page(room, size=PHONE, is_drawn=False, has_touch=True)
    page.ask("app.control.ask(true)")
    page.until("app.control.isMine")
    page.page.click("[data-id=start-tour]")
    said = []
    for _ in range(5):
        said.append(page.page.locator("[data-id=tour-words]").inner_text())
        page.page.click(".p-tour button:visible >> nth=0")
    words = " ".join(said)
    assert "tap “reach up” below" in words and "tap the red Stop" in words
    assert not re.search(r"\b(mouse|click|press|key|Esc|F1)\b", words, re.IGNORECASE)
    assert page.page.locator(".action[data-key='2']").is_visible()


def test_slow_drawing_drops_no_key(page: Opened) -> None:
    page.ask(
        "void (window.heard = [], app.connection.on('said', (m) => window.heard.push(m.text)))"
    )
    page.page.keyboard.down("ArrowDown")
    page.until("app.room.states.get('arm').tracked_by === 'stick'")
    busy = "(() => { const end = performance.now() + arg; while (performance.now() < end); })()"
    page.ask(busy, STALL_MS)
    page.ticks(5)
    assert page.ask("app.room.states.get('arm').tracked_by") == "stick"
    assert not page.ask("window.heard.some((text) => text.includes('is gone'))")
    page.page.keyboard.up("ArrowDown")


def test_the_view_is_framed_beside_the_panel_from_the_first_viewpoint(page: Opened) -> None:
    page.ask("app.shell.open('teach', true)")
    page.frames(3)
    middle = """(() => {
      const { camera, canvas } = app.stage
      const ahead = camera.getWorldDirection(camera.position.clone())
      const seen = camera.position.clone().addScaledVector(ahead, 3).project(camera)
      return (seen.x + 1) / 2 * canvas.clientWidth
    })()"""
    left = page.ask("document.querySelector('#panel-teach').getBoundingClientRect().left")
    assert page.ask(middle) == pytest.approx(left / 2, abs=3)
    eye = page.ask("app.room.root.worldToLocal(app.stage.camera.position.clone()).toArray()")
    assert eye[0] > 1.5 and eye[1] < -1  # where the viewpoint of the file is, or farther back


def test_tooltips_name_keys_that_work_here(page: Opened) -> None:
    titles = {}
    for name in ("Teach", "Messages"):
        button = page.page.locator(f".rail button[aria-label='{name}']")
        button.hover()
        titles[name] = button.get_attribute("title")
    assert titles["Messages"] == "Messages (m)"
    teach = re.fullmatch(r"Teach \((Alt\+\d)\)", titles["Teach"] or "")  # the room has T
    assert teach is not None
    page.ask("app.shell.open('teach', false)")
    page.page.keyboard.press(teach[1])
    page.until("!document.querySelector('#panel-teach').hidden")


def test_who_takes_control_is_said_and_keys_of_watchers_are_answered(
    page: Opened, room: Served, open_page: OpenPage
) -> None:
    other = open_page(room, size=SIZE, is_drawn=False)
    assert other.page.locator("[data-id=greeting]").count() == 0  # there is nothing to drag
    said = "[...document.querySelectorAll('.toast')].some((t) => t.textContent.includes(arg))"
    other.page.keyboard.press("ArrowUp")
    other.until(said, "You are watching")
    other.page.keyboard.press("F1")
    other.page.click("[data-id=help] [data-id=start-tour]")
    assert _step(other) == "control"
    other.page.click("#lease")
    page.until(said, "has taken control")
    other.until("document.querySelector('.p-tour').dataset.step === 'look'")
    page.page.click(".action-toggle")
    page.page.click(".action[data-key='2']")
    page.until(said, "You are watching")


def test_mistakes_of_the_page_are_shown_without_their_names(page: Opened) -> None:
    page.ask(
        "void window.dispatchEvent(new ErrorEvent('error', {message: arg}))",
        "Uncaught TypeError: x is undefined",
    )
    toast = page.page.locator(".toast.problem").last
    assert "page failed" in toast.inner_text() and "TypeError" not in toast.inner_text()
    log = page.page.locator("[data-id=log]").text_content() or ""
    assert "TypeError: x is undefined" in log


def test_on_a_phone_questions_are_not_covered_by_words(room: Served, open_page: OpenPage) -> None:
    page = open_page(room, size=PHONE, is_drawn=False, has_touch=True)
    page.ask("app.control.ask(true)")
    page.until("app.control.isMine")
    page.page.click("#tool-reset")
    page.ask("app.shell.toast('The table is laid, and somebody has something to say about it.')")
    page.frames(2)
    toast = page.page.locator(".toast").last.bounding_box()
    banner = page.page.locator("#banner-reset").bounding_box()
    assert toast is not None and banner is not None
    assert toast["y"] >= banner["y"] + banner["height"]
    page.page.locator("#banner-reset").get_by_role("button", name="Cancel").click()
    page.until("document.querySelector('.toast').getBoundingClientRect().top < 80")


def test_nothing_in_the_bar_of_a_tablet_covers_another(
    page: Opened, room: Served, open_page: OpenPage
) -> None:
    watcher = open_page(room, size=TABLET, is_drawn=False, has_touch=True)
    watcher.page.evaluate("document.querySelector('.slow-sign').hidden = false")
    watcher.page.evaluate("document.querySelector('.slow-sign').textContent = 'slow: 0.3×'")
    boxes = [
        watcher.page.locator(name).bounding_box()
        for name in (".room-name", ".slow-sign", ".tools", "#lease")
    ]
    for one, other in itertools.combinations(boxes, 2):
        assert one is not None and other is not None
        is_beside = one["x"] + one["width"] <= other["x"] + 0.5
        is_above = min(one["y"] + one["height"], other["y"] + other["height"]) <= max(
            one["y"], other["y"]
        )
        assert is_beside or is_above, (one, other)
