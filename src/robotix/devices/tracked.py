"""Devices with a pose: a tracked object, a headset, a handle on the screen, the ray of a mouse."""

from __future__ import annotations

from robotix.devices.message import DeviceMessage, numbers
from robotix.devices.rigid_transform import RigidTransform, compose, from_xr
from robotix.devices.sample import Mailbox, Sample

__all__ = ["Tracked"]


class Tracked:
    """A tracked object, whose pose and buttons come by messages.

    `{"position": [x, y, z], "quaternion": [w, x, y, z], "buttons": [names]}` in our axes; with
    `orientation` `[x, y, z, w]` instead of `quaternion`, in those of WebXR. A position of null
    means that it is not tracked. `world_from_room` is where the origin of the tracking is.
    """

    def __init__(
        self, name: str, *, kind: str = "tracked object", buttons: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.kind = kind
        self.axes: tuple[str, ...] = ()
        self.buttons = buttons
        self.world_from_room = RigidTransform()
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        if message.get("position") is None:
            return  # not tracked counts as silence
        placed = compose(self.world_from_room, _pose(message))
        down = message.get("buttons", ())
        if not isinstance(down, list | tuple):
            raise ValueError(f"buttons must be a list of names, got {down!r}")
        pressed = frozenset(name for name in self.buttons if name in down)
        self._mail.put(Sample(now, (), pressed, placed.position, placed.quaternion))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()


def _pose(message: DeviceMessage) -> RigidTransform:
    x, y, z = numbers(message, "position", least=3, most=3)
    if "orientation" in message:
        return from_xr((x, y, z), numbers(message, "orientation", least=4, most=4))
    qw, qx, qy, qz = numbers(message, "quaternion", least=4, most=4)
    return RigidTransform((x, y, z), (qw, qx, qy, qz))
