"""Contact forces and connections are drawn where they act, and only while they are wanted."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from browser.conftest import Keeper, Opened
from PIL import Image

SCENES = Path(__file__).parents[3] / "examples" / "scenes"
ORANGE = (
    "app.room.root.children.filter((c) => c.isMesh && c.visible && c.renderOrder === 11).length"
)


def _orange_pixels(page: Opened) -> int:
    page.still()
    picture = np.asarray(Image.open(io.BytesIO(page.page.screenshot())).convert("RGB"), dtype=int)
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    return int(((red > 220) & (abs(green - 157) < 30) & (blue < 90)).sum())


def test_contact_forces_of_a_stack(keeper: Keeper) -> None:
    page = keeper.page(keeper.room((SCENES / "tumbling_stack.yaml").read_text()))
    page.ask("app.stage.goTo('view')")
    before = _orange_pixels(page)
    page.ask("app.overlays.get('forces').toggle(true)")
    page.until(f"{ORANGE} >= 40")  # ten blocks with four contacts each
    for _ in range(20):  # arrows are thin in a coarse picture, and come with one of the next ones
        shown = _orange_pixels(page) - before
        if shown > 40:
            break
        page.frames(3)
    assert shown > 40
    page.ask("app.overlays.get('forces').toggle(false)")
    assert page.ask(ORANGE) == 0
    assert page.errors == []


def test_a_connection_has_a_mark(keeper: Keeper) -> None:
    page = keeper.page(keeper.room((SCENES / "tray.yaml").read_text()))
    page.ask("app.overlays.get('forces').toggle(true)")
    page.until(
        "app.room.root.children.some((c) => c.isMesh && c.visible && c.renderOrder === 11 && "
        "Math.abs(c.position.x - 0.8) < 0.01 && Math.abs(c.position.z - 1.8) < 0.01)"
    )
    assert page.errors == []


TWO_BOXES = """
robotix: 1
objects:
  table: {box: [1, 1, 0.1]}
  cup: {box: [0.1, 0.1, 0.1], at: [0.2, 0.2, 0.5]}
rules:
  - {when: {collision: [cup, table]}, do: {say: touched}}
"""
FACES = "app.room.root.children.find((each) => each.name === 'touching faces')"


def test_faces_that_touch_are_red(keeper: Keeper) -> None:
    page = keeper.page(keeper.room(TWO_BOXES))
    page.ask("app.overlays.get('contacts').toggle(true)")
    page.until(f"{FACES} && !{FACES}.userData.count")
    page.ask("app.connection.command('place cup; (0.2, 0.2, 0.099)')")
    page.until(f"{FACES}.userData.count > 0")
    corners = page.ask(f"Array.from({FACES}.geometry.getAttribute('position').array)")
    places = np.reshape(corners, (-1, 3, 3))
    top = [t for t in places if np.allclose(t[:, 2], 0.05)]  # of the table
    bottom = [t for t in places if np.allclose(t[:, 2], 0.049, atol=1e-6)]  # of the cup
    assert top and len(bottom) == 2
    lid = [t for t in places if (t[:, 2] > 0.1).all()]
    assert lid == []  # what does not touch is not red
    page.ask("app.connection.command('place cup; (0.2, 0.2, 0.5)')")
    page.until(f"!{FACES}.userData.count")
    assert page.errors == []


def test_a_page_that_comes_later_sees_faces_that_touch_already(keeper: Keeper) -> None:
    page = keeper.page(keeper.room(TWO_BOXES.replace("0.2, 0.5]", "0.2, 0.099]")))
    page.ask("app.overlays.get('contacts').toggle(true)")
    page.until(f"{FACES} && {FACES}.userData.count > 0")
    assert page.errors == []
