"""A newcomer brings a glass from one table to the other, by what the page says and nothing else.

The whole way takes a minute of the room, so it is walked by `make soak`; the suite takes the glass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.conftest import OpenPage, ServeRoom
from browser.driving.patience import patient_devices
from browser.newcomer.hands import Finger, Keys, Mouse, Screen
from browser.newcomer.newcomer import (
    GLASS,
    MARK,
    Newcomer,
    bring_a_glass,
    take_the_glass,
)

DESK, PHONE = (1280, 720), (390, 844)
MAX_PATIENCE = 400_000.0  # ms for one action, on a machine that is ten times too slow
MAX_ROOM_TIME = 180.0  # s: three minutes, without reading anything but the page
WAYS: dict[str, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    "keys": ({"size": DESK}, Keys),
    "mouse": ({"size": DESK}, Mouse),
    "touch": ({"size": PHONE, "has_touch": True}, lambda page: Screen(page, Finger(page))),
}


@pytest.fixture
def arrive(serve: ServeRoom, open_page: OpenPage, tmp_path: Any) -> Callable[[str], Newcomer]:
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


def test_a_glass_is_taken_by_the_keys_that_the_room_names(
    arrive: Callable[[str], Newcomer],
) -> None:
    someone = arrive("keys")
    take_the_glass(someone)
    up = someone.page.ask("app.room.node(arg).object.quaternion.toArray()", GLASS)
    assert abs(up[0]) < 0.05 and abs(up[1]) < 0.05  # it stays upright
    print(someone.report())  # noqa: T201


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_a_glass_comes_to_the_other_table(way: str, arrive: Callable[[str], Newcomer]) -> None:
    someone = arrive(way)
    bring_a_glass(someone)
    print(someone.report())  # noqa: T201
    np.testing.assert_allclose(someone.see(GLASS)[:2], MARK, atol=0.12)
    assert someone.page.ask("app.room.time") - someone.start[1] < MAX_ROOM_TIME
