"""The pictures of the documentation: taken in a real browser, and kept as they are in the docs.

`ROBOTIX_UPDATE_PICTURES=1 pytest tests/browser/test_screenshots.py` takes them anew.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from browser.conftest import READY, Keeper, Opened
from PIL import Image

LIFT = Path(__file__).parents[2] / "examples" / "scenes" / "lift.yaml"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
UPDATE = bool(os.environ.get("ROBOTIX_UPDATE_PICTURES"))
DESK, PHONE = (1280, 720), (390, 844)
CELLS = 16  # pictures are compared by the mean colour of so many parts a side
LIKE = 0.06  # mean difference of colours in 0..1; another driver shades edges differently


@pytest.fixture(scope="module")
def page(keeper: Keeper) -> Opened:
    """A page with the room that `robotix run` shows."""
    return keeper.page(keeper.room(""), sharpness=1, size=DESK, scheme="light")


def test_the_flat(page: Opened) -> None:
    _compare(page, "client_flat")


def test_from_the_seat(page: Opened) -> None:
    page.ask("app.stage.goTo('seat')")
    _compare(page, "client_seat")


def test_the_teach_panel(page: Opened) -> None:
    page.page.emulate_media(color_scheme="dark")
    page.ask("app.shell.open('teach', true)")
    page.ask("app.stage.goTo('beside')")
    _compare(page, "client_teach")


def test_on_a_phone(page: Opened) -> None:
    page.page.emulate_media(color_scheme="dark")
    page.resize(PHONE)
    page.page.reload()  # a phone begins without panels
    page.page.wait_for_function(READY)
    _compare(page, "client_phone")


def test_the_load_of_a_back(keeper: Keeper) -> None:
    page = keeper.page(keeper.room(LIFT.read_text()), sharpness=1, size=DESK, scheme="light")
    page.ask("app.stage.goTo('aside')")
    page.until("!document.querySelector('#panel-body').hidden")  # a room of people opens it
    page.until("app.control.isMine && app.people.states.size > 0")
    page.ask("app.connection.command('stop all')")
    page.until("!app.room.states.get('carl').is_moving")
    page.page.keyboard.down("1")
    page.until("app.room.states.get('carl').is_moving")
    page.page.keyboard.up("1")
    page.until("app.people.states.get('carl').load > 0")
    page.until("app.people.states.get('carl').back.level === 2")
    page.ask("app.connection.send({kind: 'pace', action: 'pause'})")
    page.page.evaluate("document.querySelector('[data-id=greeting] button:last-child')?.click()")
    try:
        _compare(page, "client_body")
    finally:
        keeper.close()  # nobody should find a room that stands still


def _compare(page: Opened, name: str) -> None:
    page.page.add_style_tag(content=".toasts, .slow-sign { display: none }")  # of a busy machine
    page.until("app.room.skins.length > 0")
    page.still()
    page.until("app.stage.stats.pixelRatio === 1")  # it is coarse while something moves
    shot = Image.open(io.BytesIO(page.page.screenshot())).convert("RGB")
    file = PICTURES / f"{name}.png"
    if UPDATE:
        shot.save(file, optimize=True)
    with Image.open(file) as kept:
        assert kept.size == shot.size
        difference = np.abs(_cells(kept.convert("RGB")) - _cells(shot)).mean()
    assert difference < LIKE, f"{name} looks different: {difference:.3f}"


def _cells(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.resize((CELLS, CELLS), Image.Resampling.BOX), dtype=float) / 255
