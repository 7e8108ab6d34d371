"""Somebody opens the flat for the first time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import OpenPage, ServeRoom
from browser.driving.patience import patient_devices
from browser.newcomer.hands import Finger, Keys, Mouse, Screen
from browser.newcomer.newcomer import Newcomer

DESK, PHONE = (1280, 720), (390, 844)
MAX_PATIENCE = 400_000.0  # ms for one action, on a machine that is ten times too slow
WAYS: dict[str, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    "keys": ({"size": DESK}, Keys),
    "mouse": ({"size": DESK}, Mouse),
    "touch": ({"size": PHONE, "has_touch": True}, lambda page: Screen(page, Finger(page))),
}


@pytest.fixture
def arrive(serve: ServeRoom, open_page: OpenPage, tmp_path: Path) -> Callable[[str], Newcomer]:
    """Open the flat as somebody who comes for the first time."""

    def open_flat(way: str) -> Newcomer:
        options, hands = WAYS[way]
        served = serve("", "--devices", str(patient_devices(tmp_path)))
        page = open_page(served, is_drawn=False, **options)
        page.patience = MAX_PATIENCE
        someone = Newcomer(page, hands(page))
        someone.begin()
        return someone

    return open_flat
