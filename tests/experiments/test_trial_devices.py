"""In a trial only the device of the study counts."""

from __future__ import annotations

import pytest

from robotix.devices import Controls, DeviceMap, Keyboard, default_device_map, fit_to_scene
from robotix.experiments.tasks.controls import DEVICES
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import open_task_room
from robotix.experiments.trial_devices import (
    TRIAL_DEVICES,
    is_dragged,
    limit_devices,
    limit_keys,
    trial_device,
)
from robotix.scene.events.events import Button


def device_map() -> DeviceMap:
    return fit_to_scene(default_device_map(), DEVICES)


@pytest.mark.parametrize("device", TRIAL_DEVICES)
def test_no_other_device_drives(device: str) -> None:
    limited = limit_devices(device_map(), device)
    for name in ("stick", "mover", "wheels", "pad", "cursor"):
        assert {feed.device for feed in limited.logical[name].from_} <= TRIAL_DEVICES[device]
    others = ("head", "keyboard", "pointer")  # to look around, to stop, to point by an aid
    assert all(limited.logical[name] == device_map().logical[name] for name in others)


@pytest.mark.parametrize(("device", "is_led"), [("keyboard", True), ("joystick", False)])
def test_keys_lead_the_arm_only_in_studies_of_keys(device: str, is_led: bool) -> None:
    keyboard = Keyboard()
    with Controls(limit_devices(device_map(), device), [keyboard]) as controls:
        for tick in range(60):  # at rest at first, as a device that is trusted
            now = tick / 60
            keys = ["ArrowUp"] if now > 0.5 else []
            keyboard.feed({"type": "state", "down": keys}, now)
            reading = controls.read(now).get("stick")
    assert (reading is not None and any(reading.axes)) == is_led


def test_other_names_of_devices() -> None:
    assert trial_device("Space_Mouse") == "spacemouse" and trial_device("quest3") == "headset"
    assert trial_device("helmet") == "" and limit_devices(device_map(), "helmet") == device_map()
    assert is_dragged("mouse") and is_dragged("") and not is_dragged("joystick")


def keys_of(device: str) -> set[str]:
    room = open_task_room(load_task("chess"))
    limit_keys(room.scene, device)
    sources = [rule.source for rule in room.scene.rules]
    room.close()
    buttons = [each for each in sources if isinstance(each, Button)]
    return {each.button for each in buttons if each.device == "keyboard"}


def test_keys_that_do_what_buttons_do_are_taken_out() -> None:
    assert {"G", "C", "1", "X", "V", "T"} <= keys_of("keyboard")
    assert not {"G", "C", "1"} & keys_of("joystick") and {"X", "V", "T"} <= keys_of("joystick")
