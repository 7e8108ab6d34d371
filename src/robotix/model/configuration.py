"""Joint positions as people give them: one number per coordinate, or a few joints by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.model.tree import Model

__all__ = ["Configuration", "as_configuration", "dofs_of"]

Configuration: TypeAlias = ArrayLike | Mapping[str, float]
"""Numbers (n_dof,) in the order of `Model.dof_names`, or joint names and their positions."""


def as_configuration(
    model: Model, q: Configuration | None, *, what: str = "q", rest: Array | None = None
) -> Array:
    """Return joint positions (n_dof,), a copy, in rad and m.

    `q` may be a mapping from joint names to positions; joints that it does not name stay where
    `rest` has them (neutral when None). A floating joint's coordinates are named `root_x` … .
    """
    if isinstance(q, Mapping):
        out = np.array(model.neutral if rest is None else rest, dtype=float)
        for name, value in q.items():
            out[model.dof_index(name)] = value
    else:
        out = np.array(model.neutral if q is None else q, dtype=float)
    if out.shape != (model.n_dof,):
        raise ValueError(f"{model.name} has {model.n_dof} joints, {what} has shape {out.shape}")
    if not np.isfinite(out).all():
        raise ValueError(f"{what} must be finite, got {out}")
    return out


def dofs_of(model: Model, joints: Collection[str]) -> list[int]:
    """Return the indices in `q` of joints or single coordinates given by name, ascending."""
    if isinstance(joints, str):
        joints = [joints]
    own = {name: i for i, name in enumerate(model.dof_names)}
    known = {joint.name: joint for joint in model.joints if joint.n_dof}
    dofs: set[int] = set()
    for name in joints:
        if name in own:
            dofs.add(own[name])
        elif name in known:
            dofs.update(own[part] for part in known[name].dof_names)
        else:
            raise UnknownName("moving joint", name, [*known, *own])
    return sorted(dofs)
