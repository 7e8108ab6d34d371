"""The devices of a room as a file lists them: also those that only rules know of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from robotix.authoring.schema.slots import marks, slots
from robotix.scene.commands.checking import HAND_FIELD, parts_of
from robotix.scene.commands.settings import TrackInit
from robotix.scene.events.devices import KEYBOARD, DeviceKind
from robotix.scene.events.events import Axis
from robotix.scene.graph.field_types import Named
from robotix.scene.scene import Scene

__all__ = ["written_devices"]


def written_devices(scene: Scene) -> dict[str, str]:
    """Return logical devices and their kinds; one that only rules name gets a kind that serves."""
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
    for slot in slots(type(user)):
        name = getattr(user, slot.name)
        if Named("device") in marks(slot.hint) and name not in ("", KEYBOARD):
            yield name, HAND_FIELD if slot.name == HAND_FIELD else use


def _kind(uses: set[str]) -> DeviceKind:
    if "axis" in uses:
        return "move6"
    return "hand" if HAND_FIELD in uses else "buttons"
