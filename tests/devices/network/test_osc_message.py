"""Packets of Open Sound Control, good and bad."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from support.osc_packets import bundle, message, text

from robotix.devices.network.osc_message import OscMessage, read_packet


def test_arguments_of_all_types_are_read() -> None:
    packet = message("/a/b", 7, 0.5, "word", b"\1\2\3", True, None)
    (found,) = read_packet(packet)
    assert found == OscMessage("/a/b", (7, 0.5, "word", b"\1\2\3", True, None))
    with pytest.raises(ValueError, match="no numbers"):
        _ = found.numbers


def test_bundles_hold_messages_and_bundles() -> None:
    packet = bundle(message("/a", 1), bundle(message("/b", 2.5)))
    assert [m.address for m in read_packet(packet)] == ["/a", "/b"]


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"abc",
        b"no slash\0\0\0\0",
        text("/a") + text("if"),
        text("/a") + text(",i"),
        text("/a") + text(",b") + struct.pack(">i", 99),
        text("/a") + text(",q"),
        b"#bundle\0" + bytes(8) + struct.pack(">i", 400) + b"xx",
        text("/\u00fc"),
    ],
)
def test_broken_packets_are_errors(packet: bytes) -> None:
    with pytest.raises(ValueError):
        list(read_packet(packet))


def test_nested_bundles_have_an_end() -> None:
    packet = message("/a")
    for _ in range(20):
        packet = bundle(packet)
    with pytest.raises(ValueError, match="nested too deeply"):
        list(read_packet(packet))


def test_noise_never_raises_anything_else() -> None:
    rng, whole = np.random.default_rng(1), bundle(message("/a/b", 7, 0.5, "word", b"\1\2\3"))
    for _ in range(2000):
        data = bytearray(whole)
        for at in rng.integers(len(data), size=4):
            data[at] = rng.integers(256)
        try:
            list(read_packet(bytes(data[: rng.integers(len(data) + 1)])))
        except ValueError:
            pass
