"""What messages say of people: how they are borne, and what their backs and joints carry."""

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
    """L5/S1 now; forces in N, the moment in N m."""

    compression: float
    low: float  # by the published model that gives least
    high: float  # and by the one that gives most
    level: int  # 1 below the action limit, 2 above it, 3 above the maximum
    advice: str
    shear: float
    shear_level: int  # 1 to 3 likewise
    shear_advice: str
    moment: float  # bends the trunk forward


class ScoreState(WirePart, frozen=True):
    """What a method for postures says."""

    method: str  # RULA, REBA, OWAS
    score: int
    level: int  # 1 is the best of `levels`
    levels: int
    advice: str
    code: str = ""  # the four digits of OWAS


class StrainState(WirePart, frozen=True):
    """What a joint gives."""

    joint: str  # in words
    moment: float  # N m
    demand: float | None  # of the mean strength; none where there is no data
    percent: float | None  # of such people who can


class PersonState(WirePart, frozen=True):
    """A person now; places in the world."""

    name: str
    task: str = ""  # the last one
    note: str = ""  # what is not known, and why
    bears: list[str] = msgspec.field(default_factory=list)  # such as feet, seat, right hand
    load: float = 0.0  # kg, in the hands
    is_dynamic: bool = False  # inertia is counted; else the posture is taken as held
    is_borne: bool = False  # what bears can do so
    com: Vector | None = None  # centre of mass, with what the hands hold
    cop: Vector | None = None  # where the floor presses on the feet
    polygon: list[Vector] = msgspec.field(default_factory=list)  # the support, seen from above
    margin: float | None = None  # m, of the centre of mass inside it
    back: BackState | None = None
    scores: list[ScoreState] = msgspec.field(default_factory=list)
    strains: list[StrainState] = msgspec.field(default_factory=list)  # the most strained first


class BackLimits(WirePart, frozen=True):
    """Limits at L5/S1, N."""

    compression: tuple[float, float]  # action limit, maximum
    shear: tuple[float, float]  # for frequent loading, maximum


class People(Wire, frozen=True, tag="people"):
    """All people now, some 10 times a second while they move; for pages that watch them."""

    time: float
    limits: BackLimits
    people: list[PersonState]


class WatchPeople(Wire, frozen=True, tag="watch_people"):
    """Whether the page wants to know how people are borne and what their joints carry."""

    is_on: bool
