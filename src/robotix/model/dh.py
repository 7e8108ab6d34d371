"""Robot files made of a Denavit-Hartenberg table, in TOML.

    name = "two_links"
    convention = "standard"          # or "modified"

    [[joint]]
    name = "shoulder"
    a = 0.5                          # m; likewise d
    alpha_deg = 90                   # or alpha = 1.5707963267948966; likewise theta
    lower_deg = -170                 # or lower, in rad (m for kind = "prismatic"); likewise upper,
    upper_deg = 170                  # velocity and acceleration; absent: unlimited
    effort = 100                     # N m, or N
    radius = 0.05                    # capsules along d and a, or along the points `shape`

    [joint.inertial]
    mass = 3.0                       # without `com` it fills the capsules evenly
    com = [-0.25, 0.0, 0.0]
    inertia = [0.01, 0.07, 0.07]     # xx yy zz, or xx yy zz xy xz yz; about = "com" | "origin"
    frame = "dh"                     # "joint" | "dh" | "zero"; xyz and rpy_deg place the source's

Other tables: `[base]` (xyz, rpy or rpy_deg, radius, shape, `[base.inertial]`), `[flange]` and
`[tool]` (xyz, rpy), `[points.NAME]` (link, xyz, rpy), `[sources]` and `[provenance.PARAMETER]`.
Points and shapes are given in the base frame while all joints are at zero. The conventions are
those of `dh_chain`; lists of what is known about a robot are read by `robot_info`.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import cast

import numpy as np

from robotix.files.source_file import read_text
from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Pose, rotation_from_rpy
from robotix.model.dh_chain import MAX_ROWS, Convention, DhBase, DhRow, make_dh_model
from robotix.model.inertial import Inertial, InertialFrame, inertia_matrix
from robotix.model.robot_info import INFO_KEYS, RobotFile, read_robot_file
from robotix.model.tree import Model

__all__ = [
    "Convention",
    "DhBase",
    "DhRow",
    "Inertial",
    "load_dh",
    "make_dh_model",
    "parse_dh",
    "parse_dh_file",
]

_TOP_KEYS = ("convention", "tip", "gravity", "rgba", "base", "joint", "flange", "tool", "points")
_POSE_KEYS = ("xyz", "rpy", "rpy_deg")
_TURNING = ("alpha", "theta", "lower", "upper", "velocity", "acceleration")
_JOINT_KEYS = (
    *("name", "link", "kind", "a", "d", "effort", "radius", "shape", "inertial"),
    *_TURNING,
    *(f"{key}_deg" for key in _TURNING),
)
_INERTIAL_KEYS = ("mass", "com", "inertia", "about", "frame", *_POSE_KEYS)
_STILL = Pose()


def load_dh(path: str | Path) -> Model:
    """Return the model in a DH file; `BadFile` says what is wrong with it, and where."""
    return parse_dh(read_text(path), path=str(path))


def parse_dh(text: str, *, path: str = "<text>") -> Model:
    """Return the model in the text of a DH file; `path` names it in errors."""
    return parse_dh_file(text, path=path).model


def parse_dh_file(text: str, *, path: str = "<text>") -> RobotFile:
    """Return the model in the text of a DH file, and what is known about it."""
    top = parse_toml(text, path=path)
    top.only(*INFO_KEYS, *_TOP_KEYS)
    return read_robot_file(top, _read_model, path=path)


def _read_model(top: TomlTable) -> Model:
    joints = top.tables("joint", most=MAX_ROWS)
    rows = [_read_joint(table, number) for number, table in enumerate(joints, start=1)]
    _check_unique(joints, "name", [row.name for row in rows])
    _check_unique(joints, "link", [row.link for row in rows], taken=("base",))
    links = ["base", *(row.link for row in rows)]
    flange, tool = top.table("flange"), top.table("tool")
    for table in (flange, tool):
        table.only(*_POSE_KEYS)
    points = {name: _read_point(t, name, links) for name, t in top.named_tables("points")}
    tip = top.name_of("tip", "flange")
    if tip not in (known := ["flange", *(["tool"] if "tool" in top else []), *points, *links]):
        top.refuse("tip", f"tip = {tip!r}", f"a control point: {', '.join(known[:12])}")
    rgba = top.numbers("rgba", (4,), low=0.0, high=1.0) or (0.7, 0.7, 0.7, 1.0)
    return make_dh_model(
        top.name_of("name"),
        rows,
        convention=cast(Convention, top.choice("convention", ("standard", "modified"), "standard")),
        base=_read_base(top.table("base")),
        flange=_read_pose(flange),
        tool=_read_pose(tool) if "tool" in top else None,
        points=points,
        tip=tip,
        gravity=top.numbers("gravity", (3,)) or (0.0, 0.0, -9.81),
        source=top.text_of("source", ""),
        rgba=(rgba[0], rgba[1], rgba[2], rgba[3]),
    )


def _check_unique(
    tables: list[TomlTable], key: str, names: list[str], *, taken: tuple[str, ...] = ()
) -> None:
    seen = set(taken)
    for table, name in zip(tables, names, strict=True):
        if name in seen:
            table.refuse(key, f"{key} {name!r} for the second time", "a name of its own")
        seen.add(name)


def _read_joint(table: TomlTable, number: int) -> DhRow:
    table.only(*_JOINT_KEYS)
    kind = table.choice("kind", ("revolute", "prismatic"), "revolute")
    turning = kind == "revolute"
    lower = _angle(table, "lower", -math.inf, turning=turning)
    upper = _angle(table, "upper", math.inf, turning=turning)
    if lower > upper:
        key = "upper" if "upper" in table else "upper_deg"
        table.refuse(key, f"limits [{lower:g}, {upper:g}]", "lower below upper")
    unit = " (metres)"
    return DhRow(
        a=table.number("a", 0.0, low=-100, high=100, hint=unit),
        alpha=_angle(table, "alpha", 0.0),
        d=table.number("d", 0.0, low=-100, high=100, hint=unit),
        theta=_angle(table, "theta", 0.0),
        kind="revolute" if turning else "prismatic",
        name=table.name_of("name", f"joint{number}"),
        link=table.name_of("link", f"link{number}"),
        lower=lower,
        upper=upper,
        velocity=_angle(table, "velocity", math.inf, turning=turning, low=0.0),
        acceleration=_angle(table, "acceleration", math.inf, turning=turning, low=0.0),
        effort=table.number("effort", math.inf, low=0.0, high=1e6),
        inertial=_read_inertial(table),
        radius=_read_radius(table),
        shape=table.points("shape"),
    )


def _angle(
    table: TomlTable, key: str, default: float, *, turning: bool = True, low: float = -1e3
) -> float:
    """Return an angle from `key` (rad) or `key_deg`; for a slider a length from `key` alone."""
    in_degrees = f"{key}_deg"
    if in_degrees not in table:
        return table.number(key, default, low=low)
    if key in table:
        table.refuse(in_degrees, f"both {key!r} and {in_degrees!r}", "one of them")
    if not turning:
        table.refuse(in_degrees, f"{in_degrees!r} for a prismatic joint", f"{key!r} in metres")
    return math.radians(table.number(in_degrees, low=math.degrees(low), high=math.degrees(1e3)))


def _read_base(table: TomlTable) -> DhBase:
    table.only(*_POSE_KEYS, "inertial", "radius", "shape")
    return DhBase(
        _read_pose(table), _read_inertial(table), _read_radius(table), table.points("shape")
    )


def _read_radius(table: TomlTable) -> float:
    if "shape" in table and "radius" not in table:
        table.refuse("shape", "a shape without a radius", "the key 'radius' beside it")
    if "radius" not in table:
        return 0.0
    return table.number("radius", low=1e-6, high=100.0, hint=" (metres)")


def _read_inertial(parent: TomlTable) -> Inertial | None:
    if "inertial" not in parent:
        return None
    table = parent.table("inertial")
    table.only(*_INERTIAL_KEYS)
    mass = table.number("mass", low=0.0, high=1e6, hint=" (kilograms)")
    com = table.numbers("com", (3,), low=-100.0, high=100.0)
    inertia = table.numbers("inertia", (3, 6), low=-1e9, high=1e9) or (0.0, 0.0, 0.0)
    about = table.choice("about", ("com", "origin"), "com")
    if com is None and "inertia" in table:
        table.refuse("inertia", "an inertia without a com", "both or neither")
    if com is None and mass > 0 and "radius" not in parent:
        table.refuse("mass", "a mass without a com", "a com, or a radius of capsules to fill")
    shift = np.zeros((3, 3))
    if com is not None and about == "origin":
        shift = mass * (np.dot(com, com) * np.eye(3) - np.outer(com, com))
    if np.linalg.eigvalsh(inertia_matrix(inertia) - shift)[0] < -1e-9 * max(map(abs, inertia)):
        table.refuse("inertia", "an inertia that is not positive about the com", "one that is")
    return Inertial(
        mass,
        com,
        inertia,
        "origin" if about == "origin" else "com",
        cast(InertialFrame, table.choice("frame", ("joint", "dh", "zero"), "joint")),
        _read_pose(table),
    )


def _read_point(table: TomlTable, name: str, links: list[str]) -> tuple[str, Pose]:
    table.only("link", *_POSE_KEYS)
    if name in ("flange", "tool") or name in links:
        table.refuse(None, f"a point called {name!r}", "a name that nothing else has")
    link = table.name_of("link")
    if link not in links:
        table.refuse("link", f"link = {link!r}", f"one of {', '.join(links[:12])}")
    return link, _read_pose(table)


def _read_pose(table: TomlTable) -> Pose:
    if not any(key in table for key in _POSE_KEYS):
        return _STILL
    xyz = table.numbers("xyz", (3,)) or (0.0, 0.0, 0.0)
    rpy = table.numbers("rpy", (3,)) or (0.0, 0.0, 0.0)
    degrees = table.numbers("rpy_deg", (3,), low=-6e4, high=6e4)
    if degrees is not None:
        if "rpy" in table:
            table.refuse("rpy_deg", "both 'rpy' and 'rpy_deg'", "one of them")
        rpy = tuple(math.radians(angle) for angle in degrees)
    return Pose(rotation_from_rpy(*rpy), np.array(xyz))
