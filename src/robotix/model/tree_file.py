"""Robot files made of a tree of bodies, in TOML: humanoids, hands, whatever is no single chain.

    name = "walker"
    tip = "left_sole"

    [[body]]
    name = "pelvis"
    kind = "floating"                # fixed (the default), revolute, prismatic or floating
    xyz = [0.0, 0.0, 0.30]           # where the joint is in the parent, m; rpy or rpy_deg turn it
    mass = 2.0                       # kg; it fills the shapes evenly
    box = [0.05, 0.10, 0.06]         # sizes, m; box_at is the centre

    [[body]]
    name = "thigh"
    parent = "pelvis"
    sides = true                     # makes left_thigh and right_thigh, mirrored at the xz plane
    joint = "hip_pitch"              # its name; that of the body when absent
    kind = "revolute"
    axis = [0, 1, 0]
    xyz = [0.0, 0.03, 0.0]           # of the left one; likewise the limits
    lower_deg = -120                 # or lower, in rad (m for kind = "prismatic"); likewise upper
    upper_deg = 90                   # and velocity; absent: unlimited
    effort = 15                      # N m, or N
    mass = 0.3
    radius = 0.02                    # capsules along the points `shape`, in the body's frame
    shape = [[0, 0, 0], [0, 0, -0.12]]

    [points.sole]
    body = "thigh"
    sides = true
    xyz = [0.0, 0.0, -0.15]

A mirrored joint has the same axis; rotations about x and z change their sign, and so their limits.
Other keys and tables are those of `robot_info`; all bodies have parallel frames unless turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, cast

import numpy as np

from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array, Box, Capsule, Pose, Sphere, rotation_from_rpy
from robotix.model.body import Body, Visual
from robotix.model.capsules import capsules_along, spread_mass
from robotix.model.joint import Joint, JointKind
from robotix.model.robot_info import INFO_KEYS, RobotFile, read_robot_file
from robotix.model.tree import ControlPoint, Model

__all__ = ["parse_tree_file"]

MAX_TABLES = 500
_KINDS = ("fixed", "revolute", "prismatic", "floating")
_POSE_KEYS = ("xyz", "rpy", "rpy_deg")
_BODY_KEYS = (
    *("name", "parent", "sides", "joint", "kind", "axis", "effort", "mass", "radius", "shape"),
    *("box", "box_at", "rgba", "lower", "upper", "velocity"),
    *("lower_deg", "upper_deg", "velocity_deg", *_POSE_KEYS),
)

Side = Literal["", "left_", "right_"]


def parse_tree_file(text: str, *, path: str = "<text>") -> RobotFile:
    """Return the model in the text of a tree file, and what is known about it."""
    top = parse_toml(text, path=path)
    top.only(*INFO_KEYS, "tip", "gravity", "rgba", "body", "points")
    return read_robot_file(top, _read_model, path=path)


def _read_model(top: TomlTable) -> Model:
    tables = top.tables("body", most=MAX_TABLES)
    sided = {table.name_of("name") for table in tables if table.flag("sides")}
    rgba = _rgba(top, (0.7, 0.7, 0.7, 1.0))
    bodies = [body for table in tables for body in _read_bodies(table, sided, rgba)]
    points = dict(
        point for name, table in top.named_tables("points") for point in _read_points(table, name)
    )
    return Model(
        top.name_of("name"),
        tuple(bodies),
        points,
        tip=top.name_of("tip", bodies[-1].name),
        source=top.text_of("source", ""),
        gravity=np.array(top.numbers("gravity", (3,)) or (0.0, 0.0, -9.81)),
    )


def _sides(table: TomlTable) -> tuple[Side, ...]:
    return ("left_", "right_") if table.flag("sides") else ("",)


def _read_bodies(
    table: TomlTable, sided: set[str], rgba: tuple[float, float, float, float]
) -> Iterator[Body]:
    table.only(*_BODY_KEYS)
    name = table.name_of("name")
    parent = table.name_of("parent") if "parent" in table else None
    colour = _rgba(table, rgba)
    for side in _sides(table):
        if parent in sided and not side:
            table.refuse("parent", f"parent = {parent!r}, which has two sides", "sides = true")
        above = f"{side}{parent}" if parent in sided else parent
        solids = _read_solids(table, side)
        mass = table.number("mass", 0.0, low=0.0, high=1e6, hint=" (kilograms)")
        if mass and not solids:
            table.refuse("mass", "a mass without a shape", "a box or capsules for it to fill")
        com, inertia = spread_mass(solids, mass) if mass else (np.zeros(3), np.zeros((3, 3)))
        yield Body(
            f"{side}{name}",
            _read_joint(table, side),
            above,
            _read_pose(table, side),
            mass,
            com,
            inertia,
            collision=solids,
            visuals=tuple(Visual(solid, colour) for solid in solids),
        )


def _read_joint(table: TomlTable, side: Side) -> Joint:
    kind = table.choice("kind", _KINDS, "fixed")
    name = side + table.name_of("joint", table.name_of("name"))
    if kind in ("fixed", "floating"):
        for key in ("axis", "lower", "upper", "lower_deg", "upper_deg", "velocity", "effort"):
            if key in table:
                table.refuse(key, f"{key!r} for a {kind} joint", "a revolute or prismatic joint")
        return Joint(name, cast(JointKind, kind))
    axis = np.array(table.numbers("axis", (3,)) or (0.0, 0.0, 1.0))
    turning = kind == "revolute"
    lower = _angle(table, "lower", -math.inf, turning=turning)
    upper = _angle(table, "upper", math.inf, turning=turning)
    if side == "right_" and _changes_sign(axis, turning=turning):
        lower, upper = -upper, -lower
    return Joint(
        name,
        cast(JointKind, kind),
        axis,
        lower,
        upper,
        velocity=_angle(table, "velocity", math.inf, turning=turning),
        effort=table.number("effort", math.inf, low=0.0, high=1e6),
    )


def _changes_sign(axis: Array, *, turning: bool) -> bool:
    """Return whether a motion along or about an axis is reversed by a mirror at the xz plane."""
    along_y = bool(abs(axis[1]) > 0.5 * np.linalg.norm(axis))
    return along_y != turning


def _angle(table: TomlTable, key: str, default: float, *, turning: bool) -> float:
    """Return an angle from `key` (rad) or `key_deg`; for a slider a length from `key` alone."""
    in_degrees = f"{key}_deg"
    if in_degrees not in table:
        return table.number(key, default)
    if key in table or not turning:
        table.refuse(in_degrees, f"{in_degrees!r}", f"{key!r} alone, in rad or m")
    return math.radians(table.number(in_degrees, low=-6e4, high=6e4))


def _read_pose(table: TomlTable, side: Side) -> Pose:
    xyz = np.array(table.numbers("xyz", (3,), low=-100, high=100) or (0.0, 0.0, 0.0))
    rpy = np.array(table.numbers("rpy", (3,)) or (0.0, 0.0, 0.0))
    degrees = table.numbers("rpy_deg", (3,), low=-6e4, high=6e4)
    if degrees is not None:
        if "rpy" in table:
            table.refuse("rpy_deg", "both 'rpy' and 'rpy_deg'", "one of them")
        rpy = np.radians(degrees)
    if side == "right_":
        xyz, rpy = xyz * (1, -1, 1), rpy * (-1, 1, -1)
    return Pose(rotation_from_rpy(*rpy), xyz)


def _read_solids(table: TomlTable, side: Side) -> tuple[Box | Capsule | Sphere, ...]:
    mirror = np.array([1.0, -1.0 if side == "right_" else 1.0, 1.0])
    solids: list[Box | Capsule | Sphere] = []
    if (size := table.numbers("box", (3,), low=1e-6, high=100)) is not None:
        centre = table.numbers("box_at", (3,), low=-100, high=100) or (0.0, 0.0, 0.0)
        solids.append(Box(np.array(size), Pose(translation=mirror * centre)))
    points = table.points("shape")
    if (points is None) != ("radius" not in table):
        table.refuse(None, "one of 'radius' and 'shape' alone", "both or neither")
    if points is not None:
        radius = table.number("radius", low=1e-6, high=100.0, hint=" (metres)")
        solids += capsules_along([mirror * point for point in points], radius=radius)
    return tuple(solids)


def _read_points(table: TomlTable, name: str) -> Iterator[tuple[str, ControlPoint]]:
    table.only("body", "sides", *_POSE_KEYS)
    body = table.name_of("body")
    for side in _sides(table):
        yield f"{side}{name}", ControlPoint(f"{side}{body}", _read_pose(table, side))


def _rgba(
    table: TomlTable, default: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    found = table.numbers("rgba", (4,), low=0.0, high=1.0) or default
    return found[0], found[1], found[2], found[3]
