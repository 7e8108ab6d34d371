"""The wizard: a robot clicked together in the page is one that Python loads."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser.conftest import Keeper, Opened, Served
from playwright.sync_api import Locator

import robotix as rx

SCENE = """\
robotix: 1
name: Workshop
robots:
  toy: {model: planar_3r, at: [0, 2, 0]}
objects:
  ball: {sphere: 0.06, at: [0.55, 0.3, 0.9]}
"""
BIG = (1280, 720)
CONTRASTS = (Path(__file__).parent / "panels" / "contrasts.js").read_text()
PHONE, TABLET = (390, 844), (820, 1180)
DIALOG = "document.querySelector(\"dialog[data-id='wizard']\")"
POINTS = [(0, 0, 0), (0, 0, 0.35), (0.35, 0, 0.6), (0.65, 0, 0.45), (0.65, 0, 0.25)]
CUBE = [(x, y, z) for x in (0, 80) for y in (0, 80) for z in (0, 120)]  # mm
FACES = [  # of the cube, outwards
    *[(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)],
    *[(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)],
]
AFTER_ALL_THAT_WAITS = "() => new Promise((go) => setTimeout(go, 0))"  # first come, first served


@pytest.fixture(scope="module")
def room(keeper: Keeper) -> Served:
    """Serve one room for all tests."""
    return keeper.room(SCENE)


@pytest.fixture
def wizard(room: Served, keeper: Keeper) -> Iterator[Opened]:
    """Open the wizard in a page that is in control; the room itself need not be drawn."""
    one = keeper.page(room, size=BIG, is_drawn=False, has_touch=True)
    one.resize(BIG)
    one.until("app.control.isMine")
    start_wizard(one)
    yield one
    if one.page.locator("dialog[open]").count():
        one.page.evaluate(f"() => {DIALOG}.close()")
    assert one.errors == []


def start_wizard(one: Opened) -> None:
    """Open the wizard."""
    one.page.locator("#tool-wizard").click()
    at(one, "wizard-name").wait_for()


def at(one: Opened, name: str) -> Locator:
    """Return the element that tests know by a name, once forms show what was done before."""
    one.page.evaluate(AFTER_ALL_THAT_WAITS)
    return one.page.locator(f"[data-id='{name}']").first


def draft(one: Opened) -> dict[str, Any]:
    """Return what has been built so far."""
    found: dict[str, Any] = one.page.evaluate(f"{DIALOG}.bench.draft")
    return found


def spot(one: Opened, point: tuple[float, float, float]) -> tuple[float, float]:
    """Return where a point of the robot is on the screen."""
    found = one.page.evaluate(f"(point) => {DIALOG}.workshop.onScreen(point)", list(point))
    return found["x"], found["y"]


def click(one: Opened, point: tuple[float, float, float]) -> None:
    """Click a point of the robot."""
    one.page.mouse.click(*spot(one, point))


def click_arm(one: Opened, name: str) -> None:
    """Name a robot and click its five points."""
    at(one, "wizard-name").fill(name)
    at(one, "start-points").click()
    for count, point in enumerate(POINTS, start=1):
        click(one, point)
        one.until(f"{DIALOG}.bench.draft.parts.length === arg", count)


def next_step(one: Opened, step: str) -> None:
    """Go on, to the step that comes."""
    at(one, "wizard-next").click()
    one.until("document.querySelector(`[data-id=step-${arg}]`).ariaCurrent === 'step'", step)


def test_four_joints_are_clicked_tried_saved_and_loaded(wizard: Opened, room: Served) -> None:
    click_arm(wizard, "clicked")
    assert [part["name"] for part in draft(wizard)["parts"]] == [
        *("base", "link1", "link2", "link3", "link4")
    ]
    next_step(wizard, "joints")
    at(wizard, "joint-of-link4").click()
    at(wizard, "axis-x").click()
    at(wizard, "range-lower").fill("-90")
    at(wizard, "range-lower").press("Tab")
    next_step(wizard, "try")
    x, y = spot(wizard, (0.65, 0, 0.3))
    wizard.page.mouse.move(x, y)
    wizard.page.mouse.down()
    wizard.page.mouse.move(x - 80, y - 60, steps=5)
    wizard.page.mouse.up()
    tried = dict(wizard.page.evaluate(f"[...{DIALOG}.bench.joints]"))
    assert max(map(abs, tried.values())) > 0.05
    next_step(wizard, "save")
    at(wizard, "room-x").fill("1")
    at(wizard, "room-y").fill("-1")
    at(wizard, "save-robot").click()
    path = Path(at(wizard, "saved-path").inner_text())
    assert path == room.scene.with_name("clicked.urdf")
    check_clicked(path)
    wizard.until("app.room.robots.has('clicked') && app.room.active === 'clicked'")
    assert wizard.ask("app.room.robots.get('clicked').joints.length") == 4
    wizard.until("Math.abs(app.room.node('clicked').object.position.y + 1) < 1e-3")
    assert "in the room’s file" in at(wizard, "written-in").inner_text()
    written = room.scene.read_text()
    assert "clicked: {model: clicked.urdf, tip: tcp, at: [1, -1, 0]" in written
    at(wizard, "wizard-done").click()
    wizard.until("document.querySelector('dialog[open]') === null")
    wizard.ask("app.connection.command('joint joint2; 30')")
    wizard.until("Math.abs(app.room.states.get('clicked').q[1] - Math.PI / 6) < 1e-3")


def check_clicked(path: Path) -> None:
    """Compare the robot in a file with what was clicked."""
    model = rx.load(os.fspath(path))
    assert model.dof_names == ("joint1", "joint2", "joint3", "joint4")
    assert math.isclose(math.degrees(model.lower[3]), -90)
    straight = rx.Posture(model, np.zeros(4))
    np.testing.assert_allclose(straight.position(), POINTS[-1], atol=1e-9)
    np.testing.assert_allclose(straight.position("link3"), POINTS[2], atol=1e-9)
    # A quarter turn of the upright joint takes the tip from x to y.
    turned = rx.Posture(model, [math.pi / 2, 0, 0, 0])
    np.testing.assert_allclose(turned.position(), [0, 0.65, 0.25], atol=1e-9)
    # The last joint, at (0.65, 0, 0.45), was made to turn about x: what hangs comes to stand.
    last = rx.Posture(model, [0, 0, 0, -math.pi / 2])
    np.testing.assert_allclose(last.position(), [0.65, -0.2, 0.45], atol=1e-9)


def test_axes_are_chosen_and_moved_in_the_picture(wizard: Opened) -> None:
    click_arm(wizard, "axes")
    next_step(wizard, "joints")
    at(wizard, "joint-of-link2").click()

    def held() -> dict[str, Any]:
        found: dict[str, Any] = draft(wizard)["parts"][2]["held"]
        return found

    assert held()["axis"] == [0, 1, 0]
    click(wizard, (0.17, 0, 0.35))  # the arrow of x
    wizard.until(f"{DIALOG}.bench.draft.parts[2].held.axis[0] === 1")
    click(wizard, (0, 0, 0.2))  # the side of the upright link: its own axis
    wizard.until(f"{DIALOG}.bench.draft.parts[2].held.axis[2] === 1")
    assert held()["point"][:2] == [0, 0]
    before = held()["point"][2]
    x, y = spot(wizard, (0, 0, before + 0.12))
    above = spot(wizard, (0, 0, before + 0.32))
    wizard.page.mouse.move(x, y)
    wizard.page.mouse.down()
    wizard.page.mouse.move(*above, steps=4)
    wizard.page.mouse.up()
    assert abs(held()["point"][2] - before - 0.2) < 0.03
    for _ in range(3):
        wizard.page.keyboard.press("Control+z")
    wizard.until(f"{DIALOG}.bench.draft.parts[2].held.axis[1] === 1")
    wizard.page.keyboard.press("Control+y")
    wizard.until(f"{DIALOG}.bench.draft.parts[2].held.axis[0] === 1")


def test_a_robot_of_shapes_and_a_mesh_by_keyboard_alone(
    wizard: Opened, room: Served, tmp_path: Path
) -> None:
    file = tmp_path / "Finger tip.stl"
    file.write_bytes(stl())
    at(wizard, "wizard-name").fill("shapes")
    at(wizard, "start-shapes").press("Enter")
    at(wizard, "add-cylinder").press("Enter")
    at(wizard, "add-box").press("Enter")
    at(wizard, "tab-file").press("Enter")
    at(wizard, "mesh-file").set_input_files(file)
    wizard.until(f"{DIALOG}.bench.draft.parts.length === 3")
    part = draft(wizard)["parts"][2]
    assert part["name"] == "Finger_tip"
    assert part["solids"][0]["shape"] == {"kind": "file", "file": "Finger_tip.stl", "scale": 0.001}
    at(wizard, "at-z").fill("0.4")
    at(wizard, "at-z").press("Enter")
    wizard.page.keyboard.press("Alt+ArrowRight")
    at(wizard, "joint-of-Finger_tip").press("Enter")
    at(wizard, "joint-type").select_option("prismatic")
    at(wizard, "range-upper").locator("xpath=..").filter(has_text="mm").wait_for()  # made anew
    at(wizard, "range-upper").fill("150")
    at(wizard, "range-upper").press("Enter")
    wizard.until(f"Math.abs({DIALOG}.bench.draft.parts[2].held.upper - 0.15) < 1e-9")
    wizard.page.keyboard.press("Alt+ArrowRight")
    wizard.page.keyboard.press("Alt+ArrowRight")
    at(wizard, "into-room").press("Space")
    at(wizard, "save-robot").press("Enter")
    path = Path(at(wizard, "saved-path").inner_text())
    model = rx.load(os.fspath(path))
    assert model.n_dof == 2
    assert math.isclose(model.upper[1], 0.15)
    (box,) = model.body("Finger_tip").collision
    np.testing.assert_allclose(box.size, [0.08, 0.08, 0.12], atol=1e-6)  # type: ignore[union-attr]
    assert (path.parent / "shapes_meshes" / "Finger_tip.stl").read_bytes() == file.read_bytes()
    at(wizard, "save-robot").press("Enter")  # once more: it is there already
    assert "already exists" in at(wizard, "save-problem").inner_text()
    wizard.errors.clear()  # the browser tells of the refusal, too
    at(wizard, "replace").press("Enter")
    at(wizard, "saved-path").wait_for()


def stl() -> bytes:
    """Return a cube as a binary STL file."""
    corners = [[CUBE[i] for i in face] for face in FACES]
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(v for corner in face for v in corner), 0)
        for face in corners
    )
    return bytes(80) + struct.pack("<I", len(FACES)) + body


def test_what_cannot_go_on_is_said(wizard: Opened, tmp_path: Path) -> None:
    at(wizard, "wizard-name").fill("123")
    at(wizard, "wizard-next").click()
    assert "starts with a letter" in at(wizard, "wizard-problem").inner_text()
    at(wizard, "wizard-name").fill("later")
    next_step(wizard, "parts")
    at(wizard, "wizard-next").click()
    assert "at least two parts" in at(wizard, "wizard-problem").inner_text()
    at(wizard, "tab-file").click()
    broken = tmp_path / "broken.stl"
    broken.write_bytes(stl()[:-7])
    at(wizard, "mesh-file").set_input_files(broken)
    wizard.until("document.querySelector('[data-id=wizard-problem]').textContent.includes('cut')")
    wizard.errors.clear()  # the browser tells of the refusal, too


def test_leaving_without_saving_takes_two(wizard: Opened) -> None:
    at(wizard, "start-example").click()
    wizard.until(f"{DIALOG}.bench.draft.parts.length === 5")
    wizard.page.keyboard.press("Escape")
    at(wizard, "wizard-problem").filter(has_text="without saving").wait_for()
    wizard.page.keyboard.press("Escape")
    wizard.until("document.querySelector('dialog[open]') === null")


def test_the_wizard_fits_a_phone_and_can_be_read(wizard: Opened) -> None:
    one = wizard
    one.resize(PHONE)
    check_looks(one)
    at(one, "start-shapes").tap()
    check_looks(one)  # parts, none so far
    at(one, "wizard-back").tap()
    at(one, "start-example").tap()
    check_looks(one)  # parts, and the one that is chosen
    for step in ("joints", "try", "save"):
        next_step(one, step)
        check_looks(one)
    canvas = at(one, "workshop").bounding_box()
    assert canvas is not None
    assert canvas["height"] > 250


def check_looks(one: Opened) -> None:
    """See that nothing is cut off at the side, nor too pale, in light and dark."""
    wide = one.page.evaluate(
        "() => { const body = document.querySelector('.w-body');"
        " return body.scrollWidth - body.clientWidth }"
    )
    assert wide <= 0
    for theme in ("light", "dark"):
        one.ask("app.shell.theme = arg", theme)
        one.until("document.getAnimations().length === 0")
        assert one.page.evaluate(CONTRASTS, "dialog[data-id=wizard]") == {
            "pale": [],
            "nameless": [],
        }


def test_on_an_upright_tablet_the_picture_is_wide_enough_for_an_arm(wizard: Opened) -> None:
    wizard.resize(TABLET)
    wizard.until(f"{DIALOG}.querySelector('canvas').clientWidth === innerWidth")
    click_arm(wizard, "on_a_tablet")
    assert len(draft(wizard)["parts"]) == len(POINTS)
