"""Every device satisfies the contract of devices, and rejects malformed messages."""

import struct
from pathlib import Path
from typing import Any

import pytest
from support.device_contract import Touch, check_device
from support.hand_joints import joints

from robotix.devices import (
    JOYSTICK_LAYOUT,
    Controller,
    Device,
    Gamepad,
    Keyboard,
    Program,
    SpaceMouse,
    Tracked,
    TrackedHand,
    make_standard_devices,
)
from robotix.devices.message import DeviceMessage


def feed(message: DeviceMessage) -> Touch:
    def touch(device: Any, now: float) -> None:
        device.feed(message, now)

    return touch


def send(device: Any, now: float) -> None:
    device.send(axes=(0.5, -0.5), buttons={"go"}, position=(1.0, now / 10, 0.0))


POSE = {"position": [0.1, 1.5, -0.2], "orientation": [0.0, 0.0, 0.0, 1.0]}


TOUCHED: list[tuple[Device, Touch]] = [
    (Keyboard(), feed({"type": "down", "code": "ArrowLeft", "key": "ArrowLeft"})),
    (Keyboard("keyboard_2"), feed({"type": "state", "down": ["Space", "KeyQ"]})),
    (Gamepad(), feed({"axes": [0.1, -0.2, 0.3, 1.0], "buttons": [1, 0, 0, 0, 0, 0, 0.7]})),
    (Gamepad("joystick", layout=JOYSTICK_LAYOUT), feed({"axes": [0.1, -0.2], "buttons": [1]})),
    (SpaceMouse(), feed({"report": 1, "data": list(struct.pack("<6h", 1, 2, 3, 4, 5, -350))})),
    (Controller(), feed({**POSE, "axes": [0, 0, 0.5, 0.5], "buttons": [1, 0.2]})),
    (TrackedHand(), feed({"joints": joints()})),
    (Tracked("cup"), feed({"position": [1, 2, 3], "quaternion": [1, 0, 0, 0]})),
    (Tracked("headset", kind="headset"), feed(POSE)),
    (Program("demo", axes=("x", "y"), buttons=("go",)), send),
]


@pytest.mark.parametrize(("device", "touch"), TOUCHED, ids=lambda value: getattr(value, "name", ""))
def test_device_keeps_the_contract(device: Device, touch: Touch, tmp_path: Path) -> None:
    check_device(device, touch, tmp_path)


@pytest.mark.parametrize(
    ("name", "message", "complaint"),
    [
        ("keyboard", {}, "type must be"),
        ("keyboard", {"type": "down", "code": 3}, "code must be a text"),
        ("keyboard", {"type": "state", "down": "KeyA"}, "list"),
        ("keyboard", {"type": "state", "down": [1]}, "texts"),
        ("gamepad", {}, "axes must be 1 to 64 numbers, got 0"),
        ("gamepad", {"axes": "up"}, "list of numbers"),
        ("gamepad", {"axes": [0] * 1000}, "1 to 64"),
        ("gamepad", {"axes": [True]}, "numbers, got True"),
        ("gamepad", {"axes": [10**400]}, "ordinary size"),
        ("space_mouse", {"report": 1, "data": [1, 2]}, "6 bytes"),
        ("space_mouse", {"report": 1, "data": [300] * 6}, "bytes"),
        ("space_mouse", {"report": "1", "data": [0] * 6}, "number of a report"),
        ("space_mouse", {"report": 1}, "bytes"),
        ("right_controller", {"position": [1, 2]}, "position must be 3 numbers"),
        ("right_controller", {"position": [1, 2, 3]}, "orientation must be 4"),
        ("right_tracked_hand", {"joints": [0.0]}, "175 numbers, got 1"),
        ("tracked_object", {"position": [1, 2, 3], "quaternion": [1]}, "quaternion must be 4"),
        ("mouse", {"position": [0] * 3, "quaternion": [1, 0, 0, 0], "buttons": 3}, "buttons"),
    ],
)
def test_messages_are_refused_with_a_reason(
    name: str, message: DeviceMessage, complaint: str
) -> None:
    device: Any = make_standard_devices()[name]
    with pytest.raises(ValueError, match=complaint):
        device.feed(message, 1.0)
