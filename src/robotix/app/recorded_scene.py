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
    from robotix.scene.recording.take import Take
    from robotix.scene.scene import Scene

__all__ = ["RecordedFile", "list_files", "load_for_display", "load_recorded", "rebuilt_scene"]

BALL_RADIUS = 0.02  # m, of nodes whose shape is not known
NO_SHAPES_NOTE = (
    "The scene was made by a program, so its shapes were not recorded: every node is a small ball."
)


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

    `folder` is where the files of the scene are now, if not where they were then. Only files of a
    folder that is given may have changed.
    """
    from robotix.scene.recording.origin import rebuild

    origin = header.origin
    if not origin.name:
        found = "a scene that was made by a program"
        expected = "a scene from a file; for others use `robotix.scene.recording.replay.replay`"
        raise BadFile(str(recording), found, expected)
    with TemporaryDirectory(prefix="robotix-") as into:
        there = folder or recording.parent / origin.folder
        yield rebuild(origin, there, Path(into), accept_changed=folder is not None)


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


@contextmanager
def load_for_display(
    take: Take, folder: Path | None, *, trust: bool = False
) -> Iterator[tuple[Scene, list[str]]]:
    """Load the scene of a recording to show it; yield also sentences about what is missing.

    No plug-in runs, not even a known one, unless `trust`, and then only to set the scene up. A
    scene that a program made has no file: its nodes are shown as small balls.
    """
    header = take.header
    if not header.origin.name:
        yield _scene_of_balls(take), [NO_SHAPES_NOTE]
        return
    with rebuilt_scene(take.path, header, folder) as (file, changed):
        scene = _load_without_code(file, header, trust=trust)
        notes = [f"{name} has changed since the recording." for name in changed]
        try:
            yield scene, notes
        finally:
            scene.plugins.close()


def _load_without_code(file: Path, header: Header, *, trust: bool) -> Scene:
    """Load a scene file; its plug-ins set it up only if they are trusted."""
    from robotix.authoring import load_scene
    from robotix.authoring.load.load import examine_scene

    origin = header.origin
    disabled = list(origin.disabled)
    if not trust:
        disabled = [request.name for request in examine_scene(file)[1]]
    return load_scene(file, rate=origin.rate, seed=origin.seed, trust=trust, without=disabled)


def _scene_of_balls(take: Take) -> Scene:
    from robotix.geometry import Sphere
    from robotix.model import Visual
    from robotix.scene.scene import Scene

    scene = Scene(dt=take.header.dt, seed=take.header.seed, name=take.path.stem)
    for name in take.nodes:
        scene.graph.add(name, visuals=[Visual(Sphere(BALL_RADIUS))])
    return scene
