"""Short descriptions of what the keys of a scene do: those of its rules, and of its devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from robotix.devices import DeviceMap
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.events.events import Button, ButtonHeld
from robotix.scene.events.rules import Composite
from robotix.scene.scene import Command, SceneRule
from robotix.server.wire.messages import KeyHint

__all__ = ["device_key_hints", "key_hints"]

MAX_HINT_LENGTH = 60  # characters
TURN_MODE = "turner"  # the logical device that pages use to turn the end-effector
# What the axes of a kind of device do, in the positive and in the negative direction.
AXIS_WORDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "translate3": (
        ("move the hand forwards", "move the hand back"),
        ("move the hand left", "move the hand right"),
        ("move the hand up", "move the hand down"),
    ),
    "drive2": (("drive forwards", "drive back"), ("turn left", "turn right")),
    "rotate3": (
        ("roll the hand right (Turn)", "roll the hand left (Turn)"),
        ("tilt the hand down (Turn)", "tilt the hand up (Turn)"),
        ("turn the hand left (Turn)", "turn the hand right (Turn)"),
    ),
}


def key_hints(rules: Iterable[SceneRule]) -> list[KeyHint]:
    """Return a hint for every key that triggers a rule."""
    hints = []
    for rule in rules:
        source = rule.source
        if isinstance(source, Button | ButtonHeld) and source.device == KEYBOARD:
            has_name = rule.name != f"when {source}"
            words = rule.name if has_name else ", ".join(_command_texts(rule.command))
            hints.append(KeyHint(source.button, _shortened(words)))
    return hints


def device_key_hints(device_map: DeviceMap, devices: Mapping[str, str]) -> list[KeyHint]:
    """Return a hint for every key that moves an axis of the devices that a scene declares.

    Pages can also turn the end-effector, by a device that scenes need not declare.
    """
    hints: dict[str, KeyHint] = {}
    used = [name for name in device_map.logical if name in devices or name == TURN_MODE]
    for name in used:
        logical = device_map.logical[name]
        words = AXIS_WORDS.get(logical.kind, ())
        feed = next((feed for feed in logical.from_ if feed.device == KEYBOARD), None)
        if feed is None or not words:
            continue
        for term, (forth, back) in zip(feed.terms, words, strict=True):
            for key, does in ((term.plus, forth), (term.minus, back)):
                if key:
                    hints.setdefault(key, KeyHint(key, does))
    return list(hints.values())


def _command_texts(command: Command) -> Iterator[str]:
    if isinstance(command, Composite):
        for part in command.do:
            yield from _command_texts(part)
    elif is_dataclass(command):
        values = (getattr(command, each.name) for each in fields(command))
        said = (str(value) for value in values if isinstance(value, str) and value)
        yield " ".join([_spaced(type(command).__name__), *said])
    else:
        yield _spaced(getattr(command, "__name__", type(command).__name__))


def _spaced(name: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).replace("_", " ").strip()


def _shortened(words: str) -> str:
    return words if len(words) <= MAX_HINT_LENGTH else words[: MAX_HINT_LENGTH - 1] + "…"
