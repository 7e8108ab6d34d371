"""The wheelchair and its rider as masses over wheels.

The frame is that of the rail: origin on the floor under the middle of the rear axle, x forward, y
to the left, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources

import numpy as np

from robotix.errors import BadField
from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array, Pose
from robotix.model import ControlPoint, Model
from robotix.model.rail import load_wheelchair_rail, mount_on_rail
from robotix.model.robots import load

__all__ = [
    "Ballast",
    "ChairBase",
    "hand_point",
    "load_chair",
    "load_rider",
    "load_with_rail",
    "support_polygon",
]

HAND_OFFSET = 0.1  # m beyond the flange, between the fingers of a gripper (assumed)
POINT_KEYS = ("drive_wheels", "casters", "anti_tip_wheels")


@dataclass(frozen=True, eq=False)
class Ballast:
    """A mass that keeps its place on the chair."""

    mass: float  # kg
    com: Array  # (3,), m


@dataclass(frozen=True, eq=False)
class ChairBase:
    """A wheelchair as static stability sees it; lengths in m."""

    body: Ballast
    drive_wheels: Array  # (2, 2), where they touch the floor
    casters: Array  # (2, 2)
    anti_tip_wheels: Array  # (2, 2)
    length: float
    width: float
    target_tip_angle: float  # rad, asked of chairs by a source of the data file

    def with_mass(self, mass: float) -> ChairBase:
        """Return the same chair with another mass."""
        if not 0 < mass < 1000:
            raise BadField("mass of the chair", "between 0 and 1000 kg", mass)
        return replace(self, body=replace(self.body, mass=mass))


def load_chair() -> ChairBase:
    """Return the wheelchair of the data file."""
    table = _read("chair")
    table.only("mass", "com", *POINT_KEYS, "length", "width", "target_tip_angle_deg")
    drive_wheels, casters, anti_tip_wheels = (
        np.array(table.points(key))[:, :2] for key in POINT_KEYS
    )
    return ChairBase(
        _ballast(table),
        drive_wheels,
        casters,
        anti_tip_wheels,
        table.number("length"),
        table.number("width"),
        float(np.radians(table.number("target_tip_angle_deg"))),
    )


def load_rider() -> Ballast:
    """Return the seated person of the data file."""
    table = _read("person")
    table.only("mass", "com")
    return _ballast(table)


def load_with_rail(arm: str, *, tilt: float = 0.0) -> Model:
    """Return an arm, of the library or of a file, on the chair's rail: its first joint is `rail`.

    An arm that is on the rail already must be in the library under `NAME_rail`.
    """
    name = arm.removesuffix("_rail")
    return mount_on_rail(load(name), load_wheelchair_rail().rail, tilt=tilt)


def hand_point(model: Model) -> ControlPoint:
    """Return the point between the fingers of a gripper on the flange, `HAND_OFFSET` beyond it."""
    tip = model.point(model.tip)
    return ControlPoint(tip.body, tip.pose @ Pose.at(0.0, 0.0, HAND_OFFSET))


def support_polygon(chair: ChairBase, *, anti_tip: bool) -> Array:
    """Corners (N, 2) of the convex hull of the wheels' contacts, counter-clockwise."""
    wheels = [chair.drive_wheels, chair.casters]
    return convex_hull(np.concatenate([*wheels, chair.anti_tip_wheels] if anti_tip else wheels))


def convex_hull(points: Array) -> Array:
    """Corners of the convex hull of points in the plane, counter-clockwise, by monotone chains."""
    ordered = sorted(map(tuple, points.tolist()))

    def chain(places: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        kept: list[tuple[float, ...]] = []
        for place in places:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], place) <= 0:
                kept.pop()
            kept.append(place)
        return kept[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _read(key: str) -> TomlTable:
    file = resources.files(__package__) / "data" / "wheelchair.toml"
    top = parse_toml(file.read_text(encoding="utf-8"), path=file.name)
    top.only("version", "confidence", "sources", "chair", "person")
    return top.table(key)


def _ballast(table: TomlTable) -> Ballast:
    return Ballast(table.number("mass", low=0.0), np.array(table.numbers("com", (3,))))
