"""The devices of a room as a file lists them, including those that only rules name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from robotix.files.typed.fields import field_specs, markers_of
from robotix.files.typed.markers import Named
from robotix.inputs.device_kinds import KEYBOARD, DeviceKind
from robotix.scene.commands.checking import parts_of
from robotix.scene.commands.tracking import TrackInit
from robotix.scene.events.events import Axis
from robotix.scene.graph.field_types import PosedDevice
from robotix.scene.scene import Scene

__all__ = ["written_devices"]


def written_devices(scene: Scene) -> dict[str, str]:
    """Return logical devices and their kinds; one that only rules name gets a suitable kind."""
    used: dict[str, set[str]] = {}
    for rule in scene.rules:
        for user in (rule.source, *parts_of(rule.command)):
            for name, use in _named(user):
                used.setdefault(name, set()).add(use)
    fresh = {name: _kind(uses) for name, uses in used.items() if name not in scene.devices}
    return {**scene.devices, **fresh}


def _named(user: Any) -> Iterator[tuple[str, str]]:
    """Yield the devices that a source or a command names, and what for."""
    if not is_dataclass(user):
        return  # a function, which is refused elsewhere
    use = "axis" if isinstance(user, Axis | TrackInit) else ""
    for slot in field_specs(type(user)):
        name = getattr(user, slot.name)
        if Named("device") in markers_of(slot.hint) and name not in ("", KEYBOARD):
            yield name, "pose" if PosedDevice() in markers_of(slot.hint) else use


def _kind(uses: set[str]) -> DeviceKind:
    if "axis" in uses:
        return "move6"
    return "hand" if "pose" in uses else "buttons"
