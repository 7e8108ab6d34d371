"""Messages about people: support and balance, spinal loads, joint strength."""

from __future__ import annotations

import msgspec

from robotix.server.wire.messages import Vector, Wire, WirePart

__all__ = [
    "BackLimits",
    "BackState",
    "People",
    "PersonState",
    "ScoreState",
    "StrainState",
    "WatchPeople",
]


class BackState(WirePart, frozen=True):
    """Current loads at L5/S1; forces in N, the moment in N m."""

    compression: float
    low: float  # lowest estimate of the published models
    high: float  # highest estimate
    level: int  # 1 below the action limit, 2 above it, 3 above the maximum
    advice: str
    shear: float
    shear_level: int  # 1 to 3, likewise
    shear_advice: str
    moment: float  # positive: bends the trunk forward


class ScoreState(WirePart, frozen=True):
    """Score of a posture-assessment method."""

    method: str  # RULA, REBA, OWAS
    score: int
    level: int  # 1 is the best of `levels`
    levels: int
    advice: str
    code: str = ""  # the four-digit code of OWAS


class StrainState(WirePart, frozen=True):
    """Load of a joint, compared with its strength."""

    joint: str  # display name
    moment: float  # N m
    demand: float | None  # fraction of the mean strength; None without data
    percent: float | None  # percentage of the population that is strong enough


class PersonState(WirePart, frozen=True):
    """Current state of a person; positions in the world frame."""

    name: str
    task: str = ""  # the last one performed
    note: str = ""  # what could not be computed, and why
    bears: list[str] = msgspec.field(
        default_factory=list
    )  # supporting contacts: feet, seat, right hand …
    load: float = 0.0  # kg, in the hands
    is_dynamic: bool = False  # inertia is included; otherwise quasi-static
    is_supported: bool = False  # the contacts can support the body
    com: Vector | None = None  # centre of mass, including the load in the hands
    cop: Vector | None = None  # centre of pressure
    polygon: list[Vector] = msgspec.field(default_factory=list)  # support polygon, seen from above
    margin: float | None = None  # m, from the centre of mass to its edge; positive inside
    back: BackState | None = None
    scores: list[ScoreState] = msgspec.field(default_factory=list)
    strains: list[StrainState] = msgspec.field(default_factory=list)  # highest demand first


class BackLimits(WirePart, frozen=True):
    """Limits at L5/S1, N."""

    compression: tuple[float, float]  # action limit, maximum
    shear: tuple[float, float]  # for frequent loading, maximum


class People(Wire, frozen=True, tag="people"):
    """State of all people, about 10 times a second while they move; for subscribed pages."""

    time: float
    limits: BackLimits
    people: list[PersonState]


class WatchPeople(Wire, frozen=True, tag="watch_people"):
    """Subscribe to `people` messages, or unsubscribe."""

    is_on: bool
