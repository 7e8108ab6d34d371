"""Transmitted wrench: the whole force and moment that a joint transmits.

An effort is the component along the joint's coordinate, which its drive supplies; bones and
bearings carry the rest. The transmitted wrench is the sum over all links beyond the joint of
m (a − g) and its moment, minus the external wrenches that act there. What a drive needs to
accelerate its own rotor (`Joint.armature`) is part of the effort, not of this wrench.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.point_wrench import PointWrench, stacked_wrenches
from robotix.dynamics.rows import as_rows, pack_points
from robotix.dynamics.transmission_kernels import put_transmitted_wrenches
from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.kinematics.kernels.tables import tables_of
from robotix.model import Model

__all__ = ["TransmittedWrench", "transmitted_wrench"]


@dataclass(frozen=True, eq=False)
class TransmittedWrench:
    """Wrench that the proximal side of a joint exerts on the distal side, in the base frame."""

    joint: str
    centre: Array  # (N, 3), m, of the joint
    force: Array  # (N, 3), N
    moment: Array  # (N, 3), N m, about the centre


def transmitted_wrench(
    model: Model,
    q: ArrayLike,
    *,
    joint: str,
    dq: ArrayLike | None = None,
    ddq: ArrayLike | None = None,
    wrenches: Sequence[PointWrench] = (),
) -> TransmittedWrench:
    """Return the wrench that a joint transmits in postures `q` (N, n_dof).

    `dq` and `ddq` are zero when None. `wrenches` must contain every wrench that acts on the distal
    side, those of supports included; others have no effect.
    """
    t, rows = tables_of(model), as_rows(model, q, what="q")
    velocities = as_rows(model, dq, what="dq", count=len(rows))
    accelerations = as_rows(model, ddq, what="ddq", count=len(rows))
    packed = pack_points(model, [each.point for each in wrenches])
    applied = stacked_wrenches(wrenches, count=len(rows))
    centres, out = np.empty((len(rows), 3)), np.empty((len(rows), 6))
    put_transmitted_wrenches(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.gravity,
        _link_of(model, joint), packed.link, packed.offset, rows, velocities, accelerations,
        applied, centres, out,
    )  # fmt: skip
    return TransmittedWrench(joint, centres, out[:, :3].copy(), out[:, 3:].copy())


def _link_of(model: Model, joint: str) -> int:
    """Return the link that a joint moves."""
    names = [body.joint.name for body in model.bodies]
    moving = [body.joint.name for body in model.bodies if body.joint.kind != "fixed"]
    if joint not in moving:
        raise UnknownName("moving joint", joint, moving)
    return int(tables_of(model).body_link[names.index(joint)])
