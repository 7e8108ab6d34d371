"""What a robot does to protect the people around it: its strategy and its reaction, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from robotix.errors import BadField, UnknownName
from robotix.safety.contact import PROBE_AREA
from robotix.safety.separation import SeparationSettings

__all__ = ["ProtectionSettings", "RobotMass", "SafetyReaction", "SafetyStrategy"]

SafetyStrategy: TypeAlias = Literal["none", "ssm", "pfl", "both"]
SafetyReaction: TypeAlias = Literal["none", "stop", "retreat", "avoid"]
RobotMass: TypeAlias = Literal["simplified", "posture"]


@dataclass(frozen=True)
class ProtectionSettings:
    """How a robot protects people.

    `ssm`: speed and separation monitoring; it rests before a person can reach it. `pfl`: power and
    force limiting; it may touch, but so slowly that a transient contact stays within the limits of
    the nearest parts of the body. `both`: as fast as one of the two permits, so it is fast while
    people are far and goes on slowly when they are near.
    """

    strategy: SafetyStrategy = "ssm"
    reaction: SafetyReaction = "stop"
    separation: SeparationSettings = field(default_factory=SeparationSettings)
    robot_mass: RobotMass = "simplified"
    payload: float = 0.0  # kg
    contact_area: float = PROBE_AREA  # m²
    reduced_speed: float = 0.25  # m/s, while it retreats or avoids
    follow_error: float = 0.05  # rad or m between asked and measured motion: a joint fails

    def __post_init__(self) -> None:
        if self.strategy not in get_args(SafetyStrategy):
            raise UnknownName("strategy", self.strategy, get_args(SafetyStrategy))
        if self.reaction not in get_args(SafetyReaction):
            raise UnknownName("reaction", self.reaction, get_args(SafetyReaction))
        if self.robot_mass not in get_args(RobotMass):
            raise UnknownName("robot mass", self.robot_mass, get_args(RobotMass))
        for name, low, high in (
            ("payload", 0.0, 1e4),
            ("contact_area", 1e-6, 1.0),
            ("reduced_speed", 1e-3, 10.0),
            ("follow_error", 1e-4, 10.0),
        ):
            if not low <= getattr(self, name) <= high:
                raise BadField(name, f"between {low:g} and {high:g}", getattr(self, name))
