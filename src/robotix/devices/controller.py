"""A VR controller ("flystick"): a pose, triggers, a thumbstick and buttons, from WebXR."""

from __future__ import annotations

from robotix.devices.message import DeviceMessage, numbers
from robotix.devices.rigid_transform import RigidTransform, compose, from_xr
from robotix.devices.sample import Mailbox, Sample

__all__ = ["Controller"]

PRESS_THRESHOLD = 0.5
# The "xr-standard" order of buttons.
BUTTONS = ("trigger", "grip", "pad", "stick", "a", "b")


class Controller:
    """A VR controller, fed by messages with the pose of its grip space.

    `{"position": [x, y, z], "orientation": [x, y, z, w], "axes": [...], "buttons": [0..1, ...]}` as
    WebXR has them; a position of null means that it is not tracked. `world_from_room` is where the
    person's room is in the world; it changes when they teleport.
    """

    kind = "controller"

    def __init__(self, name: str = "right_controller") -> None:
        self.name = name
        self.axes = ("trigger", "grip", "pad_x", "pad_y", "stick_x", "stick_y")
        self.buttons = BUTTONS
        self.world_from_room = RigidTransform()
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        if message.get("position") is None:
            return  # not tracked counts as silence
        pose = from_xr(
            numbers(message, "position", least=3, most=3),
            numbers(message, "orientation", least=4, most=4),
        )
        placed = compose(self.world_from_room, pose)
        values = (*numbers(message, "buttons"), *(0.0,) * len(BUTTONS))[: len(BUTTONS)]
        sticks = (*numbers(message, "axes"), 0.0, 0.0, 0.0, 0.0)[:4]
        down = frozenset(
            name for name, value in zip(BUTTONS, values, strict=True) if value > PRESS_THRESHOLD
        )
        axes = (*values[:2], *sticks)
        self._mail.put(Sample(now, axes, down, placed.position, placed.quaternion))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()
