"""What happens between a robot and people, tick by tick, and its summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from robotix.geometry import Array
from robotix.safety.contact import ContactForce

__all__ = ["SAFETY_COLUMNS", "RobotContact", "SafetyLog"]

SAFETY_COLUMNS = (
    "time",  # s
    "distance",  # m, to the nearest part of a person; range of the sensor if nobody is near
    "robot_speed",  # m/s, of the fastest point
    "person_speed",  # m/s, of the fastest point
    "closing_speed",  # m/s, of the nearest pair
    "time_to_contact",  # s, if both go on; -1: never
    "required",  # m, the protective separation distance at these speeds
    "permitted_speed",  # m/s, by the strategy; -1: any
    "is_waiting",  # 1 while it would move but may not
    "force_ratio",  # of a contact in this tick
)
NEVER = -1.0
SLOW = 1e-3  # m/s; a robot that is slower stands


@dataclass(frozen=True)
class RobotContact:
    """A contact of a robot with a person, with its worst moment."""

    time: float  # s, at which it began
    person: str
    segment: str
    body: str  # of the robot
    speed: float  # m/s, relative, along the normal, when they met
    robot_speed: float  # m/s, the robot's part of it
    robot_mass: float  # kg, effective
    force: ContactForce


@dataclass(eq=False)
class SafetyLog:
    """All ticks of a robot with people around."""

    dt: float
    rows: list[tuple[float, ...]] = field(default_factory=list)
    contacts: list[RobotContact] = field(default_factory=list)
    stops: int = 0

    def table(self) -> dict[str, Array]:
        """Return the columns by name, each (n,)."""
        values = np.array(self.rows).reshape(-1, len(SAFETY_COLUMNS))
        return {name: values[:, k] for k, name in enumerate(SAFETY_COLUMNS)}

    def summary(self) -> Mapping[str, float]:
        """Return the figures of the run, in SI units; what is undefined is left out."""
        if not self.rows:
            return {}
        table = self.table()
        coming = table["time_to_contact"][table["time_to_contact"] >= 0]
        figures = {
            "min_distance": float(table["distance"].min()),
            "max_robot_speed": float(table["robot_speed"].max()),
            "max_person_speed": float(table["person_speed"].max()),
            "max_closing_speed": float(table["closing_speed"].max()),
            "waiting_time": float(table["is_waiting"].sum() * self.dt),
            "stops": float(self.stops),
            "contacts": float(len(self.contacts)),
            "moving_contacts": float(sum(each.robot_speed > SLOW for each in self.contacts)),
            "force_ratio": max((each.force.ratio for each in self.contacts), default=0.0),
            "too_near_time": float((table["distance"] < table["required"]).sum() * self.dt),
        }
        if len(coming):
            figures["min_time_to_contact"] = float(coming.min())
        return figures
