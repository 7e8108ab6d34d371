"""How pages change the pace of what they show: a running scene, or a recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from robotix.server.wire.protocol import Health

if TYPE_CHECKING:
    from robotix.scene.loop import LoopReport

__all__ = ["Paced", "ReplayHandler", "change_pace", "measure_health"]

MAX_STEPS = 10_000  # ticks that are run at once


class Paced(Protocol):
    """What can be paused: the loop of a scene, or the player of a recording."""

    @property
    def speed(self) -> float:
        """Seconds shown per second."""

    @property
    def is_paused(self) -> bool:
        """Whether it stands still."""

    def set_speed(self, speed: float) -> None:
        """Change the speed."""

    def pause(self) -> None:
        """Stop for a while."""

    def resume(self) -> None:
        """Go on."""

    def step(self, ticks: int = 1) -> None:
        """Run single ticks, then pause."""

    def report(self) -> LoopReport:
        """Return statistics."""


class ReplayHandler(Protocol):
    """Plays a recording, and answers requests about it."""

    def change_pace(self, action: str, value: float) -> None:
        """Pause, resume, seek or change the speed; raise ValueError for an unknown action."""

    async def respond(
        self, path: str, query: Mapping[str, Sequence[str]]
    ) -> tuple[int, str, bytes]:
        """Return status, content type and contents."""


def change_pace(loop: Paced, action: str, value: float) -> None:
    """Apply what a page asks of a running scene; raise ValueError for an unknown action."""
    match action:
        case "pause":
            loop.pause()
        case "resume":
            loop.resume()
        case "step":
            loop.step(max(1, round(min(max(value, 1.0), MAX_STEPS))))
        case "speed":
            loop.set_speed(value)
        case _:
            raise ValueError(f"action must be pause, resume, step or speed, got {action!r}")


def measure_health(
    loop: Paced, before: tuple[int, float], *, clients: int, recording: str
) -> tuple[Health, tuple[int, float]]:
    """Return the timing of a loop since `before`, its ticks and elapsed time (s), and the new ones.

    Args:
        loop: the loop.
        before: ticks and elapsed time when it was last measured.
        clients: the number of clients.
        recording: where the run is recorded; empty if it is not.
    """
    report, (ticks, elapsed) = loop.report(), before
    span = report.elapsed - elapsed
    health = Health(
        time=report.time,
        rate=(report.ticks - ticks) / span if span > 0 else 0.0,
        load=report.load,
        overruns=report.overruns,
        lost=report.lost,
        worst=report.worst,
        speed=min(loop.speed, 1e9),
        is_paused=loop.is_paused,
        clients=clients,
        recording=recording,
    )
    return health, (report.ticks, report.elapsed)
