"""Arms on the rail of a wheelchair: one more joint, along a U around the seat.

The frame is the chair's: origin on the floor under the middle of the rear axle, x forward, y to
the left, z up. The carriage's x axis points away from the chair, its z axis up, or as far from up
as the rail is tilted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from importlib import resources

import numpy as np

from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array, Pose, rotation_about
from robotix.model.body import Body, Visual
from robotix.model.capsules import capsules_along
from robotix.model.joint import Joint
from robotix.model.path import PlanarPath, make_u_rail
from robotix.model.robot_info import INFO_KEYS, RobotSummary, read_info
from robotix.model.tree import ControlPoint, Model

__all__ = ["Rail", "RailFile", "load_wheelchair_rail", "mount_on_rail"]

_RAIL_KEYS = (
    *("height", "half_width", "rear_x", "front_x", "corner_radius", "blend", "radius"),
    *("velocity", "acceleration", "mass", "com", "rgba"),
    *("tilt_point", "tilt_axis", "tilt_lower_deg", "tilt_upper_deg"),
)


@dataclass(frozen=True, eq=False)
class Rail:
    """A planar rail that tilts about a horizontal axis; lengths in m, angles in rad."""

    path: PlanarPath
    height: float  # of the path's plane above the floor, not tilted
    tilt_point: Array  # (3,), on the tilt axis
    tilt_axis: Array  # (3,), a positive turn lowers the front
    tilt_range: tuple[float, float]
    velocity: float
    acceleration: float
    mass: float
    com: Array  # (3,), in the frame of the chair, not tilted
    radius: float  # of the tube that is drawn
    rgba: tuple[float, float, float, float]
    source: str = ""

    def base_from_rail(self, tilt: float) -> Pose:
        """Pose of the rail's frame (in the path's plane, above the chair's origin)."""
        turn = rotation_about(self.tilt_axis, tilt)
        flat = np.array([0.0, 0.0, self.height])
        return Pose(turn, self.tilt_point + turn @ (flat - self.tilt_point))


@dataclass(frozen=True, eq=False)
class RailFile:
    """All that the rail's file says."""

    rail: Rail
    arms: tuple[str, ...]  # library arms that are offered on it
    top: TomlTable

    def info(self, model: Model) -> RobotSummary:
        """What is known about the rail, for a model that stands on it."""
        return read_info(self.top, model)


def mount_on_rail(arm: Model, rail: Rail, *, tilt: float = 0.0, name: str = "") -> Model:
    """Return the arm on the carriage of a rail: its joints follow the joint `rail`."""
    low, high = rail.tilt_range
    if not low <= tilt <= high:  # also refuses NaN
        raise ValueError(
            f"tilt of the rail must be in [{low:.4f}, {high:.4f}] rad "
            f"({math.degrees(low):g}° to {math.degrees(high):g}°), got {tilt!r}"
        )
    frame = Body(
        "rail",
        Joint("rail_mount"),
        placement=rail.base_from_rail(tilt),
        mass=rail.mass,
        com=rail.com - np.array([0.0, 0.0, rail.height]),
        visuals=_drawn(rail),
    )
    slide = Joint(
        "rail",
        "path",
        lower=0.0,
        upper=rail.path.length,
        velocity=rail.velocity,
        acceleration=rail.acceleration,
        path=rail.path,
    )
    carriage = Body("carriage", slide, "rail")
    stand = Model(
        "rail",
        (frame, carriage),
        points={"mounting_plate": ControlPoint("carriage")},
        source=rail.source,
        gravity=arm.gravity,
    )
    mounted = stand.attached(arm, at="mounting_plate", name=name or f"{arm.name}_rail")
    return replace(mounted, source="; ".join(filter(None, (arm.source, rail.source))))


def load_wheelchair_rail() -> RailFile:
    """Return the rail of the wheelchair in the library."""
    file = resources.files(__package__) / "data" / "wheelchair_rail.toml"
    top = parse_toml(file.read_text(encoding="utf-8"), path=file.name)
    top.only(*INFO_KEYS, "arms", "rail")
    return RailFile(_read_rail(top.table("rail"), top.text_of("source")), top.texts("arms"), top)


def _read_rail(table: TomlTable, source: str) -> Rail:
    table.only(*_RAIL_KEYS)
    path = make_u_rail(
        half_width=table.number("half_width"),
        rear_x=table.number("rear_x"),
        front_x=table.number("front_x"),
        corner_radius=table.number("corner_radius"),
        blend=table.number("blend"),
    )
    r, g, b, a = table.numbers("rgba", (4,), low=0.0, high=1.0) or (0.5, 0.5, 0.5, 1.0)
    return Rail(
        path,
        table.number("height"),
        np.array(table.numbers("tilt_point", (3,))),
        np.array(table.numbers("tilt_axis", (3,))),
        (
            math.radians(table.number("tilt_lower_deg")),
            math.radians(table.number("tilt_upper_deg")),
        ),
        table.number("velocity", math.inf, low=0.0),
        table.number("acceleration", math.inf, low=0.0),
        table.number("mass", 0.0, low=0.0),
        np.array(table.numbers("com", (3,))),
        table.number("radius", low=1e-6),
        (r, g, b, a),
        source,
    )


def _drawn(rail: Rail, count: int = 20) -> tuple[Visual, ...]:
    places = [rail.path.at(float(s))[:2] for s in np.linspace(0.0, rail.path.length, count + 1)]
    tube = capsules_along([(x, y, 0.0) for x, y in places], radius=rail.radius)
    return tuple(Visual(shape, rail.rgba, is_stand_in=True) for shape in tube)
