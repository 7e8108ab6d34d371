"""RULA, Rapid Upper Limb Assessment [McAtamney1993]: a score of 1 to 7 for one side of a posture.

Joint angles are scored; tables A and B combine the scores, muscle use and load are added, and table
C gives the grand score. Tables and their sources: `data/rula.toml`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_angle, check_not_negative, check_one_of
from robotix.ergonomics.methods.tables import (
    direction,
    is_beyond,
    is_inside,
    read_table,
    steps_beyond,
)
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge, scored

__all__ = ["LOAD_KINDS", "Effort", "RulaPosture", "RulaResult", "rula", "rula_edges", "rula_levels"]

LOAD_KINDS = ("intermittent", "static", "repeated", "shock")


@dataclass(frozen=True)
class _Rula:
    title: str
    reference: str
    provenance: str
    force_note: str
    trunk_note: str
    upper_arm_edges: tuple[float, ...]
    lower_arm_band: tuple[float, float]
    wrist_edge: float
    neck_edges: tuple[float, ...]
    trunk_edges: tuple[float, ...]
    load_edges: tuple[float, float]
    table_a: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    table_b: tuple[tuple[tuple[int, ...], ...], ...]
    table_c: tuple[tuple[int, ...], ...]
    levels: tuple[Level, ...]


@dataclass(frozen=True, kw_only=True)
class Effort:
    """Muscle use and load of a group of body parts.

    Args:
        load: Mass held or force over g, kg.
        kind: `"intermittent"`, `"static"`, `"repeated"` or `"shock"` (a jolt).
        is_lasting: The posture is held for more than a minute, or repeated 4 times a minute.
    """

    load: float = 0.0
    kind: str = "intermittent"
    is_lasting: bool = False

    def __post_init__(self) -> None:
        check_not_negative("load", self.load, unit="kg")
        check_one_of("kind of load", self.kind, LOAD_KINDS)


@dataclass(frozen=True, kw_only=True)
class RulaPosture:
    """A posture of one side of the body; angles in rad, flexion positive, extension negative.

    Args:
        upper_arm: Flexion relative to the trunk; 0 is hanging.
        lower_arm: Flexion of the elbow.
        wrist: Flexion of the wrist.
        neck: Flexion against the trunk.
        trunk: Flexion from the vertical.
        arm_crosses: The lower arm works across the midline or out to the side.
        wrist_twisted: The forearm is pronated or supinated near the end of its range.
        trunk_supported: Sitting, well supported.
        legs_supported: Legs and feet supported and evenly loaded.
        arm_effort: Of arm and wrist.
        body_effort: Of neck, trunk and legs.
        neutral: Angles up to this count as 0. The method says 0, which no measured angle is
            exactly.
    """

    upper_arm: float = 0.0
    lower_arm: float = math.pi / 2
    wrist: float = 0.0
    neck: float = 0.0
    trunk: float = 0.0
    shoulder_raised: bool = False
    arm_abducted: bool = False
    arm_supported: bool = False
    arm_crosses: bool = False
    wrist_deviated: bool = False
    wrist_twisted: bool = False
    neck_twisted: bool = False
    neck_side_bent: bool = False
    trunk_twisted: bool = False
    trunk_side_bent: bool = False
    trunk_supported: bool = False
    legs_supported: bool = True
    arm_effort: Effort = Effort()
    body_effort: Effort = Effort()
    neutral: float = 0.0

    def __post_init__(self) -> None:
        for part in ("upper_arm", "lower_arm", "wrist", "neck", "trunk"):
            check_angle(part.replace("_", " "), getattr(self, part))
        check_angle("neutral", self.neutral, low=0, high=20)


@dataclass(frozen=True)
class RulaResult:
    """The grand score, 1 to 7, with its steps."""

    posture: RulaPosture
    steps: tuple[ScoreStep, ...]  # in the order of the score sheet
    posture_a: int  # table A: arm and wrist
    posture_b: int  # table B: neck, trunk, legs
    score_c: int  # A with muscle use and load
    score_d: int  # B with muscle use and load
    score: int  # grand score, table C
    verdict: Verdict
    sources: tuple[str, ...]


def rula(posture: RulaPosture) -> RulaResult:
    """Return the RULA score of a posture."""
    table = _table()
    arm = (_upper_arm(posture, table), _lower_arm(posture, table), _wrist(posture, table))
    twist = _wrist_twist(posture)
    body = (_neck(posture, table), _trunk(posture, table), _legs(posture))
    i, j, k = (int(step.score) - 1 for step in arm)
    a = table.table_a[i][j][k][int(twist.score) - 1]
    i, j, k = (int(step.score) - 1 for step in body)
    b = table.table_b[i][j][k]
    arm_use, body_use = _uses("arm", posture.arm_effort), _uses("body", posture.body_effort)
    c = a + sum(int(step.score) for step in arm_use)
    d = b + sum(int(step.score) for step in body_use)
    score = table.table_c[min(c, 8) - 1][min(d, 7) - 1]
    return RulaResult(
        posture,
        (*arm, twist, *arm_use, *body, *body_use),
        a,
        b,
        c,
        d,
        score,
        judge(score, table.levels),
        (table.title, table.reference, table.provenance, table.force_note, table.trunk_note),
    )


def rula_levels() -> tuple[Level, ...]:
    """Return the action levels of the score."""
    return _table().levels


def rula_edges() -> tuple[float, ...]:
    """Return the angles at which a score changes, in degrees; `neutral` is the neutral width."""
    table = _table()
    arm = (*table.upper_arm_edges, *table.lower_arm_band, table.wrist_edge)
    return (*arm, *table.neck_edges, *table.trunk_edges)


def _upper_arm(posture: RulaPosture, table: _Rula) -> ScoreStep:
    degrees, edges = math.degrees(posture.upper_arm), table.upper_arm_edges
    score = 1 + (steps_beyond(degrees, edges) if degrees >= 0 else is_beyond(-degrees, edges[0]))
    extras = (
        (posture.shoulder_raised, 1, "shoulder raised"),
        (posture.arm_abducted, 1, "abducted"),
        (posture.arm_supported, -1, "supported or leaning"),
    )
    return scored("upper arm", score, direction(posture.upper_arm), extras=extras)


def _lower_arm(posture: RulaPosture, table: _Rula) -> ScoreStep:
    low, high = table.lower_arm_band
    inside = is_inside(math.degrees(posture.lower_arm), table.lower_arm_band)
    reason = f"{direction(posture.lower_arm)}, {'in' if inside else 'out of'} {low:g}..{high:g}°"
    extras = ((posture.arm_crosses, 1, "across the midline or out to the side"),)
    return scored("lower arm", 1 if inside else 2, reason, extras=extras)


def _wrist(posture: RulaPosture, table: _Rula) -> ScoreStep:
    edges = (math.degrees(posture.neutral), table.wrist_edge)
    score = 1 + steps_beyond(abs(math.degrees(posture.wrist)), edges)
    extras = ((posture.wrist_deviated, 1, "bent sideways"),)
    return scored("wrist", score, direction(posture.wrist), extras=extras)


def _wrist_twist(posture: RulaPosture) -> ScoreStep:
    if posture.wrist_twisted:
        return scored("wrist twist", 2, "near the end of its range")
    return scored("wrist twist", 1, "in the middle of its range")


def _neck(posture: RulaPosture, table: _Rula) -> ScoreStep:
    degrees = math.degrees(posture.neck)
    is_extended = is_beyond(-degrees, math.degrees(posture.neutral))
    score = 4 if is_extended else 1 + steps_beyond(degrees, table.neck_edges)
    extras = (
        (posture.neck_twisted, 1, "twisted"),
        (posture.neck_side_bent, 1, "bent sideways"),
    )
    return scored("neck", score, direction(posture.neck), extras=extras)


def _trunk(posture: RulaPosture, table: _Rula) -> ScoreStep:
    extras = (
        (posture.trunk_twisted, 1, "twisted"),
        (posture.trunk_side_bent, 1, "bent sideways"),
    )
    if posture.trunk_supported:
        return scored("trunk", 1, "sitting, well supported", extras=extras)
    edges = (math.degrees(posture.neutral), *table.trunk_edges)
    score = 1 + steps_beyond(abs(math.degrees(posture.trunk)), edges)
    return scored("trunk", score, direction(posture.trunk), extras=extras)


def _legs(posture: RulaPosture) -> ScoreStep:
    if posture.legs_supported:
        return scored("legs", 1, "supported and evenly loaded")
    return scored("legs", 2, "not supported, or unevenly loaded")


def _uses(group: str, effort: Effort) -> tuple[ScoreStep, ScoreStep]:
    held = "held over a minute or repeated 4 times a minute"
    muscle = scored(
        f"{group} muscle use",
        int(effort.is_lasting),
        held if effort.is_lasting else f"not {held}",
        lowest=0,
    )
    reason = f"{effort.load:g} kg, {effort.kind}"
    return muscle, scored(f"{group} load", _load_score(effort), reason, lowest=0)


def _load_score(effort: Effort) -> int:
    light, heavy = _table().load_edges
    if effort.kind == "shock":
        return 3
    if effort.load < light:
        return 0
    points = 2 if is_beyond(effort.load, heavy) else 1
    return points if effort.kind == "intermittent" else points + 1


@cache
def _table() -> _Rula:
    return read_table("rula.toml", _Rula)
