"""Rebuilds the scene of a recording from the files in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from robotix.errors import BadFile

if TYPE_CHECKING:
    from robotix.scene.recording.recorder import Header

__all__ = ["rebuilt_scene"]


@contextmanager
def rebuilt_scene(
    recording: Path, header: Header, folder: Path | None
) -> Iterator[tuple[Path, list[str]]]:
    """Rebuild a recorded scene; yield its file, and the names of files that have changed since.

    `folder` is where the files of the scene are now, if not where they were then.
    """
    from robotix.scene.recording.origin import rebuild

    origin = header.origin
    if not origin.name:
        found = "a scene that was made by a program"
        expected = "a scene from a file; for others use `robotix.scene.recording.replay.replay`"
        raise BadFile(str(recording), found, expected)
    with TemporaryDirectory(prefix="robotix-") as into:
        yield rebuild(origin, folder or recording.parent / origin.folder, Path(into))
