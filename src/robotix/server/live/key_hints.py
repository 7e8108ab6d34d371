"""Short descriptions of what the keys of a scene do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.events.events import Button, ButtonHeld
from robotix.scene.events.rules import Composite
from robotix.scene.scene import Command, SceneRule
from robotix.server.wire.messages import KeyHint

__all__ = ["key_hints"]

MAX_HINT_LENGTH = 60  # characters


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
