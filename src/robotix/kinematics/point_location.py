"""Location of a control point in the packed model, in the form that the kernels read."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.kernels.tables import Ints, tables_of
from robotix.model import ControlPoint, Model

__all__ = ["PointLocation", "locate_point", "moving_dofs"]


@dataclass(frozen=True, eq=False)
class PointLocation:
    """The link that carries a control point, the pose on it, and the columns that move it."""

    link: int  # -1: the world
    offset: Array  # (12,), link_from_point: rotation row-major, then translation
    support: Ints  # columns that move it, base first


# Weak keys: a cached location keeps neither its model nor its control point alive.
_by_name: WeakKeyDictionary[Model, dict[str | None, PointLocation]] = WeakKeyDictionary()
_by_point: WeakKeyDictionary[Model, WeakKeyDictionary[ControlPoint, PointLocation]] = (
    WeakKeyDictionary()
)


def locate_point(model: Model, point: str | ControlPoint | None = None) -> PointLocation:
    """Return the location of a control point or body (the tip when None); cached."""
    if isinstance(point, ControlPoint):
        points = _by_point.setdefault(model, WeakKeyDictionary())
        if point not in points:
            points[point] = _locate(model, point)
        return points[point]
    names = _by_name.setdefault(model, {})
    if point not in names:
        names[point] = _locate(model, model.point(point))
    return names[point]


def _locate(model: Model, known: ControlPoint) -> PointLocation:
    tables = tables_of(model)
    body = model.body_index(known.body)
    pose = tables.offset(body) @ known.pose
    link = int(tables.body_link[body])
    columns = slice(0, 0)
    if link >= 0:
        columns = slice(tables.support_start[link], tables.support_start[link + 1])
    row = np.concatenate([pose.rotation.ravel(), pose.translation])
    return PointLocation(link, row, tables.support[columns])


def moving_dofs(model: Model, point: str | ControlPoint | None = None) -> Ints:
    """Return the coordinates that move a control point, in ascending order."""
    return np.unique(tables_of(model).column_dof[locate_point(model, point).support])
