"""A tracker, button box or joystick of a VRPN server on another machine.

There is no maintained VRPN client on PyPI, so this is one of its own: for the messages of trackers
(position and orientation), buttons and analogs, over TCP. The server is pinged, and counts as
silent when it does not answer.
"""

from __future__ import annotations

import logging
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence

from robotix.devices.network.state import PartialState
from robotix.devices.network.vrpn_message import (
    ANALOG,
    BUTTON,
    COOKIE_SIZE,
    PING,
    PONG,
    SENDER_DESCRIPTION,
    TRACKER,
    TYPE_DESCRIPTION,
    MessageStream,
    VrpnMessage,
    check_cookie,
    describe,
    make_cookie,
    text_of,
)
from robotix.devices.sample import Sample

__all__ = ["PORT", "VrpnDevice"]

LOG = logging.getLogger(__name__)
PORT = 3883
PING_PERIOD = 0.04  # s; a device that is silent for longer than 0.1 s counts as lost
CONNECT_TIMEOUT, RETRY_PERIOD = 2.0, 1.0  # s
POSE = struct.Struct(">ii3d4d")  # sensor, padding, position, quaternion (x, y, z, w)


class VrpnDevice:
    """Reads one device of a VRPN server; reconnects by itself, on a thread of its own.

    Axes are the analog channels, and buttons the buttons, both in the server's order; the pose is
    that of one sensor of the tracker. All have the name `remote` at the server.
    """

    kind = "VRPN"

    def __init__(
        self, name: str, *, remote: str, host: str, port: int = PORT, sensor: int = 0,
        axes: Sequence[str] = (), buttons: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Connect to `remote@host:port` in the background."""
        self.name, self.axes, self.buttons = name, tuple(axes), tuple(buttons)
        self._remote, self._address, self._sensor = remote, (host, port), sensor
        self._state = PartialState(self.axes, self.buttons)
        self._senders: dict[int, str] = {}
        self._takers: dict[int, Callable[[bytes], None]] = {}
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"vrpn {name}", daemon=True)
        self._thread.start()

    def read(self, now: float) -> Sample | None:
        """Return the latest state; None when the server was not heard since the last call."""
        return self._state.read(now)

    def close(self) -> None:
        """Disconnect; may be called twice."""
        self._is_closed.set()
        self._state.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(CONNECT_TIMEOUT)

    # -- the connection -----------------------------------------------------------------------

    def _run(self) -> None:
        is_reported = False
        while not self._is_closed.is_set():
            try:
                with socket.create_connection(self._address, CONNECT_TIMEOUT) as connection:
                    is_reported = False
                    self._serve(connection)
            except (OSError, ValueError, struct.error) as error:
                if not is_reported:
                    LOG.warning("device %s: %s at %s:%s", self.name, error, *self._address)
                is_reported = True
            self._is_closed.wait(RETRY_PERIOD)

    def _serve(self, connection: socket.socket) -> None:
        """Exchange cookies, announce what we send, then read until the end."""
        connection.sendall(make_cookie())
        cookie = b""
        while len(cookie) < COOKIE_SIZE:
            cookie += _received(connection, COOKIE_SIZE - len(cookie))
        check_cookie(cookie)
        self._senders, self._takers = {}, {}
        connection.sendall(describe(SENDER_DESCRIPTION, 0, self._remote).pack())
        connection.sendall(describe(TYPE_DESCRIPTION, 0, PING).pack())
        connection.settimeout(PING_PERIOD)
        stream, next_ping = MessageStream(), 0.0
        while not self._is_closed.is_set():
            if time.monotonic() >= next_ping:
                connection.sendall(VrpnMessage(0, 0).pack(time.time()))
                next_ping = time.monotonic() + PING_PERIOD
            try:
                data = _received(connection, COOKIE_SIZE * 100)
            except TimeoutError:
                continue
            for message in stream.add(data):
                self._take(message)

    # -- messages -----------------------------------------------------------------------------

    def _take(self, message: VrpnMessage) -> None:
        if message.type == SENDER_DESCRIPTION:
            self._senders[message.sender] = text_of(message.body)
        elif message.type == TYPE_DESCRIPTION:
            takers = {
                TRACKER: self._take_pose,
                BUTTON: self._take_buttons,
                ANALOG: self._take_channels,
                PONG: lambda _: self._state.refresh(),
            }
            name = text_of(message.body)
            if name in takers:
                self._takers[message.sender] = takers[name]
        elif message.type in self._takers and self._senders.get(message.sender) == self._remote:
            self._takers[message.type](message.body)

    def _take_pose(self, body: bytes) -> None:
        sensor, _, px, py, pz, x, y, z, w = POSE.unpack(body[: POSE.size])
        if sensor == self._sensor:
            self._state.set_pose((px, py, pz), (w, x, y, z))
            self._state.refresh()

    def _take_buttons(self, body: bytes) -> None:
        """Take one button and its state, or, from newer servers, their number and pairs of them."""
        numbers = struct.unpack(f">{len(body) // 4}i", body[: len(body) // 4 * 4])
        pairs = numbers if len(numbers) == 2 else numbers[1:]
        for number, state in zip(pairs[::2], pairs[1::2], strict=False):
            if 0 <= number < len(self.buttons):
                self._state.set_button(self.buttons[number], is_down=state != 0)

    def _take_channels(self, body: bytes) -> None:
        count, *values = struct.unpack(f">{len(body) // 8}d", body[: len(body) // 8 * 8])
        self._state.set_axes(values[: int(count)])
        self._state.refresh()


def _received(connection: socket.socket, size: int) -> bytes:
    data = connection.recv(size)
    if not data:
        raise OSError("the server has closed the connection")
    return data
