"""What is known of a device whose messages each tell a part: axes, buttons, pose."""

from __future__ import annotations

from collections.abc import Sequence

from robotix.devices.sample import Mailbox, Quaternion, Sample, Vector

__all__ = ["PartialState"]


class PartialState:
    """Collects parts of the state of a device, and gives them as samples."""

    def __init__(self, axes: Sequence[str], buttons: Sequence[str]) -> None:
        """Start at rest, with axes and buttons of these names."""
        self._axes = dict.fromkeys(axes, 0.0)
        self._buttons = dict.fromkeys(buttons, False)
        self._position: Vector | None = None
        self._quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
        self._mail = Mailbox()

    def set_axes(self, values: Sequence[float]) -> None:
        """Set all axes in order; there may be more values than axes."""
        if len(values) < len(self._axes):
            raise ValueError(f"{len(self._axes)} axes are expected, got {len(values)}")
        self._axes = dict(zip(self._axes, map(float, values), strict=False))

    def set_axis(self, name: str, value: float) -> bool:
        """Set one axis; return whether there is one of that name."""
        if name in self._axes:
            self._axes[name] = float(value)
        return name in self._axes

    def set_button(self, name: str, *, is_down: bool) -> bool:
        """Set one button; return whether there is one of that name."""
        if name in self._buttons:
            self._buttons[name] = is_down
            self.refresh()  # so that a short press is not lost
        return name in self._buttons

    def set_pose(self, position: Vector, quaternion: Quaternion | None = None) -> None:
        """Set the position, m, and the orientation (w, x, y, z) if it is known."""
        self._position = position
        self._quaternion = quaternion or self._quaternion

    def refresh(self) -> None:
        """Give the present state as a new sample: the device has been heard of."""
        down = frozenset(name for name, is_down in self._buttons.items() if is_down)
        values = tuple(self._axes.values())
        self._mail.put(Sample(0.0, values, down, self._position, self._quaternion))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample with the time `now`; None if nothing was heard since."""
        sample = self._mail.pop()
        if sample is None:
            return None
        return Sample(now, sample.axes, sample.buttons, sample.position, sample.quaternion)

    def close(self) -> None:
        """Discard what is there, and what comes later."""
        self._mail.close()
