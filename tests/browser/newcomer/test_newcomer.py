"""A newcomer brings a glass from one table to the other, by what the page says and nothing else.

The whole way takes a minute of the room, so it is walked by `make soak`; the suite takes the glass.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from browser.newcomer.conftest import WAYS
from browser.newcomer.newcomer import GLASS, MARK, Newcomer, bring_a_glass, take_the_glass

MAX_ROOM_TIME = 180.0  # s: three minutes, without reading anything but the page


def test_a_glass_is_taken_by_the_keys_that_the_room_names(
    arrive: Callable[[str], Newcomer],
) -> None:
    someone = arrive("keys")
    take_the_glass(someone)
    turn = someone.page.ask("app.room.node(arg).object.quaternion.toArray()", GLASS)
    np.testing.assert_allclose(turn[:2], 0, atol=0.05)  # it stays upright
    print(someone.report())  # noqa: T201


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_a_glass_comes_to_the_other_table(way: str, arrive: Callable[[str], Newcomer]) -> None:
    someone = arrive(way)
    bring_a_glass(someone)
    print(someone.report())  # noqa: T201
    np.testing.assert_allclose(someone.see(GLASS)[:2], MARK, atol=0.12)
    assert someone.page.ask("app.room.time") - someone.start[1] < MAX_ROOM_TIME
