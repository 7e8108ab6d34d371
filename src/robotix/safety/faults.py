"""Faults that are caused on purpose, as data: what fails, when, for how long.

A fault can be written in one line, `KIND name=value …`, in study files, at the console and on the
command line:

    joint_lock joint=3 start=5 seconds=2
    packet_loss loss=0.6 start=2 spread=4
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from robotix.errors import BadField, UnknownName

__all__ = ["CHANNEL_FAULTS", "JOINT_FAULTS", "Fault", "FaultKind", "parse_fault"]

FaultKind: TypeAlias = Literal[
    "joint_lock", "drive_failure", "sensor_freeze", "delay", "packet_loss", "person_steps_in"
]
JOINT_FAULTS: tuple[FaultKind, ...] = ("joint_lock", "drive_failure", "sensor_freeze")
CHANNEL_FAULTS: tuple[FaultKind, ...] = ("delay", "packet_loss")
MAX_TIME = 24 * 3600.0  # s


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong from `start` for some seconds.

    `spread` (s) makes the start later by a random time, and a `joint` of 0 is any joint: both are
    drawn from a seed by `drawn`.
    """

    kind: FaultKind
    start: float = 0.0  # s
    seconds: float = math.inf
    spread: float = 0.0  # s
    joint: int = 0  # counted from 1; 0: one that is drawn
    strength: float = 0.0  # of a drive that fails: the fraction of its speed that is left
    coast: float = 3.0  # rad/s² or m/s²: how a joint without drive slows down
    delay: float = 0.3  # s
    loss: float = 0.5  # fraction of the readings of a device that are lost
    device: str = ""  # whose readings; empty: all
    person: str = ""
    task: str = ""  # that the person performs

    def __post_init__(self) -> None:
        if self.kind not in get_args(FaultKind):
            raise UnknownName("kind of fault", self.kind, get_args(FaultKind))
        for name in ("start", "spread"):
            if not 0 <= getattr(self, name) <= MAX_TIME:
                raise BadField(name, f"0 to {MAX_TIME:g} s", getattr(self, name))
        if not self.seconds > 0:
            raise BadField("seconds", "more than 0 s", self.seconds)
        if self.joint < 0:
            raise BadField("joint", "a number from 1, or 0 for any", self.joint)
        for name in ("strength", "loss"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadField(name, "between 0 and 1", getattr(self, name))
        if not 0 <= self.delay <= 60:
            raise BadField("delay", "0 to 60 s", self.delay)
        if not 0 < self.coast <= 1e6:
            raise BadField("coast", "more than 0 rad/s²", self.coast)
        if self.kind == "person_steps_in" and bool(self.person) != bool(self.task):
            missing = "task" if self.person else "person"
            raise BadField(missing, "both a person and a task, or none of them", "")

    def drawn(self, rng: np.random.Generator, *, joints: int = 0) -> Fault:
        """Return the fault with its start drawn, and its joint out of a number of `joints`."""
        late = float(rng.uniform(0.0, self.spread)) if self.spread else 0.0
        joint = self.joint
        if self.kind in JOINT_FAULTS and not joint and joints:
            joint = int(rng.integers(1, joints + 1))
        return replace(self, start=self.start + late, spread=0.0, joint=joint)

    def __str__(self) -> str:
        changed = (
            f"{each.name}={getattr(self, each.name)}"
            for each in fields(self)
            if each.name != "kind" and getattr(self, each.name) != each.default
        )
        return " ".join([self.kind, *changed])


def parse_fault(text: str) -> Fault | None:
    """Return the fault that a line describes; None for `none`."""
    kind, *options = text.split()
    if kind == "none" and not options:
        return None
    if kind not in get_args(FaultKind):
        raise UnknownName("kind of fault", kind, (*get_args(FaultKind), "none"))
    given: dict[str, Any] = {}
    known = {each.name: each for each in fields(Fault) if each.name != "kind"}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise BadField("fault", "options as name=value", option)
        if name not in known:
            raise UnknownName("option of a fault", name, known)
        given[name] = _value(name, value, known[name].default)
    return Fault(kind, **given)  # type: ignore[arg-type]


def _value(name: str, text: str, default: object) -> float | int | str:
    try:
        if isinstance(default, str):
            return text
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise BadField(name, kind, text) from None
