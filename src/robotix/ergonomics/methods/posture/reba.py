"""REBA, Rapid Entire Body Assessment [Hignett2000]: a score of 1 to 15 for a posture.

Joint angles are scored; tables A and B combine the scores, load and coupling are added, and table C
with the activity gives the result. Tables and their sources: `data/reba.toml`.
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

__all__ = ["RebaPosture", "RebaResult", "reba", "reba_edges", "reba_levels"]


@dataclass(frozen=True)
class _Reba:
    title: str
    reference: str
    provenance: str
    neck_edge: float
    trunk_edges: tuple[float, float]
    knee_edges: tuple[float, ...]
    upper_arm_edges: tuple[float, ...]
    lower_arm_band: tuple[float, float]
    wrist_edge: float
    load_edges: tuple[float, float]
    coupling: dict[str, int]
    table_a: tuple[tuple[tuple[int, ...], ...], ...]
    table_b: tuple[tuple[tuple[int, ...], ...], ...]
    table_c: tuple[tuple[int, ...], ...]
    levels: tuple[Level, ...]


@dataclass(frozen=True, kw_only=True)
class RebaPosture:
    """A posture; angles in rad, flexion positive, extension negative.

    Args:
        neck: Flexion against the trunk.
        trunk: Flexion from the vertical.
        knee: Flexion of the more flexed knee.
        upper_arm: Flexion relative to the trunk; 0 is hanging.
        lower_arm: Flexion of the elbow.
        wrist: Flexion of the wrist.
        on_one_leg: Standing on one leg, or unstable.
        is_sitting: Sitting; knee flexion is then ignored.
        arm_abducted: Abducted or rotated.
        arm_supported: Supported, leaning, or helped by gravity.
        wrist_twisted: Bent sideways or twisted.
        load: Mass held or force over g, kg.
        coupling: `"good"`, `"fair"`, `"poor"` or `"unacceptable"` grip.
        is_static: Some part is held for more than a minute.
        is_repeated: More than 4 times a minute.
        is_rapid: Rapid large changes of posture, or an unstable base.
        neutral: Angles up to this count as 0. The method says "upright", which no measured angle is
            exactly.
    """

    neck: float = 0.0
    trunk: float = 0.0
    knee: float = 0.0
    upper_arm: float = 0.0
    lower_arm: float = math.pi / 2
    wrist: float = 0.0
    neck_twisted: bool = False
    trunk_twisted: bool = False
    on_one_leg: bool = False
    is_sitting: bool = False
    arm_abducted: bool = False
    shoulder_raised: bool = False
    arm_supported: bool = False
    wrist_twisted: bool = False
    load: float = 0.0
    shock: bool = False
    coupling: str = "good"
    is_static: bool = False
    is_repeated: bool = False
    is_rapid: bool = False
    neutral: float = 0.0

    def __post_init__(self) -> None:
        for part in ("neck", "trunk", "knee", "upper_arm", "lower_arm", "wrist"):
            check_angle(part.replace("_", " "), getattr(self, part))
        check_angle("neutral", self.neutral, low=0, high=20)
        check_not_negative("load", self.load, unit="kg")
        check_one_of("coupling", self.coupling, _table().coupling)


@dataclass(frozen=True)
class RebaResult:
    """The score, 1 to 15, with its steps."""

    posture: RebaPosture
    steps: tuple[ScoreStep, ...]  # in the order of the score sheet
    score_a: int  # neck, trunk, legs, load
    score_b: int  # arm, wrist, coupling
    score_c: int  # table C
    score: int  # including the activity score
    verdict: Verdict
    sources: tuple[str, ...]


def reba(posture: RebaPosture) -> RebaResult:
    """Return the REBA score of a posture."""
    table = _table()
    body = (_neck(posture, table), _trunk(posture, table), _legs(posture, table))
    arm = (_upper_arm(posture, table), _lower_arm(posture, table), _wrist(posture, table))
    load, coupling, activity = _load(posture, table), _coupling(posture, table), _activity(posture)
    i, j, k = (int(step.score) - 1 for step in body)
    a = table.table_a[i][j][k] + int(load.score)
    i, j, k = (int(step.score) - 1 for step in arm)
    b = table.table_b[i][j][k] + int(coupling.score)
    c = table.table_c[a - 1][b - 1]
    score = c + int(activity.score)
    sources = (table.title, table.reference, table.provenance)
    steps = (*body, load, *arm, coupling, activity)
    return RebaResult(posture, steps, a, b, c, score, judge(score, table.levels), sources)


def reba_levels() -> tuple[Level, ...]:
    """Return the action levels of the score."""
    return _table().levels


def reba_edges() -> tuple[float, ...]:
    """Return the angles at which a score changes, in degrees; `neutral` is the neutral width."""
    table = _table()
    body = (table.neck_edge, *table.trunk_edges, *table.knee_edges)
    return (*body, *table.upper_arm_edges, *table.lower_arm_band, table.wrist_edge)


def _neck(posture: RebaPosture, table: _Reba) -> ScoreStep:
    degrees = math.degrees(posture.neck)
    is_extended = is_beyond(-degrees, math.degrees(posture.neutral))
    score = 2 if is_extended or is_beyond(degrees, table.neck_edge) else 1
    extras = ((posture.neck_twisted, 1, "twisted or bent sideways"),)
    return scored("neck", score, direction(posture.neck), extras=extras)


def _trunk(posture: RebaPosture, table: _Reba) -> ScoreStep:
    degrees = math.degrees(posture.trunk)
    edges = (math.degrees(posture.neutral), *table.trunk_edges)
    score = 1 + steps_beyond(abs(degrees), edges)
    if degrees < 0:
        score = min(score, 3)  # the method has no higher score for extension
    extras = ((posture.trunk_twisted, 1, "twisted or bent sideways"),)
    return scored("trunk", score, direction(posture.trunk), extras=extras)


def _legs(posture: RebaPosture, table: _Reba) -> ScoreStep:
    if posture.is_sitting:
        return scored("legs", 1, "sitting")
    score, reason = (2, "on one leg, or unstable") if posture.on_one_leg else (1, "on both legs")
    beyond = steps_beyond(math.degrees(posture.knee), table.knee_edges)
    extras = ((beyond > 0, beyond, f"knee {direction(posture.knee)}"),)
    return scored("legs", score, reason, extras=extras)


def _load(posture: RebaPosture, table: _Reba) -> ScoreStep:
    light, heavy = table.load_edges
    score = int(posture.load >= light) + int(is_beyond(posture.load, heavy))
    extras = ((posture.shock, 1, "shock or rapid build-up"),)
    return scored("load", score, f"{posture.load:g} kg", extras=extras, lowest=0)


def _upper_arm(posture: RebaPosture, table: _Reba) -> ScoreStep:
    degrees, edges = math.degrees(posture.upper_arm), table.upper_arm_edges
    score = 1 + (steps_beyond(degrees, edges) if degrees >= 0 else is_beyond(-degrees, edges[0]))
    extras = (
        (posture.arm_abducted, 1, "abducted or rotated"),
        (posture.shoulder_raised, 1, "shoulder raised"),
        (posture.arm_supported, -1, "supported, leaning or helped by gravity"),
    )
    return scored("upper arm", score, direction(posture.upper_arm), extras=extras)


def _lower_arm(posture: RebaPosture, table: _Reba) -> ScoreStep:
    low, high = table.lower_arm_band
    inside = is_inside(math.degrees(posture.lower_arm), table.lower_arm_band)
    reason = f"{direction(posture.lower_arm)}, {'in' if inside else 'out of'} {low:g}..{high:g}°"
    return scored("lower arm", 1 if inside else 2, reason)


def _wrist(posture: RebaPosture, table: _Reba) -> ScoreStep:
    score = 1 + is_beyond(abs(math.degrees(posture.wrist)), table.wrist_edge)
    extras = ((posture.wrist_twisted, 1, "bent sideways or twisted"),)
    return scored("wrist", score, direction(posture.wrist), extras=extras)


def _coupling(posture: RebaPosture, table: _Reba) -> ScoreStep:
    return scored("coupling", table.coupling[posture.coupling], posture.coupling, lowest=0)


def _activity(posture: RebaPosture) -> ScoreStep:
    extras = (
        (posture.is_static, 1, "a part held for more than a minute"),
        (posture.is_repeated, 1, "repeated more than 4 times a minute"),
        (posture.is_rapid, 1, "rapid large changes"),
    )
    is_active = any(applies for applies, _, _ in extras)
    reason = "to start with" if is_active else "nothing static, repeated or rapid"
    return scored("activity", 0, reason, extras=extras, lowest=0)


@cache
def _table() -> _Reba:
    return read_table("reba.toml", _Reba)
