"""Rooms from scene files, as `run` and `replay` need them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from robotix.errors import BadFile

if TYPE_CHECKING:
    from robotix.devices import Controls
    from robotix.inputs.readings import Inputs
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import InputSource
    from robotix.scene.recording.recorder import Header
    from robotix.scene.scene import Scene

__all__ = ["collected_warnings", "load_room", "make_controls", "reading", "rebuilt_scene", "typing"]

JOYSTICK = Path("/dev/input/js0")
MAPPINGS = (".yaml", ".yml")


def load_room(path: Path, *, rate: float | None = None, seed: int | None = None) -> Scene:
    """Load a scene file; `rate` (Hz) and `seed` replace what it says."""
    from robotix.authoring import load_scene

    return load_scene(path, rate=rate, seed=seed)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect what is logged as a warning, instead of leaving it to the terminal."""
    handler, log = _Collector(logging.WARNING), logging.getLogger("robotix")
    log.addHandler(handler)
    try:
        yield handler.messages
    finally:
        log.removeHandler(handler)


class _Collector(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def rebuilt_scene(
    recording: Path, header: Header, folder: Path | None
) -> Iterator[tuple[Path, list[str]]]:
    """Put a recorded scene together; yields its file, and the names of files that have changed.

    `folder` is where the scene's files lie now, when not where they lay then.
    """
    from robotix.scene.recording.origin import rebuild

    origin = header.origin
    if not origin.name:
        found = "a room that was made by a program"
        expected = "one from a scene file; this one needs `robotix.scene.recording.replay.replay`"
        raise BadFile(str(recording), found, expected)
    with TemporaryDirectory(prefix="robotix-") as into:
        yield rebuild(origin, folder or recording.parent / origin.folder, Path(into))


def make_controls(scene: Scene, file: Path | None = None) -> Controls:
    """Return the devices of a scene: by a mapping (.yaml), or by recorded samples (any other).

    Without a file the usual mapping holds.
    """
    from robotix.devices import (
        Controls,
        LinuxJoystick,
        default_device_map,
        fit_to_scene,
        load_device_map,
        load_samples,
    )

    if file is not None and file.suffix.lower() not in MAPPINGS:
        samples = load_samples(file).values()
        return Controls(fit_to_scene(default_device_map(), scene.devices), samples)
    wanted = default_device_map() if file is None else load_device_map(file)
    devices = [LinuxJoystick(JOYSTICK)] if JOYSTICK.exists() else []
    return Controls(fit_to_scene(wanted, scene.devices), devices)


def reading(controls: Controls, scene: Scene, *, is_paced: bool) -> Callable[[float], Inputs]:
    """Return the source of a loop that reads these devices.

    Without pacing the room's time stands for the clock's, so that recorded samples keep theirs.
    """
    from robotix.inputs.readings import Inputs

    def read(now: float) -> Inputs:
        return Inputs(controls.read(now if is_paced else scene.time))

    return read


def typing(
    typist: ConsoleInput, source: InputSource | None, *, on_quit: Callable[[], None]
) -> Callable[[float], Inputs]:
    """Return the source of a loop that also hears what is typed."""
    from robotix.inputs.readings import Inputs

    nothing = Inputs()  # the same every time: a recorder sees at once that nothing is new

    def read(now: float) -> Inputs:
        inputs = typist.add_to(nothing if source is None else source(now))
        if typist.has_quit:
            on_quit()
        return inputs

    return read
