"""Warnings about scene files: valid, but probably not what was meant. `check_scene` shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from robotix.errors import BadFile
from robotix.files.typed.fields import field_specs, markers_of
from robotix.files.typed.markers import Named, SentSignal
from robotix.files.yaml.scalars import nearest
from robotix.inputs.device_kinds import AXES, BUTTONS, KEYBOARD
from robotix.inputs.keys import KEYS
from robotix.scene.commands.animation import PlayClip, RecordClip
from robotix.scene.commands.attaching import Attach
from robotix.scene.commands.basic import StartTimer
from robotix.scene.commands.robots import Init
from robotix.scene.events.events import Axis, Button, ButtonHeld, RegionEntry, Signal, Timer
from robotix.scene.scene import Scene

__all__ = ["find_warnings"]


class Place(Protocol):
    """Where something stands in a file."""

    def fault(self, found: str, expected: str) -> BadFile:
        """Return the error that something is wrong here."""


ParsedItems: TypeAlias = Sequence[tuple[Any, Place]]  # sources, commands, and where they stand
ROBOT_EXPECTED = "a robot, as there is none in this room"


def find_warnings(parsed: ParsedItems, scene: Scene, *, has_plugins: bool) -> Iterator[BadFile]:
    """Yield what has no effect in this room, unless a plug-in uses it."""
    timers = {command.timer for command, _ in parsed if isinstance(command, StartTimer)}
    signals = {signal for command, _ in parsed for signal in _sent_signals(command)}
    clips = {command.clip for command, _ in parsed if isinstance(command, RecordClip)}
    clips |= set(scene.assets.clips)
    for robot in scene.robots.values():
        signals |= {robot.stroke_signal, robot.motion_signal}
    has_robots = (
        scene.robots or has_plugins or any(isinstance(command, Init) for command, _ in parsed)
    )
    for one, place in parsed:
        match one:
            case Timer(name) if name not in timers and not has_plugins:
                expected = nearest(name, timers, what="one that a command starts")
                yield place.fault(f"nothing starts the timer {name!r}", expected)
            case Signal(name) if name not in signals and not has_plugins:
                expected = nearest(name, signals - {""}, what="one that a command sends")
                yield place.fault(f"nothing in this file sends the event {name!r}", expected)
            case Button(device, button):
                yield from _button(device, button, scene, place)
            case ButtonHeld():
                yield from _button(one.pressed.device, one.pressed.button, scene, place)
            case Axis(device, axis):
                yield from _axis(device, axis, scene, place)
            case RegionEntry() | Attach():
                yield from _nodes(one, scene, place)
            case PlayClip(clip) if clip not in clips and not has_plugins:
                expected = nearest(clip, clips, what="one that record_clip makes")
                yield place.fault(f"nothing records the clip {clip!r}", expected)
            case _ if not has_robots and any(
                Named("robot") in markers_of(slot.hint) for slot in field_specs(type(one))
            ):
                yield place.fault("nothing to command", ROBOT_EXPECTED)


def _nodes(one: RegionEntry | Attach, scene: Scene, place: Place) -> Iterator[BadFile]:
    """Yield what is wrong with nodes that exist, but not for this."""
    if isinstance(one, Attach):
        node = scene.graph[one.node] if one.node in scene.graph else None
        if node is not None and one.to in {each.name for each in node.branch()}:
            where = "itself" if one.to == one.node else f"{one.to!r}, which stands on it"
            yield place.fault(f"{one.node!r} attached to {where}", "another node")
        return
    if one.region in scene.graph:
        has_shape = any(each.solids for each in scene.graph[one.region].branch())
        if not has_shape:
            yield place.fault(f"{one.region!r}, which has no shape to be in", "a region")


def _sent_signals(command: Any) -> Iterator[str]:
    """Yield the signals that a command may send."""
    for slot in field_specs(type(command)):
        if SentSignal() in markers_of(slot.hint):
            yield getattr(command, slot.name)


def _button(device: str, button: str, scene: Scene, place: Place) -> Iterator[BadFile]:
    if device == KEYBOARD:
        if button not in KEYS:
            yield place.fault(f"no key {button!r}", nearest(button, KEYS, what="the name of a key"))
        return
    for kind, buttons in BUTTONS.items():
        if scene.devices.get(device) == kind and button not in buttons:
            found = f"the button {button!r}, which needs a mapping of its own"
            yield place.fault(found, nearest(button, buttons, what=f"a button of kind {kind}"))


def _axis(device: str, axis: int, scene: Scene, place: Place) -> Iterator[BadFile]:
    kind = "buttons" if device == KEYBOARD else scene.devices.get(device)
    count = next((len(names) for each, names in AXES.items() if each == kind), axis + 1)
    if axis >= count:
        expected = f"one from 0 to {count - 1}" if count else "a device with axes"
        yield place.fault(f"axis {axis} of {device!r}, a device of kind {kind}", expected)
