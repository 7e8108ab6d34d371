"""A client of VRPN, against a server that speaks the public protocol."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable

import pytest
from support.vrpn_server import FakeVrpnServer

from robotix.devices.network import VrpnDevice
from robotix.devices.network.vrpn_message import MessageStream, VrpnMessage, text_of
from robotix.devices.sample import Sample

PATIENCE = 20.0  # s, for a busy machine


def wand(server: FakeVrpnServer, **options: int) -> VrpnDevice:
    return VrpnDevice(
        "wand", remote="Wand", host="127.0.0.1", port=server.port, axes=("x", "y"),
        buttons=("fire", "menu"), **options,
    )  # fmt: skip


def until(device: VrpnDevice, wanted: Callable[[Sample], bool]) -> Sample:
    """Read until a sample is as wanted."""
    end = time.monotonic() + PATIENCE
    pause = threading.Event()
    while time.monotonic() < end:
        sample = device.read(5.0)
        if sample is not None and wanted(sample):
            return sample
        pause.wait(0.005)
    raise AssertionError("no such sample arrived")


def pose(sensor: int, *values: float) -> bytes:
    return struct.pack(">ii7d", sensor, 0, *values)


def test_poses_buttons_and_channels_arrive() -> None:
    with FakeVrpnServer() as server:
        device = wand(server, sensor=1)
        assert server.ready.acquire(timeout=PATIENCE)
        server.send("vrpn_Tracker Pos_Quat", pose(0, 9, 9, 9, 0, 0, 0, 1))  # another sensor
        server.send("vrpn_Tracker Pos_Quat", pose(1, 9, 9, 9, 0, 0, 0, 1), sender=server.OTHER)
        server.send("vrpn_Something Else", b"\1\2\3")
        server.send("vrpn_Tracker Pos_Quat", pose(1, 1, 2, 3, 0.1, 0.2, 0.3, 0.9))
        sample = until(device, lambda sample: sample.position is not None)
        assert sample.time == 5.0
        assert sample.position == (1.0, 2.0, 3.0)
        assert sample.quaternion == (0.9, 0.1, 0.2, 0.3)  # VRPN sends x, y, z, w
        server.send("vrpn_Analog Channel", struct.pack(">4d", 3, 0.5, -0.25, 7.0))
        assert until(device, lambda sample: any(sample.axes)).axes == (0.5, -0.25)
        server.send("vrpn_Button Change", struct.pack(">ii", 1, 1))
        assert until(device, lambda sample: bool(sample.buttons)).buttons == {"menu"}
        server.send("vrpn_Button Change", struct.pack(">5i", 2, 0, 1, 1, 0))  # newer servers
        assert until(device, lambda sample: "menu" not in sample.buttons).buttons == {"fire"}
        device.close()
        device.close()
        assert device.read(6.0) is None


def test_a_server_that_answers_pings_is_alive_and_one_that_does_not_is_silent() -> None:
    with FakeVrpnServer() as server:
        device = wand(server)
        first = until(device, lambda sample: True)  # nothing was sent but answers
        assert first.axes == (0.0, 0.0)
        device.close()
    with FakeVrpnServer(answers=False) as server:
        device = wand(server)
        assert server.ready.acquire(timeout=PATIENCE)
        end = time.monotonic() + PATIENCE
        while server.n_pings < 5 and time.monotonic() < end:
            assert device.read(1.0) is None
            threading.Event().wait(0.005)
        assert server.n_pings >= 5
        device.close()


def test_it_reconnects() -> None:
    with FakeVrpnServer() as server:
        device = wand(server)
        assert server.ready.acquire(timeout=PATIENCE)
        server.drop()
        assert server.ready.acquire(timeout=PATIENCE)
        server.send("vrpn_Button Change", struct.pack(">ii", 0, 1))
        until(device, lambda sample: sample.buttons == {"fire"})
        device.close()


def test_what_is_no_server_of_vrpn_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with FakeVrpnServer(b"HTTP/1.1 400 Bad Request".ljust(24)) as server:
        device = wand(server)
        end = time.monotonic() + PATIENCE
        while not caplog.records and time.monotonic() < end:
            threading.Event().wait(0.005)
        device.close()
    assert "no VRPN server of version 07" in caplog.text


def test_messages_are_cut_from_a_stream() -> None:
    stream = MessageStream()
    data = VrpnMessage(1, 2, b"abc").pack(1.5) + VrpnMessage(3, 4).pack()
    found = [m for k in range(len(data)) for m in stream.add(data[k : k + 1])]
    assert found == [VrpnMessage(1, 2, b"abc"), VrpnMessage(3, 4)]
    with pytest.raises(ValueError, match="a message of"):
        list(MessageStream().add(bytes(24)))
    with pytest.raises(ValueError, match="without a name"):
        text_of(b"\0")
