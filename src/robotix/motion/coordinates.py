"""The coordinates of a posture, and steps between postures that treat rotations as rotations.

Most coordinates are plain numbers. A floating root also has a rotation vector: three coordinates
that are stepped by composing rotations, never by adding numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.model import Model

__all__ = [
    "Dof",
    "Unit",
    "blended",
    "check_dofs",
    "model_dofs",
    "moved",
    "posture_of",
    "rotation_vector_starts",
    "step_between",
]

Unit: TypeAlias = Literal["rad", "m", "rotvec"]


class Dof(NamedTuple):
    """One coordinate: its name, and `rad`, `m`, or `rotvec` (one of three in sequence, rad)."""

    name: str
    unit: Unit = "rad"


def model_dofs(model: Model) -> tuple[Dof, ...]:
    """Return the coordinates of a model, in the order of `q`."""
    units: dict[str, tuple[Unit, ...]] = {
        "revolute": ("rad",),
        "floating": ("m", "m", "m", "rotvec", "rotvec", "rotvec"),
    }
    return tuple(
        Dof(name, unit)
        for joint in model.joints
        for name, unit in zip(joint.dof_names, units.get(joint.kind, ("m",)), strict=False)
    )


def check_dofs(dofs: Sequence[Dof]) -> None:
    """Raise ValueError for empty, repeated or unprintable names, or partial rotation vectors."""
    seen: set[str] = set()
    for name, unit in dofs:
        if not name or not name.isprintable() or name != name.strip():
            raise ValueError(f"joint name {name!r} is not plain text")
        if name in seen:
            raise ValueError(f"joint {name!r} occurs twice; names must be unique")
        if unit not in get_args(Unit):
            raise ValueError(f"joint {name!r} has unknown unit {unit!r}; one of {get_args(Unit)}")
        seen.add(name)
    if not dofs:
        raise ValueError("there are no joints")
    for start in rotation_vector_starts(dofs):
        if [dof.unit for dof in dofs[start : start + 3]] != ["rotvec"] * 3:
            raise ValueError(f"rotation vector at {dofs[start].name!r} needs three coordinates")


def posture_of(dofs: Sequence[Dof], q: ArrayLike) -> Array:
    """Return a copy of a posture; raise ValueError unless it has a finite number per coordinate."""
    row = np.array(q, dtype=float)
    if row.shape != (len(dofs),) or not np.isfinite(row).all():
        raise ValueError(f"a posture must be {len(dofs)} finite numbers, got {q!r}")
    return row


def step_between(dofs: Sequence[Dof], start: Array, *, end: Array) -> Array:
    """Return the step between two postures; rotations as vectors in the frame of the parent."""
    step = end - start
    for i in rotation_vector_starts(dofs):
        three = slice(i, i + 3)
        if step[three].any():
            rotation = exp_rotation(end[three]) @ exp_rotation(start[three]).T
            step[three] = log_rotation(rotation)
    return step


def moved(dofs: Sequence[Dof], q: Array, *, step: Array) -> Array:
    """Return a posture displaced by a step: the inverse of `step_between`."""
    result = q + step
    for i in rotation_vector_starts(dofs):
        three = slice(i, i + 3)
        if step[three].any():
            turned = log_rotation(exp_rotation(step[three]) @ exp_rotation(q[three]))
            result[three] = _nearest_name(turned, q[three])
    return result


def blended(dofs: Sequence[Dof], start: Array, *, end: Array, part: float) -> Array:
    """Return the posture at a fraction (0 to 1) between two others; both ends are exact."""
    if part == 1.0:
        return end.copy()
    return moved(dofs, start, step=part * step_between(dofs, start, end=end))


def rotation_vector_starts(dofs: Sequence[Dof]) -> list[int]:
    """Indices at which rotation vectors start."""
    rotational = [i for i, dof in enumerate(dofs) if dof.unit == "rotvec"]
    return rotational[::3]


def _nearest_name(vector: Array, near: Array) -> Array:
    """Return the rotation vector of the same rotation that is nearest to another one."""
    angle = float(np.linalg.norm(vector))
    axis = vector / angle if angle > 1e-9 else near / max(float(np.linalg.norm(near)), 1e-9)
    revolutions = round((float(axis @ near) - angle) / (2 * math.pi))
    return np.asarray(vector + 2 * math.pi * revolutions * axis)
