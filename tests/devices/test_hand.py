"""Tracked hands."""

import pytest
from support.hand_joints import joints

from robotix.devices import (
    TrackedHand,
)
from robotix.devices.hand import finger_curl, pinch_strength


def test_hand_is_open_or_closed() -> None:
    hand = TrackedHand()
    buttons = []
    for curl, pinch in [(0.0, 0.06), (0.0, 0.01), (0.0, 0.025), (0.0, 0.06), (1.2, 0.06)]:
        hand.feed({"joints": joints(curl=curl, pinch=pinch)}, 1.0)
        sample = hand.read(1.0)
        assert sample is not None
        buttons.append(set(sample.buttons))
    assert sample is not None
    assert buttons == [set(), {"pinch"}, {"pinch"}, set(), {"grip"}]
    assert sample.axes == pytest.approx((0.0, 1.0, 1.0, 1.0, 1.0, 1.0))
    # The palm is halfway along the metacarpal of the middle finger.
    assert sample.position == pytest.approx((0.38, -0.02, 1.2))


def test_strengths_are_monotone() -> None:
    pinches = [pinch_strength(0.001 * i) for i in range(80)]
    assert pinches == sorted(pinches, reverse=True)
    assert (pinches[0], pinches[-1]) == (1.0, 0.0)
    straight = [(0.0, 0.0, 0.02 * i) for i in range(5)]
    assert finger_curl(straight) == 0.0
