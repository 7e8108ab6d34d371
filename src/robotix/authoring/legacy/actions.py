"""Basic actions of legacy scripts: what each word does, and which words it takes.

RoboTiX documents `wireframe` only; the others follow its manner. Positions are in m and angles in
degrees, three numbers in quotes: "(0.4, 0, 0.5)".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from robotix.scene.commands.animation import PlayClip, RecordClip, StopClip
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.attributes import Hide, SetAttribute, Show, Wireframe
from robotix.scene.commands.basic import (
    Emit,
    PlaySound,
    Say,
    StartTimer,
    StopSound,
    StopTimer,
    TakeSnapshot,
)
from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.sweeping import Sweep
from robotix.scene.graph.field_types import Vector
from robotix.scene.scene import Command

__all__ = ["ACTIONS", "LegacyAction", "read_number", "read_vector"]

_POINT = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True)
class LegacyAction:
    """What an action makes of its words; those in brackets may be left out."""

    usage: str
    make: Callable[..., Command]

    def takes(self, count: int) -> bool:
        """Return whether it takes this many words."""
        words = self.usage.split()
        return sum(not word.startswith("[") for word in words) <= count <= len(words)


def read_number(text: str) -> float:
    """Return a finite number."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is not a finite number")
    return number


def read_vector(text: str) -> Vector:
    """Return three numbers, with or without brackets and commas."""
    x, y, z = map(read_number, text.strip("() ").replace(",", " ").split())
    return x, y, z


def _points(text: str) -> tuple[Vector, ...]:
    return tuple(read_vector(inside) for inside in _POINT.findall(text))


def _turned(node: str, angles: str) -> Command:
    r, p, y = map(math.radians, read_vector(angles))
    return SetAttribute(node, rpy=(r, p, y))


def _hinge(node: str, hand: str, axis: str, lower: str, upper: str) -> Command:
    low, high = math.radians(read_number(lower)), math.radians(read_number(upper))
    return Hinge(node, hand, axis=read_vector(axis), lower=low, upper=high)


def _slide(node: str, hand: str, axis: str, lower: str, upper: str) -> Command:
    low, high = read_number(lower), read_number(upper)
    return Slide(node, hand, axis=read_vector(axis), lower=low, upper=high)


def _gravity(node: str, floor: str, direction: str = "(0, 0, -1)") -> Command:
    return Fall(node, floors=(floor,), direction=read_vector(direction))


def _start_timer(timer: str, seconds: str, again: str = "") -> Command:
    if again not in ("", "again"):
        raise ValueError(f"{again!r} is not `again`")
    return StartTimer(timer, read_number(seconds), again=bool(again))


ACTIONS: Mapping[str, LegacyAction] = {
    "wireframe": LegacyAction("OBJECT", Wireframe),
    "show": LegacyAction("OBJECT", Show),
    "hide": LegacyAction("OBJECT", Hide),
    "material": LegacyAction("OBJECT COLOUR", lambda node, name: SetAttribute(node, material=name)),
    "position": LegacyAction("OBJECT (x,y,z)", lambda n, at: SetAttribute(n, at=read_vector(at))),
    "rotation": LegacyAction("OBJECT (roll,pitch,yaw)", _turned),
    "grab": LegacyAction("OBJECT HAND", Grab),
    "attach": LegacyAction("OBJECT PARENT", Attach),
    "detach": LegacyAction("OBJECT", Detach),
    "hinge": LegacyAction("OBJECT HAND AXIS LOWER UPPER", _hinge),
    "slide": LegacyAction("OBJECT HAND AXIS LOWER UPPER", _slide),
    "path": LegacyAction("OBJECT HAND POINTS", lambda n, hand, p: FollowPath(n, hand, _points(p))),
    "record": LegacyAction("OBJECT CLIP", lambda node, clip: RecordClip(clip, (node,))),
    "play": LegacyAction("CLIP", PlayClip),
    "stop_play": LegacyAction("CLIP", StopClip),
    "sweep": LegacyAction("OBJECT", Sweep),
    "gravity": LegacyAction("OBJECT FLOOR [DIRECTION]", _gravity),
    "say": LegacyAction("TEXT", Say),
    "sound": LegacyAction("FILE", PlaySound),
    "stop_sound": LegacyAction("FILE", StopSound),
    "snapshot": LegacyAction("FILE", TakeSnapshot),
    "emit": LegacyAction("EVENT", Emit),
    "start_timer": LegacyAction("TIMER SECONDS [again]", _start_timer),
    "stop_timer": LegacyAction("TIMER", StopTimer),
}
