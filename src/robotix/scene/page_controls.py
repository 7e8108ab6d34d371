"""Sliders and buttons that a program adds to the page, and what they do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from robotix.errors import BadField, UnknownName

__all__ = ["ControlHandler", "PageControl", "PageControls"]

MAX_CONTROLS = 100
ControlHandler: TypeAlias = Callable[[float], object]  # called with the new value


@dataclass(frozen=True)
class PageControl:
    """A slider from `lower` to `upper`, or a button, whose values are 0."""

    name: str
    kind: Literal["slider", "button"]
    lower: float = 0.0
    upper: float = 0.0
    step: float = 0.0  # of the slider; 0: as fine as the page draws it
    value: float = 0.0

    def __post_init__(self) -> None:
        """Raise BadField unless the name is a line of text and the numbers are in range."""
        if not self.name.strip() or not self.name.isprintable() or ";" in self.name:
            raise BadField("name", "one line of text without ;", repr(self.name))
        if not all(map(math.isfinite, (self.lower, self.upper, self.step, self.value))):
            raise BadField("lower, upper, step and value", "finite numbers", self)
        if self.kind == "slider" and not self.lower < self.upper:
            raise BadField("upper", f"more than the lower end, {self.lower:g}", self.upper)
        if not self.lower <= self.value <= self.upper:
            raise BadField("value", f"from {self.lower:g} to {self.upper:g}", self.value)
        if self.step < 0:
            raise BadField("step", "0 or more", self.step)


class PageControls:
    """The controls of a scene in the order in which they were added.

    `all` is a new tuple whenever something has changed.
    """

    def __init__(self) -> None:
        self.all: tuple[PageControl, ...] = ()
        self._handlers: dict[str, ControlHandler | None] = {}

    def __getitem__(self, name: str) -> PageControl:
        for control in self.all:
            if control.name == name:
                return control
        raise UnknownName("slider or button", name, [each.name for each in self.all])

    def add(self, control: PageControl, handler: ControlHandler | None = None) -> None:
        """Add a control, or replace the one of this name."""
        if control.name not in self._handlers and len(self.all) == MAX_CONTROLS:
            raise BadField("name", f"one of at most {MAX_CONTROLS} controls", repr(control.name))
        known = [each.name for each in self.all]
        if control.name in known:
            at = known.index(control.name)
            self.all = (*self.all[:at], control, *self.all[at + 1 :])
        else:
            self.all = (*self.all, control)
        self._handlers[control.name] = handler

    def remove(self, name: str) -> None:
        """Remove a control."""
        gone = self[name]
        self.all = tuple(each for each in self.all if each is not gone)
        del self._handlers[name]

    def use(self, name: str, value: float = 0.0) -> None:
        """Move a slider to a value, or press a button, as the page does."""
        control = self[name]
        if control.kind == "button" and value != 0:
            raise BadField("value", f"none: {name!r} is a button", value)
        moved = replace(control, value=value)
        if moved.value != control.value:
            self.all = tuple(moved if each is control else each for each in self.all)
        handler = self._handlers[name]
        if handler is not None:
            handler(value)
