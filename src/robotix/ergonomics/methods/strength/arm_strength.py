"""Arm Force Field: strength of women's arms by place of the hand and direction [LaDelfa2017].

A neural network of the authors gives the mean strength without gravity, from the position of the
hand relative to the shoulder and the direction of the force; the weight of the arm helps or
hinders. Strength is spread normally between people. Constants: `data/arm_force_field.toml`.

Axes are those of the trunk at the shoulder: forward, outward (to the side of the arm), up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from robotix.ergonomics.methods.checks import check_not_negative, check_range
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge
from robotix.geometry import Array

__all__ = ["ArmExertion", "ArmStrengthResult", "arm_strength"]

Vector: TypeAlias = tuple[float, float, float]
GRAVITY = 9.81  # m/s², as in the authors' programs
ZERO = 1e-12  # components of a unit force below this count as none


@dataclass(frozen=True)
class _Network:
    output_gain: float
    output_offset: float
    output_bias: float
    input_offset: tuple[float, ...]
    input_gain: tuple[float, ...]
    bias: tuple[float, ...]
    output_weights: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class _Bounds:
    least: tuple[float, ...]
    greatest: tuple[float, ...]


@dataclass(frozen=True)
class _Table:
    title: str
    reference: str
    provenance: str
    caution: str
    coefficient_of_variation: float
    body_mass: float
    mass_fractions: tuple[float, float, float]
    centres: tuple[float, float, float]
    capable: float
    height_tolerance: float
    range: dict[str, tuple[float, float]]
    network: _Network
    bounds: _Bounds


@cache
def _table() -> _Table:
    return read_table("arm_force_field.toml", _Table)


@dataclass(frozen=True, kw_only=True)
class ArmExertion:
    """A force of one hand. All vectors are forward, outward, up, from the shoulder.

    Args:
        hand: Knuckles, m.
        direction: Of the force on the object; any length but 0.
        force: N.
        elbow, wrist: m; both, or neither: then the weight of the arm does not count.
        down: Direction of gravity; another than straight down if the trunk leans.
    """

    hand: Vector
    direction: Vector
    force: float
    elbow: Vector | None = None
    wrist: Vector | None = None
    down: Vector = (0.0, 0.0, -1.0)

    def __post_init__(self) -> None:
        limits = _table().range
        for name, value in zip(("forward", "outward", "up"), self.hand, strict=True):
            low, high = limits[name]
            check_range(f"hand, {name},", value, low=low, high=high, unit="m")
        low, high = limits["reach"]
        check_range("reach", math.hypot(*self.hand), low=low, high=high, unit="m")
        check_not_negative("force", self.force, unit="newtons")
        if (self.elbow is None) != (self.wrist is None):
            raise ValueError("elbow and wrist are given both, or neither")
        for what, vector in (("force", self.direction), ("gravity", self.down)):
            if not 0 < math.hypot(*vector) < math.inf:
                raise ValueError(f"the direction of {what} must have a finite length above 0")


@dataclass(frozen=True)
class ArmStrengthResult:
    """The strength of women's arms for an exertion."""

    exertion: ArmExertion
    mean: float  # N, without gravity
    sd: float  # N
    assist: float  # N: what the weight of the arm adds in the direction of the force
    percent_capable: float  # of women
    steps: tuple[ScoreStep, ...]
    verdict: Verdict
    sources: tuple[str, ...]

    def for_percent(self, percent: float) -> float:
        """Return the force that this percentage of women can exert, N."""
        check_range("percentage", percent, low=0.1, high=99.9, unit="%")
        return NormalDist(self.mean, self.sd).inv_cdf(1 - percent / 100) + self.assist


def arm_strength(exertion: ArmExertion) -> ArmStrengthResult:
    """Return the strength of women's arms for an exertion."""
    table = _table()
    hand, force = np.array(exertion.hand), _unit(exertion.direction)
    least, greatest = _bounds(hand, force, table)
    mean = float(np.clip(_network(hand, force, table.network), least, greatest))
    sd = table.coefficient_of_variation * mean
    assist = float(_weight_of_arm(exertion, table) @ force)
    percent = 100 * (1 - NormalDist(mean, sd).cdf(exertion.force - assist))
    counted = "of the arm" if exertion.elbow is not None else "not counted"
    steps = (
        ScoreStep("mean strength", mean, "N, without gravity"),
        ScoreStep("standard deviation", sd, f"N, {table.coefficient_of_variation:g} of the mean"),
        ScoreStep("weight", assist, f"N in the direction of the force, {counted}"),
        ScoreStep("percent capable", percent, f"of women, of {exertion.force:g} N"),
    )
    words = f"{table.capable:g} % of women"
    levels = (
        Level(100 - table.capable, "acceptable", f"at least {words} are strong enough"),
        Level(math.inf, "too much", f"fewer than {words} are strong enough: reduce the force"),
    )
    sources = (table.title, table.reference, table.provenance, table.caution)
    verdict = judge(100 - percent, levels)
    return ArmStrengthResult(exertion, mean, sd, assist, percent, steps, verdict, sources)


def _unit(vector: Vector) -> Array:
    found = np.array(vector, dtype=float)
    return np.asarray(found / np.linalg.norm(found))


def _network(hand: Array, force: Array, network: _Network) -> float:
    forward, outward, up = hand
    f_forward, f_outward, f_up = force
    moment = np.array(
        [
            forward * f_outward - outward * f_forward,
            outward * f_up - up * f_outward,
            up * f_forward - forward * f_up,
        ]
    )
    arms = [math.hypot(forward, outward), math.hypot(up, outward), math.hypot(up, forward)]
    size = float(np.linalg.norm(moment))
    inputs = np.array(
        [
            *(up, forward, outward),
            *arms,
            *(f_up, f_forward, f_outward),
            *moment,
            *(size, size**2, size**3),
            *(arms[0] * f_up, arms[1] * f_forward, arms[2] * f_outward),
        ]
    )
    scaled = np.array(network.input_gain) * (inputs - np.array(network.input_offset)) - 1
    nodes = np.tanh(np.array(network.bias) + np.array(network.weights) @ scaled)
    output = network.output_bias + float(np.array(network.output_weights) @ nodes)
    return (output + 1) / network.output_gain + network.output_offset


def _bounds(hand: Array, force: Array, table: _Table) -> tuple[float, float]:
    height = 0 if abs(hand[2]) <= table.height_tolerance else int(math.copysign(1, hand[2]))
    signs = [0 if abs(each) < ZERO else int(math.copysign(1, each)) for each in force]
    place = 0
    for code in (height, signs[0], signs[2], signs[1]):  # height, forward, up, outward
        place = 3 * place + code + 1
    return table.bounds.least[place], table.bounds.greatest[place]


def _weight_of_arm(exertion: ArmExertion, table: _Table) -> Array:
    """Return the force at the hand that balances like the weight of the arm, N."""
    if exertion.elbow is None or exertion.wrist is None:
        return np.zeros(3)
    points = [np.zeros(3), *(np.array(p) for p in (exertion.elbow, exertion.wrist, exertion.hand))]
    down = _unit(exertion.down)
    moment = np.zeros(3)
    for k, (part, centre) in enumerate(zip(table.mass_fractions, table.centres, strict=True)):
        place = points[k] + centre * (points[k + 1] - points[k])
        moment += np.cross(place, down) * table.body_mass * part * GRAVITY
    reach = float(np.linalg.norm(points[3]))
    direction = np.cross(moment, points[3])
    length = float(np.linalg.norm(direction))
    if length == 0:
        return np.zeros(3)
    return np.asarray(direction / length * np.linalg.norm(moment) / reach)
