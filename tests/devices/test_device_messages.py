"""Every device keeps the contract, and understands what is sent to it."""

import math
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.device_contract import Touch, check_device

from robotix.devices import (
    JOYSTICK_LAYOUT,
    Controller,
    Device,
    Gamepad,
    Keyboard,
    LinuxJoystick,
    Program,
    Sample,
    SpaceMouse,
    Tracked,
    TrackedHand,
    make_standard_devices,
)
from robotix.devices.hand import JOINTS, finger_curl, pinch_strength
from robotix.devices.keyboard import KEYS, key_name
from robotix.devices.message import DeviceMessage
from robotix.devices.rigid_transform import RigidTransform
from robotix.geometry import Pose

SIDEWAYS = [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]  # WebXR: a quarter turn about its z


def joints(*, curl: float = 0.0, pinch: float = 0.06) -> list[float]:
    """A hand in front of the face: fingers along -z, each joint bent by `curl` downwards."""
    points = {"wrist": (0.0, 1.2, -0.3)}
    for i, finger in enumerate(("index", "middle", "ring", "little")):
        x, y, z, angle = 0.02 * i, 1.2, -0.35, 0.0
        parts = ("metacarpal", "proximal", "intermediate", "distal", "tip")
        for part, length in zip(parts, (0.0, 0.06, 0.04, 0.03, 0.02), strict=True):
            angle += curl if part not in ("metacarpal", "proximal") else 0.0
            y, z = y - length * math.sin(angle), z - length * math.cos(angle)
            points[f"{finger}_{part}"] = (x, y, z)
    x, y, z = points["index_tip"]
    for part in ("metacarpal", "proximal", "distal"):
        points[f"thumb_{part}"] = (-0.03, 1.2, -0.32)
    points["thumb_tip"] = (x - pinch, y, z)
    return [value for name in JOINTS for value in (*points[name], 0.0, 0.0, 0.0, 1.0)]


def feed(message: DeviceMessage) -> Touch:
    def touch(device: Any, now: float) -> None:
        device.feed(message, now)

    return touch


def send(device: Any, now: float) -> None:
    device.send(axes=(0.5, -0.5), buttons={"go"}, position=(1.0, now / 10, 0.0))


def leave(device: Device, now: float) -> None:
    """Do nothing: it speaks by itself."""


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[tuple[Device, int]]:
    """A joystick of the kernel, and the end of the pipe where we play the kernel."""
    path = tmp_path / "js0"
    os.mkfifo(path)
    device = LinuxJoystick(path)
    kernel = os.open(path, os.O_WRONLY)
    yield device, kernel
    os.close(kernel)
    device.close()


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


def test_joystick_of_the_kernel_keeps_the_contract(
    stick: tuple[Device, int], tmp_path: Path
) -> None:
    check_device(stick[0], leave, tmp_path)


# -- keyboard -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "key", "name"),
    [
        ("ArrowLeft", "ArrowLeft", "Left"),
        ("KeyY", "z", "Z"),  # a German keyboard: what is printed on the key
        ("KeyZ", "я", "Z"),
        ("KeyA", "A", "A"),
        ("Digit1", "!", "1"),  # Shift is down, and the key is the same
        ("Space", " ", "Space"),
        ("ShiftRight", "Shift", "Shift"),
        ("F5", "F5", "F5"),
        ("Numpad7", "7", "Numpad7"),
        ("LaunchMail", "LaunchMail", ""),
        ("", "", ""),
    ],
)
def test_keys_have_plain_names(code: str, key: str, name: str) -> None:
    assert key_name(code, key) == name
    assert name in (*KEYS, "")


def test_keys_go_up_by_their_place() -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA", "key": "a"}, 1.0)
    assert keyboard.read(1.0) == Sample(1.0, buttons=frozenset({"A"}))
    keyboard.feed({"type": "up", "code": "KeyA", "key": "A"}, 1.1)  # Shift went down meanwhile
    assert keyboard.read(1.1) == Sample(1.1)


@pytest.mark.parametrize("message", [{"type": "blur"}, {"type": "state", "down": []}])
def test_keys_are_released_when_the_page_hears_them_no_more(message: DeviceMessage) -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA"}, 1.0)
    keyboard.read(1.0)
    keyboard.feed(message, 1.1)
    assert keyboard.read(1.1) == Sample(1.1)


def test_a_click_within_a_tick_is_not_lost() -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA"}, 1.000)
    keyboard.feed({"type": "up", "code": "KeyA"}, 1.001)
    first, second, third = keyboard.read(1.01), keyboard.read(1.02), keyboard.read(1.03)
    assert first is not None and first.buttons == {"A"}
    assert second is not None and second.buttons == set()
    assert third is None


# -- pads, sticks and mice ------------------------------------------------------------------


def test_gamepad_has_sticks_and_triggers() -> None:
    pad = Gamepad()
    pad.feed({"axes": [0.1, -0.2, 0.3, 1.0, 9.0], "buttons": [1, *[0] * 5, 0.25, 0.75]}, 1.0)
    sample = pad.read(1.0)
    assert sample is not None
    assert dict(zip(pad.axes, sample.axes, strict=True)) == {
        **{"left_x": 0.1, "left_y": -0.2, "right_x": 0.3, "right_y": 1.0},
        **{"left_trigger": 0.25, "right_trigger": 0.75},
    }
    assert sample.buttons == {"a", "right_trigger"}


def test_joystick_has_a_throttle() -> None:
    stick = Gamepad("joystick", layout=JOYSTICK_LAYOUT)
    stick.feed({"axes": [0.1, 0.2, 0.3, -1.0], "buttons": [0, 1]}, 1.0)
    sample = stick.read(1.0)
    assert sample is not None
    assert sample.axes == (0.1, 0.2, 0.3, -1.0, 0.0, 0.0)
    assert stick.axes[3] == "throttle"
    assert sample.buttons == {"button_2"}


def test_space_mouse_reports() -> None:
    mouse = SpaceMouse()
    mouse.feed({"report": 1, "data": struct.pack("<3h", 350, -175, 0)}, 1.0)
    mouse.feed({"report": 2, "data": struct.pack("<3h", 0, 0, -350)}, 1.0)
    mouse.feed({"report": 3, "data": [0b101, 0]}, 1.0)
    sample = mouse.read(1.0)
    assert sample == Sample(
        1.0, (1.0, -0.5, 0.0, 0.0, 0.0, -1.0), frozenset({"button_1", "button_3"})
    )
    mouse.feed({"report": 1, "data": struct.pack("<6h", 0, 0, 35, 70, 0, 0)}, 1.1)
    mouse.feed({"report": 3, "data": [0, 0, 0, 0x80]}, 1.1)
    mouse.feed({"report": 23, "data": [100]}, 1.2)  # battery
    mouse.feed({"alive": True}, 1.3)
    sample = mouse.read(1.3)
    assert sample == Sample(1.3, (0.0, 0.0, 0.1, 0.2, 0.0, 0.0), frozenset({"button_32"}))


def test_joystick_events_of_the_kernel(stick: tuple[LinuxJoystick, int]) -> None:
    device, kernel = stick
    assert device.read(1.0) == Sample(1.0, (0.0,) * 6)
    events = [(0, 16384, 0x82, 0), (0, 1, 0x81, 1), (5, -32768, 2, 1), (5, 7, 2, 200), (6, 1, 1, 0)]
    data = b"".join(struct.pack("<IhBB", *event) for event in events)
    os.write(kernel, data[:-3])
    sample = device.read(1.1)
    assert sample is not None and sample.buttons == {"button_2"}
    assert sample.axes[:2] == (16384 / 32767, -1.0)
    os.write(kernel, data[-3:] + struct.pack("<IhBB", 7, 0, 1, 0))  # pressed and released
    sample = device.read(1.2)
    assert sample is not None and sample.buttons == {"trigger", "button_2"}
    sample = device.read(1.3)
    assert sample is not None and sample.buttons == {"button_2"}


def test_a_joystick_that_is_pulled_out_is_silent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "js0")
    device = LinuxJoystick(tmp_path / "js0")
    kernel = os.open(tmp_path / "js0", os.O_WRONLY)
    assert device.read(1.0) is not None
    os.close(kernel)
    assert device.read(1.1) is None
    assert device.read(1.2) is None


# -- poses ----------------------------------------------------------------------------------


def test_webxr_axes_become_ours() -> None:
    """Ahead in WebXR is -z, here it is x; up is y, here z; left is -x, here y."""
    cup = Tracked("cup")
    cup.feed({"position": [-2.0, 3.0, -1.0], "orientation": SIDEWAYS}, 1.0)
    sample = cup.read(1.0)
    assert sample is not None and sample.position is not None
    assert sample.position == (1.0, 2.0, 3.0)
    # A turn about WebXR's z, which points backwards, is one the other way about our x.
    turned = Pose.from_quaternion(sample.position, sample.quaternion)
    assert turned.rotation_vector == pytest.approx([-math.pi / 2, 0.0, 0.0])


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


def test_controller_has_triggers_and_a_thumbstick() -> None:
    stick = Controller()
    stick.feed({**POSE, "axes": [0, 0, 0.5, -0.5], "buttons": [0.75, 0.25, 0, 0, 1]}, 1.0)
    sample = stick.read(1.0)
    assert sample is not None
    assert sample.axes == (0.75, 0.25, 0.0, 0.0, 0.5, -0.5)
    assert sample.buttons == {"trigger", "a"}
    assert sample.position == (0.2, -0.1, 1.5)


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


# -- messages that are none -----------------------------------------------------------------


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


# -- programs -------------------------------------------------------------------------------


def test_a_script_sends_once_a_tick() -> None:
    program = Program(axes=("x",))

    def wave() -> Iterator[None]:
        for value in (0.0, 0.5, 1.0):
            program.send(axes=(value,))
            yield

    program.run(wave())
    samples = [program.read(float(now)) for now in range(5)]
    assert samples == [Sample(0.0, (0.0,)), Sample(1.0, (0.5,)), Sample(2.0, (1.0,)), None, None]
