"""Rebuilds the scene of a recording from the files in it, and lists them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from robotix.errors import BadFile

if TYPE_CHECKING:
    from robotix.authoring.trust import Trust
    from robotix.scene.plugins import PluginRequest
    from robotix.scene.recording.recorder import Header
    from robotix.scene.scene import Scene

__all__ = ["RecordedFile", "list_files", "load_recorded", "rebuilt_scene"]


@dataclass(frozen=True)
class RecordedFile:
    """A file in a recording, or one that it only names."""

    name: str  # relative to the scene's folder
    kind: str  # scene, include, code, file, or used (by a command, while it ran)
    sha256: str
    size: int | None  # bytes; None: not inside, only its hash


def list_files(recording: Path) -> list[RecordedFile]:
    """List the files of a recording; nothing of them is loaded or executed."""
    from robotix.scene.recording.replay import read_header, read_used_files

    origin = read_header(recording).origin
    found = []
    if origin.name:
        found.append(_inside(origin.name, "scene", origin.text.encode()))
    found += [_inside(name, "include", text.encode()) for name, text in origin.includes.items()]
    for name in sorted({*origin.files, *origin.contents}):
        if name in origin.contents:
            kind = "code" if name.endswith(".py") else "file"
            found.append(_inside(name, kind, origin.contents[name]))
        else:
            found.append(RecordedFile(name, "file", origin.files[name], None))
    found += [_inside(file.name, "used", file.data) for file in read_used_files(recording)]
    return found


def _inside(name: str, kind: str, data: bytes) -> RecordedFile:
    return RecordedFile(name, kind, sha256(data).hexdigest(), len(data))


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


def load_recorded(recording: Path, header: Header, scene: Path, *, trust: Trust) -> Scene:
    """Load a scene that was rebuilt from a recording; its code runs only if it is trusted.

    Raise `BadFile`, with names and hashes, if it has plug-ins that are neither known nor accepted
    by `trust`: a replay without them would be another one. Those that did not run when it was
    recorded do not run now, either.
    """
    from robotix.authoring import load_scene
    from robotix.authoring.trust import describe, may_run

    origin, refused = header.origin, []

    def ask(request: PluginRequest) -> bool:
        if may_run(request, trust):
            return True
        refused.append(describe(request))
        return False

    room = load_scene(scene, rate=origin.rate, seed=origin.seed, trust=ask, without=origin.disabled)
    if refused:
        room.plugins.close()
        found = f"Python code that is not trusted here: {'; '.join(refused)}"
        expected = "code that has run here before; list it with --list, run it with --trust"
        raise BadFile(str(recording), found, expected)
    return room
