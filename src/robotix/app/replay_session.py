"""Opens recordings for the page: they are shown at any time, and nothing of them is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.app.recorded_scene import load_for_display

if TYPE_CHECKING:
    from robotix.scene.recording.posing import TakePoser
    from robotix.server import RoomService
    from robotix.server.replay.player import ReplayPlayer

__all__ = ["open_replay"]


@contextmanager
def open_replay(
    file: Path,
    *,
    service: RoomService,
    second: Path | None = None,
    offset: float = 0.0,
    folder: Path | None = None,
    trust: bool = False,
) -> Iterator[ReplayPlayer]:
    """Show a recording in the pages of a service; `ReplayPlayer.run` plays it.

    Args:
        file: The recording.
        service: Connects it to pages.
        second: Another recording, laid over the first.
        offset: By how many seconds the second one is moved to later times.
        folder: Where the files of the scene are, if they moved.
        trust: Whether plug-ins of the recorded scene may set it up; they never run.
    """
    from robotix.devices import Controls, DeviceMap
    from robotix.server.replay.api import ReplayApi
    from robotix.server.replay.player import ReplayPlayer
    from robotix.server.replay.second_take import SecondTake

    with ExitStack() as stack:
        poser, notes = _open_take(stack, file, folder, trust=trust)
        all_notes, laid_over = [notes], None
        if second is not None:
            other, other_notes = _open_take(stack, second, folder, trust=trust)
            laid_over = SecondTake(poser.scene, other, offset=offset)
            all_notes.append(other_notes)
        player = ReplayPlayer(poser, second=laid_over)
        service.replay = ReplayApi(player, notes=all_notes)
        player.pose(player.time)
        service.open(poser.scene, stack.enter_context(Controls(DeviceMap())))
        player.follow(service.on_still[:2], on_change=service.publish_health)
        service.attach(player)
        yield player


def _open_take(
    stack: ExitStack, file: Path, folder: Path | None, *, trust: bool
) -> tuple[TakePoser, list[str]]:
    """Open a recording with its scene; return sentences about what cannot be shown, too."""
    from robotix.scene.events.rules import RuleBook
    from robotix.scene.recording.posing import TakePoser
    from robotix.scene.recording.take import Take

    take = stack.enter_context(Take(file))
    scene, notes = stack.enter_context(load_for_display(take, folder, trust=trust))
    scene.rules = RuleBook()  # no key of the room does anything here
    scene.devices = {}
    return TakePoser(scene, take), notes
