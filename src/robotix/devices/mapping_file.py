"""Mappings from YAML files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from robotix.devices.channel import check_feed
from robotix.devices.device import Device
from robotix.devices.mapping import DeviceFeed, DeviceMap, Logical
from robotix.devices.network.source import NetworkSource
from robotix.devices.program import Program
from robotix.devices.standard import make_standard_devices
from robotix.devices.watchdog import DeviceLimits
from robotix.errors import UnknownName
from robotix.files.source_file import read_text
from robotix.files.typed.reader import AlreadyReported, Reader
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlSequence, YamlValue

__all__ = ["default_device_map", "load_device_map"]

MAX_FILE_BYTES = 1 << 20  # bytes


@dataclass(frozen=True)
class _Contents:
    """Contents of a mapping file."""

    robotix: Literal[1]  # the version of the format
    logical: Mapping[str, Logical]
    trust: Mapping[str, DeviceLimits] = field(default_factory=dict)
    network: Mapping[str, NetworkSource] = field(default_factory=dict)  # on other machines


def load_device_map(path: str | Path, devices: Iterable[Device] = ()) -> DeviceMap:
    """Read a mapping; axes and buttons of standard devices, and of those given, are checked."""
    text = read_text(path, what="a mapping of devices", limit=MAX_FILE_BYTES)
    return _read(text, str(path), {device.name: device for device in devices})


@cache
def default_device_map() -> DeviceMap:
    """Return the default mapping."""
    file = resources.files("robotix.devices") / "data" / "default_devices.yaml"
    return _read(file.read_text(encoding="utf-8"), file.name, {})


def _read(text: str, path: str, devices: Mapping[str, Device]) -> DeviceMap:
    root = parse_yaml(text, path=path)
    reader = Reader()
    try:
        contents: _Contents = reader.record(root, _Contents)
    except AlreadyReported:
        pass
    if reader.problems:
        raise min(reader.problems, key=lambda problem: (problem.line, problem.column))
    remote: dict[str, Device] = {
        name: Program(name, axes=source.axes, buttons=source.buttons)  # has the same names
        for name, source in contents.network.items()
    }
    known = make_standard_devices() | dict(devices) | remote
    for feed, value in _feeds(contents.logical, root):
        if feed.device in known:
            _check_names(feed, known[feed.device], value)
    return DeviceMap(contents.logical, contents.trust, contents.network)


def _feeds(
    logical: Mapping[str, Logical], root: YamlMapping
) -> Iterator[tuple[DeviceFeed, YamlValue]]:
    """Yield every feed with its YAML node."""
    table = root.near("logical")
    if not isinstance(table, YamlMapping):  # the key without a value: no logical devices
        return
    for name, entry in logical.items():
        value = table.near(name)
        listed = value.get("from") if isinstance(value, YamlMapping) else None
        nodes = listed.items if isinstance(listed, YamlSequence) else [value] * len(entry.from_)
        yield from zip(entry.from_, nodes, strict=True)


def _check_names(feed: DeviceFeed, device: Device, value: YamlValue) -> None:
    try:
        check_feed(feed, device)
    except UnknownName as error:
        value.refuse(str(error), "axes and buttons that the device has")
