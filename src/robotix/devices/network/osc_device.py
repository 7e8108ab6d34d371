"""A device whose values arrive as messages of Open Sound Control, over UDP."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from robotix.devices.network.osc_message import OscMessage, read_packet
from robotix.devices.network.state import PartialState
from robotix.devices.sample import Sample

__all__ = ["OscDevice"]

MAX_PACKET_BYTES = 65_536
MAX_PACKETS = 256  # of one reading; the others wait for the next


class OscDevice:
    """Listens for messages to `/NAME/…`, where NAME is that of the device.

    `/NAME/axes 0.1 -0.5` sets all axes in their order, `/NAME/AXIS 0.1` one of them,
    `/NAME/BUTTON 1` a button; `/NAME/pose x y z qw qx qy qz` the pose (m), `/NAME/position x y z`
    only the position. `/NAME/alive` says that nothing has changed: a sender must be heard about
    ten times a second, or it counts as silent. Malformed packets are dropped and counted.
    """

    kind = "OSC"

    def __init__(
        self, name: str, *, port: int, axes: Sequence[str] = (), buttons: Sequence[str] = (),
        host: str = "127.0.0.1", sender: str = "",
    ) -> None:  # fmt: skip
        """Listen at a port (0 for any free one) of this machine, by default for local programs.

        With a `sender`, an IP address, packets of others are dropped.
        """
        self.name, self.axes, self.buttons = name, tuple(axes), tuple(buttons)
        self.n_dropped = 0
        self._sender = sender
        self._state = PartialState(self.axes, self.buttons)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.setblocking(False)
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise ValueError(f"device {name!r} cannot listen at {host}:{port} ({error})") from None

    @property
    def port(self) -> int:
        """The port it listens at."""
        return int(self._socket.getsockname()[1])

    def read(self, now: float) -> Sample | None:
        """Take what has arrived; return the state after it, None if there was nothing."""
        for _ in range(MAX_PACKETS):
            try:
                data, (sender, _port) = self._socket.recvfrom(MAX_PACKET_BYTES)
            except OSError:  # nothing more, or closed
                break
            if self._sender and sender != self._sender:
                self.n_dropped += 1
                continue
            try:
                for message in read_packet(data):
                    self._take(message)
            except ValueError:
                self.n_dropped += 1
        return self._state.read(now)

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
        self._state.close()

    def _take(self, message: OscMessage) -> None:
        prefix, _, part = message.address.removeprefix("/").partition("/")
        if prefix != self.name:
            return
        values = message.numbers
        if part == "axes":
            self._state.set_axes(values)
        elif part in ("pose", "position"):
            self._set_pose(values, size=7 if part == "pose" else 3)
        elif part != "alive":
            (value,) = values or (1.0,)
            if not self._state.set_axis(part, value):
                self._state.set_button(part, is_down=value > 0.5)
        self._state.refresh()

    def _set_pose(self, values: tuple[float, ...], *, size: int) -> None:
        if len(values) != size:
            raise ValueError(f"{size} numbers are expected, got {len(values)}")
        x, y, z, *rest = values
        if rest:
            w, i, j, k = rest
            self._state.set_pose((x, y, z), (w, i, j, k))
        else:
            self._state.set_pose((x, y, z))
