"""The pictures of the documentation: taken in a real browser, and kept as they are in the docs.

`ROBOTIX_UPDATE_PICTURES=1 pytest tests/browser/test_screenshots.py` takes them anew.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from browser.conftest import Opened, OpenPage, Served, ServeRoom
from PIL import Image

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
UPDATE = bool(os.environ.get("ROBOTIX_UPDATE_PICTURES"))
DESK, PHONE = (1280, 720), (390, 844)
CELLS = 16  # pictures are compared by the mean colour of so many parts a side
LIKE = 0.06  # mean difference of colours in 0..1; another driver shades edges differently


@pytest.fixture(scope="module")
def flat(serve_module: ServeRoom) -> Served:
    """The room that `robotix run` shows."""
    return serve_module("")


def test_the_flat(flat: Served, open_page: OpenPage) -> None:
    page = open_page(flat, sharpness=1, size=DESK, scheme="light")
    _compare(page, "client_flat")


def test_the_teach_panel(flat: Served, open_page: OpenPage) -> None:
    page = open_page(flat, sharpness=1, size=DESK, scheme="dark")
    page.ask("app.shell.open('teach', true)")
    page.ask("app.stage.goTo('beside')")
    _compare(page, "client_teach")


def test_from_the_seat(flat: Served, open_page: OpenPage) -> None:
    page = open_page(flat, sharpness=1, size=DESK, scheme="light")
    page.ask("app.stage.goTo('seat')")
    _compare(page, "client_seat")


def test_on_a_phone(flat: Served, open_page: OpenPage) -> None:
    page = open_page(flat, sharpness=1, size=PHONE, scheme="dark", has_touch=True)
    _compare(page, "client_phone")


def _compare(page: Opened, name: str) -> None:
    page.page.add_style_tag(content=".toasts { display: none }")  # a busy machine complains
    page.until("app.room.skins.length > 0")
    page.frames(6)
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
