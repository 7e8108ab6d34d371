"""What a scene file may say, but hardly means: nobody refuses it, `check_scene` warns of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from robotix.authoring.schema.slots import slots
from robotix.errors import BadFile
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlValue
from robotix.scene.commands.basic import StartTimer
from robotix.scene.commands.robots import Init
from robotix.scene.events.devices import AXES, BUTTONS, KEYBOARD, KEYS
from robotix.scene.events.events import Axis, Button, ButtonHeld, Signal, Timer
from robotix.scene.scene import Scene

__all__ = ["find_warnings"]

ParsedItem = Sequence[tuple[Any, YamlValue]]  # sources and commands, and where each of them stands
NO_ROBOT = "a robot, as there is none in this room"


def find_warnings(made: ParsedItem, scene: Scene, *, has_plugins: bool) -> Iterator[BadFile]:
    """Yield what is there in vain, as far as one can tell; plug-ins may do anything."""
    timers = {command.timer for command, _ in made if isinstance(command, StartTimer)}
    signals = {signal for command, _ in made for signal in _sent(command)}
    for robot in scene.robots.values():
        signals |= {robot.stroke_signal, robot.motion_signal}
    has_robots = (
        scene.robots or has_plugins or any(isinstance(command, Init) for command, _ in made)
    )
    for one, place in made:
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
            case _ if not has_robots and any(slot.key == "robot" for slot in slots(type(one))):
                yield place.fault("nothing to command", NO_ROBOT)


def _sent(command: Any) -> Iterator[str]:
    """Yield the signals that a command may send: `signal`, `on_…` and `at_…` name them."""
    if isinstance(command, Signal):
        return
    for slot in slots(type(command)):
        value = getattr(command, slot.name)
        if slot.name.startswith(("signal", "on_", "at_")) and isinstance(value, str):
            yield value


def _button(device: str, button: str, scene: Scene, place: YamlValue) -> Iterator[BadFile]:
    if device == KEYBOARD:
        if button not in KEYS:
            yield place.fault(f"no key {button!r}", nearest(button, KEYS, what="the name of a key"))
        return
    for kind, buttons in BUTTONS.items():
        if scene.devices.get(device) == kind and button not in buttons:
            found = f"the button {button!r}, which needs a mapping of its own"
            yield place.fault(found, nearest(button, buttons, what=f"a button of kind {kind}"))


def _axis(device: str, axis: int, scene: Scene, place: YamlValue) -> Iterator[BadFile]:
    kind = "buttons" if device == KEYBOARD else scene.devices.get(device)
    count = next((len(names) for each, names in AXES.items() if each == kind), axis + 1)
    if axis >= count:
        expected = f"one from 0 to {count - 1}" if count else "a device with axes"
        yield place.fault(f"axis {axis} of {device!r}, a device of kind {kind}", expected)
