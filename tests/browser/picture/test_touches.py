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
