"""Serial chains from Denavit-Hartenberg rows.

Standard (distal) rows read `T = Rz(θ+q) Tz(d) Tx(a) Rx(α)`; modified (proximal) rows read
`T = Rx(α) Tx(a) Rz(θ+q) Tz(d)`; a prismatic joint adds `q` to `d` instead. `Rz` and `Tz` commute,
so both become the same tree: the frame of each body lies on its joint's axis, z along it, behind
`Rz(θ) Tz(d)`. That is the frame of the modified table; a standard table's own frame is
`Tx(a) Rx(α)` further on, where its next joint is. The control point `flange` is the table's last
frame, or a given pose beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadModel, UnknownName
from robotix.geometry import Array, Capsule, Pose, Sphere
from robotix.geometry.arrays import Rgba
from robotix.model.body import Body, Visual
from robotix.model.capsules import capsules_along
from robotix.model.inertial import Inertial, mass_properties
from robotix.model.joint import Joint
from robotix.model.tree import ControlPoint, Model

__all__ = ["Convention", "DhBase", "DhRow", "make_dh_model"]

Convention: TypeAlias = Literal["standard", "modified"]

MAX_ROWS = 100  # beyond this a table is a mistake


@dataclass(frozen=True, eq=False)
class DhRow:
    """One joint and the link it moves; lengths in m, angles in rad."""

    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    kind: Literal["revolute", "prismatic"] = "revolute"
    name: str = ""  # of the joint; joint1, joint2, … when empty
    link: str = ""  # of the body; link1, link2, … when empty
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    acceleration: float = math.inf
    effort: float = math.inf
    inertial: Inertial | None = None
    radius: float = 0.0  # of the link's capsules; 0: no shape
    shape: Sequence[ArrayLike] | None = None  # capsules along these points; None: along d, then a
    # (points of the base frame, while all joints are at zero)


@dataclass(frozen=True, eq=False)
class DhBase:
    """What the first joint stands on; the world holds it at `pose`."""

    pose: Pose = field(default_factory=Pose)  # world_from_base
    inertial: Inertial | None = None
    radius: float = 0.0
    shape: Sequence[ArrayLike] | None = None


@dataclass(frozen=True, eq=False)
class _Link:
    """A row put into the tree; 4×4 matrices."""

    row: DhRow
    parent_from_joint: Array
    joint_from_dh: Array
    base_from_joint: Array  # at zero
    path: list[Array]  # points along d and a, in the base frame at zero


def make_dh_model(
    name: str,
    rows: Sequence[DhRow | Sequence[float]],
    *,
    convention: Convention = "standard",
    base: DhBase | None = None,
    flange: Pose | None = None,
    tool: Pose | None = None,
    points: Mapping[str, tuple[str, Pose]] | None = None,
    tip: str = "flange",
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    source: str = "",
    rgba: Rgba = (0.7, 0.7, 0.7, 1.0),
) -> Model:
    """Return the serial chain of a DH table, standing on a fixed body `base`.

    A row is a `DhRow` or just `(a, alpha, d, theta)`. `flange` is a pose beyond the last frame of
    the table, `tool` one beyond the flange. `points` adds control points: link, and pose in the
    base frame while all joints are at zero.
    """
    if not 1 <= len(rows) <= MAX_ROWS:
        raise ValueError(f"a DH table has 1 to {MAX_ROWS} rows, got {len(rows)}")
    if convention not in ("standard", "modified"):
        raise ValueError(f"convention is 'standard' or 'modified', got {convention!r}")
    table = [_named(row, i) for i, row in enumerate(rows, start=1)]
    end = np.eye(4) if flange is None else flange.matrix
    links = _place_links(table, convention=convention, flange=end)
    bodies = [_make_base(base or DhBase(), rgba)]
    for link in links:
        bodies.append(_make_body(link, parent=bodies[-1].name, rgba=rgba))
    last = ControlPoint(bodies[-1].name, Pose.from_matrix(links[-1].joint_from_dh @ end))
    marks = {"flange": last}
    if tool is not None:
        marks["tool"] = ControlPoint(last.body, last.pose @ tool)
    marks |= {key: _mark(links, *where) for key, where in (points or {}).items()}
    return Model(
        name,
        tuple(bodies),
        points=marks,
        tip=tip,
        source=source,
        gravity=np.asarray(gravity, dtype=float),
    )


def _named(row: DhRow | Sequence[float], number: int) -> DhRow:
    if not isinstance(row, DhRow):
        if len(row) != 4:
            raise ValueError(f"row {number} must be (a, alpha, d, theta), got {row!r}")
        a, alpha, d, theta = (float(value) for value in row)
        row = DhRow(a, alpha, d, theta)
    if not all(math.isfinite(value) for value in (row.a, row.alpha, row.d, row.theta)):
        raise ValueError(f"row {number} must have finite a, alpha, d and theta, got {row!r}")
    return replace(row, name=row.name or f"joint{number}", link=row.link or f"link{number}")


def _place_links(rows: Sequence[DhRow], *, convention: Convention, flange: Array) -> list[_Link]:
    across = [_screw_x(row.a, row.alpha) for row in rows]
    still = [np.eye(4)] * len(rows)
    if convention == "standard":  # a and alpha follow their joint: they precede the next one
        before, joint_from_dh = [np.eye(4), *across[:-1]], across
    else:
        before, joint_from_dh = across, still
    links: list[_Link] = []
    here = np.eye(4)  # base_from_joint of the parent
    for i, row in enumerate(rows):
        placement = before[i] @ _screw_z(row.d, row.theta)
        start, here = here @ before[i], here @ placement
        beyond = before[i + 1] if i + 1 < len(rows) else joint_from_dh[i] @ flange
        path = [start[:3, 3], here[:3, 3], (here @ beyond)[:3, 3]]
        links.append(_Link(row, placement, joint_from_dh[i], here, path))
    _pull_in(links[0].path, links[0].row.radius)
    links[-1].path.reverse()
    _pull_in(links[-1].path, links[-1].row.radius)
    return links


def _pull_in(path: list[Array], radius: float) -> None:
    """Start the path a radius further on, so that no cap covers mounting plane or flange."""
    first = path[0]
    for i in range(1, len(path)):
        length = math.dist(first, path[i])
        if length > radius > 0:
            path[:i] = [first + (path[i] - first) * (radius / length)]
            return


def _make_base(base: DhBase, rgba: Rgba) -> Body:
    row = DhRow(name="mount", link="base", inertial=base.inertial, radius=base.radius)
    row = replace(row, shape=[] if base.shape is None else base.shape)
    link = _Link(row, base.pose.matrix, np.eye(4), np.eye(4), [])
    return _make_body(link, parent=None, rgba=rgba, joint=Joint("mount"))


def _make_body(link: _Link, *, parent: str | None, rgba: Rgba, joint: Joint | None = None) -> Body:
    row = link.row
    joint_from_base = _inverse(link.base_from_joint)
    shapes = _make_shapes(row, link.path, joint_from_base)
    mass, com, inertia = mass_properties(
        row.inertial,
        shapes,
        joint_from_dh=link.joint_from_dh,
        joint_from_base=joint_from_base,
        link=row.link,
    )
    return Body(
        row.link,
        joint or _make_joint(row),
        parent,
        Pose.from_matrix(link.parent_from_joint),
        mass=mass,
        com=com,
        inertia=inertia,
        collision=shapes,
        visuals=tuple(Visual(shape, rgba, is_stand_in=True) for shape in shapes),
    )


def _make_joint(row: DhRow) -> Joint:
    return Joint(
        row.name,
        row.kind,
        lower=row.lower,
        upper=row.upper,
        velocity=row.velocity,
        acceleration=row.acceleration,
        effort=row.effort,
    )


def _make_shapes(
    row: DhRow, path: list[Array], joint_from_base: Array
) -> tuple[Capsule | Sphere, ...]:
    points = np.asarray(path if row.shape is None else row.shape, dtype=float)
    if row.radius == 0 or len(points) == 0:
        return ()
    if not (math.isfinite(row.radius) and row.radius > 0):
        raise BadModel(f"link {row.link!r}", f"radius {row.radius} is not a positive number")
    places = points @ joint_from_base[:3, :3].T + joint_from_base[:3, 3]
    return capsules_along(places, radius=row.radius)


def _mark(links: Sequence[_Link], link: str, base_from_point: Pose) -> ControlPoint:
    if link == "base":
        return ControlPoint("base", base_from_point)
    for placed in links:
        if placed.row.link == link:
            matrix = _inverse(placed.base_from_joint) @ base_from_point.matrix
            return ControlPoint(link, Pose.from_matrix(matrix))
    raise UnknownName("link", link, ["base", *(placed.row.link for placed in links)])


def _screw_x(a: float, alpha: float) -> Array:
    c, s = math.cos(alpha), math.sin(alpha)
    return np.array([[1.0, 0, 0, a], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def _screw_z(d: float, theta: float) -> Array:
    c, s = math.cos(theta), math.sin(theta)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1.0, d], [0, 0, 0, 1]])


def _inverse(T: Array) -> Array:
    inverse = np.eye(4)
    inverse[:3, :3] = T[:3, :3].T
    inverse[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return inverse
