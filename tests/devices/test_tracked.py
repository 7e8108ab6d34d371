"""Tracked objects."""

import math

import pytest

from robotix.devices import (
    Controller,
    Tracked,
    TrackedHand,
)
from robotix.devices.message import DeviceMessage
from robotix.devices.rigid_transform import RigidTransform


def test_the_room_can_stand_anywhere_in_the_world() -> None:
    cup = Tracked("cup")
    half = math.sqrt(0.5)
    cup.world_from_room = RigidTransform(
        (10.0, 0.0, 0.0), (half, 0.0, 0.0, half)
    )  # a quarter turn left
    cup.feed({"position": [1.0, 2.0, 3.0], "quaternion": [1, 0, 0, 0]}, 1.0)
    sample = cup.read(1.0)
    assert sample is not None
    assert sample.position == pytest.approx((8.0, 1.0, 3.0))
    assert sample.quaternion == pytest.approx((half, 0.0, 0.0, half))


@pytest.mark.parametrize(
    ("device", "message"),
    [
        (Controller(), {"position": None, "buttons": [1.0]}),
        (Tracked("cup"), {"position": None}),
        (TrackedHand(), {"joints": None}),
    ],
)
def test_out_of_sight_is_silence(device: Controller, message: DeviceMessage) -> None:
    device.feed(message, 1.0)
    assert device.read(1.0) is None
