"""Joysticks of the Linux kernel."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.device_contract import check_device

from robotix.devices import (
    Device,
    LinuxJoystick,
    Sample,
)


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


def test_joystick_of_the_kernel_keeps_the_contract(
    stick: tuple[Device, int], tmp_path: Path
) -> None:
    check_device(stick[0], leave, tmp_path)


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
