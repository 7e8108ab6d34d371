"""Speed and separation: how far a person must be from a robot that moves.

    S_p = S_h + S_r + S_s + C + Z_d + Z_r

is the way of the person until the robot rests, the way of the robot before it brakes and while it
brakes, the intrusion distance, and the uncertainties of where person and robot are (ISO/TS 15066
5.5.4, as [Pupa2021] and [Separation2026] give it). With the speeds v_h and v_r, the reaction
time T_r and a constant deceleration a:

    T_s = v_r / a,    S_h = v_h (T_r + T_s),    S_r = v_r T_r,    S_s = v_r² / (2 a)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.errors import BadField

__all__ = ["SeparationSettings", "SeparationTerms", "protective_separation", "speed_for_separation"]

WALKING_SPEED = 1.6  # m/s, of a person towards the robot if it is not measured


@dataclass(frozen=True)
class SeparationSettings:
    """What the protective separation distance depends on besides the speeds."""

    reaction_time: float = 0.1  # s, from a change in the room to the begin of braking
    deceleration: float = 5.0  # m/s², of the fastest point of the robot
    intrusion: float = 0.1  # m, C: how far a part of the body reaches before it is seen
    person_uncertainty: float = 0.05  # m, Z_d
    robot_uncertainty: float = 0.01  # m, Z_r
    person_speed: float | None = WALKING_SPEED  # m/s; None: as measured in every tick

    def __post_init__(self) -> None:
        for name in ("reaction_time", "intrusion", "person_uncertainty", "robot_uncertainty"):
            value = getattr(self, name)
            if not 0 <= value <= 10:
                raise BadField(name, "between 0 and 10", value)
        if not 0.01 <= self.deceleration <= 1000:
            raise BadField("deceleration", "between 0.01 and 1000 m/s²", self.deceleration)
        if self.person_speed is not None and not 0 <= self.person_speed <= 20:
            raise BadField("person_speed", "between 0 and 20 m/s", self.person_speed)

    @property
    def margin(self) -> float:
        """C + Z_d + Z_r, m: what is left when robot and person have come to rest."""
        return self.intrusion + self.person_uncertainty + self.robot_uncertainty


@dataclass(frozen=True)
class SeparationTerms:
    """The parts of a protective separation distance, m."""

    person: float  # S_h
    reaction: float  # S_r
    stopping: float  # S_s
    margin: float  # C + Z_d + Z_r

    @property
    def total(self) -> float:
        """S_p, m."""
        return self.person + self.reaction + self.stopping + self.margin


def protective_separation(
    settings: SeparationSettings,
    *,
    robot_speed: float,
    person_speed: float,
    stopping_time: float | None = None,
) -> SeparationTerms:
    """Return the protective separation distance, term by term.

    `stopping_time` replaces T_s = v_r / a where a robot's stopping time is known, with a constant
    deceleration within it.
    """
    v_r, v_h = max(robot_speed, 0.0), max(person_speed, 0.0)
    stop = v_r / settings.deceleration if stopping_time is None else stopping_time
    return SeparationTerms(
        person=v_h * (settings.reaction_time + stop),
        reaction=v_r * settings.reaction_time,
        stopping=v_r * stop / 2,
        margin=settings.margin,
    )


def speed_for_separation(
    settings: SeparationSettings, separation: float, *, person_speed: float, travelled: float
) -> float:
    """Return the largest speed from which the robot rests before the person reaches it, m/s.

    `separation` was measured one reaction time ago, since when the robot has moved by at most
    `travelled`. Solves S = v_h (T_r + v/a) + travelled + v²/(2a) + C + Z_d + Z_r for v; 0 if the
    separation is too small for any.
    """
    v_h, a = max(person_speed, 0.0), settings.deceleration
    left = separation - v_h * settings.reaction_time - travelled - settings.margin
    return math.sqrt(v_h**2 + 2 * a * left) - v_h if left > 0 else 0.0
