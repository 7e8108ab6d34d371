"""Messages about physics: where things touch, with which forces, and what is connected."""

from __future__ import annotations

from robotix.server.wire.messages import Vector, Wire, WirePart

__all__ = ["ContactMark", "JointMark", "Touches", "WatchTouches"]


class ContactMark(WirePart, frozen=True):
    """Where two bodies touch, and the force on the second in N; zero where it is not known."""

    first: str
    second: str
    at: Vector
    force: Vector


class JointMark(WirePart, frozen=True):
    """A connection of two bodies; `joint` is weld, ball, hinge or slider."""

    name: str
    joint: str
    at: Vector
    axis: Vector


class Touches(Wire, frozen=True, tag="touches"):
    """All contacts and connections; sent only while the page watches them."""

    contacts: list[ContactMark]
    joints: list[JointMark]


class WatchTouches(Wire, frozen=True, tag="watch_touches"):
    """Whether the page needs contacts of robots, and those of free things with their forces."""

    robots: bool = False
    forces: bool = False
