"""Inputs of a running scene: devices and console lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robotix.devices import Controls
    from robotix.inputs.readings import Inputs
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import InputSource
    from robotix.scene.scene import Scene

__all__ = ["make_controls", "read_controls", "with_console"]

JOYSTICK = Path("/dev/input/js0")
MAPPING_SUFFIXES = (".yaml", ".yml")


def make_controls(scene: Scene, file: Path | None = None) -> Controls:
    """Return the devices of a scene, by a mapping (.yaml) or by recorded samples (any other file).

    Without a file the default mapping is used.
    """
    from robotix.devices import (
        Controls,
        LinuxJoystick,
        default_device_map,
        fit_to_scene,
        load_device_map,
        load_samples,
    )

    if file is not None and file.suffix.lower() not in MAPPING_SUFFIXES:
        samples = load_samples(file).values()
        return Controls(fit_to_scene(default_device_map(), scene.devices), samples)
    mapping = default_device_map() if file is None else load_device_map(file)
    devices = [LinuxJoystick(JOYSTICK)] if JOYSTICK.exists() else []
    return Controls(fit_to_scene(mapping, scene.devices), devices)


def read_controls(controls: Controls, scene: Scene, *, is_paced: bool) -> Callable[[float], Inputs]:
    """Return an input source that reads these devices.

    Without pacing, the time of the scene replaces that of the clock, so that recorded samples keep
    their times.
    """
    from robotix.inputs.readings import Inputs

    def read(now: float) -> Inputs:
        return Inputs(controls.read(now if is_paced else scene.time))

    return read


def with_console(
    console: ConsoleInput, source: InputSource | None, *, on_quit: Callable[[], None]
) -> Callable[[float], Inputs]:
    """Return an input source that adds the lines typed at a console to those of `source`."""
    from robotix.inputs.readings import Inputs

    nothing = Inputs()  # one object: a recorder detects by identity that nothing is new

    def read(now: float) -> Inputs:
        inputs = console.add_to(nothing if source is None else source(now))
        if console.has_quit:
            on_quit()
        return inputs

    return read
