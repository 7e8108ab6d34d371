"""Inputs of a running scene: devices and console lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robotix.devices import Controls, DeviceMap
    from robotix.inputs.readings import Inputs
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import InputSource
    from robotix.scene.scene import Scene

__all__ = ["make_controls", "read_controls", "with_console"]

JOYSTICK = Path("/dev/input/js0")
MAPPING_SUFFIXES = (".yaml", ".yml")


def make_controls(
    scene: Scene,
    files: Sequence[Path] = (),
    *,
    limit: Callable[[DeviceMap], DeviceMap] = lambda mapping: mapping,
) -> Controls:
    """Return the devices of a scene, by a mapping (.yaml) and recorded samples (any other files).

    Without a mapping the default one is used. Recorded samples replace the devices of this machine;
    those that the mapping names on other machines are opened. `limit` takes out what does not
    count.
    """
    from robotix.devices import (
        Controls,
        Device,
        LinuxJoystick,
        default_device_map,
        fit_to_scene,
        load_device_map,
        load_samples,
    )
    from robotix.devices.network import open_network_devices

    maps = [file for file in files if file.suffix.lower() in MAPPING_SUFFIXES]
    if len(maps) > 1:
        names = " and ".join(map(str, maps[:2]))
        raise ValueError(f"{names} are both mappings of devices; give one, and any recordings")
    mapping = load_device_map(maps[0]) if maps else default_device_map()
    devices: list[Device] = []
    for file in files:
        if file not in maps:
            devices += load_samples(file).values()
    if not devices and JOYSTICK.exists():
        devices.append(LinuxJoystick(JOYSTICK))
    recorded = {device.name for device in devices}
    sources = {name: each for name, each in mapping.network.items() if name not in recorded}
    devices += open_network_devices(sources)
    return Controls(limit(fit_to_scene(mapping, scene.devices)), devices)


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
