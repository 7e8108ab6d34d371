"""A device over OSC: what is sent arrives, what is malformed or foreign does not."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from support.osc_packets import bundle, message

from robotix.devices import Controls, DeviceFeed, DeviceMap, Logical
from robotix.devices.network import OscDevice


@pytest.fixture
def wand() -> Iterator[OscDevice]:
    device = OscDevice("wand", port=0, axes=("x", "y"), buttons=("fire",))
    yield device
    device.close()


def send(device: OscDevice, *packets: bytes) -> None:
    """Send packets; over the loopback they are there when `sendto` returns."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for packet in packets:
            sender.sendto(packet, ("127.0.0.1", device.port))


def test_axes_buttons_and_poses_arrive(wand: OscDevice) -> None:
    assert wand.read(1.0) is None
    send(wand, message("/wand/x", 0.5), message("/wand/fire", 1))
    sample = wand.read(2.0)
    assert sample is not None
    assert (sample.time, sample.axes, sample.buttons) == (2.0, (0.5, 0.0), frozenset({"fire"}))
    assert sample.position is None
    pose = (1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0)
    send(wand, bundle(message("/wand/axes", 0.25, -1.0), message("/wand/pose", *pose)))
    send(wand, message("/wand/fire", False))
    sample = wand.read(3.0)
    assert sample is not None
    assert (sample.axes, sample.buttons) == ((0.25, -1.0), frozenset())
    assert (sample.position, sample.quaternion) == ((1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 0.0))
    assert wand.read(4.0) is None  # silence


def test_a_short_press_is_not_lost(wand: OscDevice) -> None:
    send(wand, message("/wand/fire", 1), message("/wand/fire", 0))
    pressed, released = wand.read(1.0), wand.read(1.01)
    assert pressed is not None and pressed.buttons == {"fire"}
    assert released is not None and released.buttons == frozenset()


def test_a_sender_may_say_that_nothing_has_changed(wand: OscDevice) -> None:
    send(wand, message("/wand/y", 0.5))
    wand.read(1.0)
    send(wand, message("/wand/alive"))
    sample = wand.read(1.1)
    assert sample is not None and sample.axes == (0.0, 0.5)


def test_what_is_malformed_or_for_others_is_dropped(wand: OscDevice) -> None:
    send(wand, b"rubbish", message("/wand/pose", 1.0), message("/wand/x", "far"))
    assert wand.read(1.0) is None
    assert wand.n_dropped == 3
    send(wand, message("/other/x", 1.0), message("/wand", 1.0))
    assert wand.n_dropped == 3


def test_only_the_named_sender_is_heard() -> None:
    device = OscDevice("wand", port=0, axes=("x",), sender="192.0.2.1")
    send(device, message("/wand/x", 1.0))
    assert device.read(1.0) is None
    assert device.n_dropped == 1
    device.close()
    device.close()
    assert device.read(2.0) is None


def test_a_port_that_is_taken_is_an_error(wand: OscDevice) -> None:
    with pytest.raises(ValueError, match="cannot listen at"):
        OscDevice("other", port=wand.port)


def test_it_drives_a_logical_device(wand: OscDevice) -> None:
    feed = DeviceFeed("wand", axes=("x", "y", ""))
    controls = Controls(DeviceMap({"stick": Logical("translate3", (feed,))}), [wand])
    send(wand, message("/wand/axes", 0.0, 0.0))
    controls.read(1.0)  # at rest: engaged
    send(wand, message("/wand/axes", 0.5, 0.0))
    reading = controls.read(1.01)["stick"]
    assert reading.live and reading.axes == (0.5, 0.0, 0.0)
    assert not controls.read(2.0)["stick"].live  # silent
