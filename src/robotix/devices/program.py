"""A device that is driven by a Python program."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from robotix.devices.sample import Mailbox, Quaternion, Sample, Vector

__all__ = ["Program"]


class Program:
    """A device controlled by a program: `send` sets its present state.

    A program that stops sending is treated like any silent device. A script is a generator that
    calls `send` and yields once per tick.
    """

    kind = "program"

    def __init__(
        self, name: str = "program", *, axes: Sequence[str] = (), buttons: Sequence[str] = ()
    ) -> None:
        self.name = name
        self.axes = tuple(axes)
        self.buttons = tuple(buttons)
        self._mail = Mailbox()
        self._script: Iterator[object] = iter(())

    def send(
        self,
        *,
        axes: Sequence[float] = (),
        buttons: Collection[str] = (),
        position: Vector | None = None,
        quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Set the present state; omitted axes are zero. The sample gets the time of reading."""
        values = tuple(axes) or (0.0,) * len(self.axes)
        self._mail.put(Sample(0.0, values, frozenset(buttons), position, quaternion))

    def run(self, script: Iterator[object]) -> None:
        """Run a script from the next reading on, instead of any running one."""
        self._script = script

    def read(self, now: float) -> Sample | None:
        """Advance the script, and return the latest sample."""
        next(self._script, None)
        sample = self._mail.pop()
        if sample is None:
            return None
        return Sample(now, sample.axes, sample.buttons, sample.position, sample.quaternion)

    def close(self) -> None:
        """Stop the script and discard later samples."""
        self._script = iter(())
        self._mail.close()
