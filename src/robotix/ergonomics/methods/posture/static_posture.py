"""Static working postures and how long they may be held, ISO 11226 [ISO2000].

Each part of the body has angles that may be held freely, angles that may not be held at all, and
angles between them, for which the longest holding time falls linearly. Numbers and their sources:
`data/static_posture.toml`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_angle, check_not_negative, check_one_of
from robotix.ergonomics.methods.tables import is_beyond, read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["StaticPosture", "StaticPostureResult", "load_static_postures", "static_posture"]


@dataclass(frozen=True)
class _Part:
    free: float
    last: float
    longest: float
    shortest: float
    may_lean_back: bool
    is_eased_by_support: bool


@dataclass(frozen=True)
class _Table:
    title: str
    reference: str
    provenance: str
    holds: str
    hold_seconds: float
    hold_degrees: float
    asymmetry_deg: float
    parts: dict[str, _Part]


@cache
def load_static_postures() -> _Table:
    """Return the zones and holding times."""
    return read_table("static_posture.toml", _Table)


@dataclass(frozen=True, kw_only=True)
class StaticPosture:
    """A part of the body that is held still.

    Args:
        part: `"trunk"` or `"head"` (inclination from the vertical against standing upright), or
            `"upper_arm"` (elevation from hanging).
        angle: rad; forward is positive.
        seconds: How long it is held.
        is_supported: Whether it is fully supported, by a backrest or an armrest.
        is_asymmetric: Whether trunk or head are twisted or bent to a side.
    """

    part: str
    angle: float
    seconds: float
    is_supported: bool = False
    is_asymmetric: bool = False

    def __post_init__(self) -> None:
        check_one_of("part of the body", self.part, load_static_postures().parts)
        check_angle(self.part.replace("_", " "), self.angle)
        if self.part == "upper_arm" and self.angle < 0:
            raise ValueError("the elevation of an upper arm is 0 or more in every direction")
        check_not_negative("holding time", self.seconds, unit="seconds")


@dataclass(frozen=True)
class StaticPostureResult:
    """How long a posture may be held, and the verdict."""

    posture: StaticPosture
    longest: float  # s; infinite if it may be held freely, 0 if not at all
    steps: tuple[ScoreStep, ...]
    verdict: Verdict
    sources: tuple[str, ...]


def static_posture(posture: StaticPosture) -> StaticPostureResult:
    """Return the longest holding time of a posture, and whether it is kept."""
    table = load_static_postures()
    longest, reason = _longest(posture, table.parts[posture.part])
    degrees = round(math.degrees(posture.angle), 1) + 0.0
    steps = (
        ScoreStep(posture.part.replace("_", " "), degrees, f"degrees; {reason}"),
        ScoreStep("longest time", longest, "s"),
        ScoreStep("held", posture.seconds, "s"),
    )
    level = 0 if math.isinf(longest) else 1 if 0 < longest >= posture.seconds else 2
    levels = (
        Level(0, "acceptable", "may be held without a limit of time"),
        Level(1, "acceptable for a limited time", "followed by recovery"),
        Level(2, "not recommended", "change the posture, or hold it for a shorter time"),
    )
    sources = (table.title, table.reference, table.provenance)
    return StaticPostureResult(posture, longest, steps, judge(level, levels), sources)


def _longest(posture: StaticPosture, part: _Part) -> tuple[float, str]:
    angle = math.degrees(posture.angle)
    if posture.is_asymmetric:
        return 0.0, "twisted or bent to a side"
    if is_beyond(-angle, 0.0):
        if part.may_lean_back and posture.is_supported:
            return math.inf, "backwards, with full support"
        return 0.0, "backwards without full support"
    if not is_beyond(angle, part.free):
        return math.inf, f"up to {part.free:g}°"
    if is_beyond(angle, part.last):
        return 0.0, f"beyond {part.last:g}°"
    if posture.is_supported and part.is_eased_by_support:
        return math.inf, f"up to {part.last:g}°, with full support"
    slope = (part.shortest - part.longest) / (part.last - part.free)
    return part.longest + slope * (angle - part.free), f"from {part.free:g}° to {part.last:g}°"
