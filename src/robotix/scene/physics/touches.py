"""What touches in a state of MuJoCo: points with their forces, and bodies that are near."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import mujoco
import numpy as np

from robotix.dynamics.simulation import ContactPoint
from robotix.geometry import Array

__all__ = ["ForceMeter", "are_near", "contact_points_of"]

PLANE = int(mujoco.mjtGeom.mjGEOM_PLANE)


def contact_points_of(
    model: mujoco.MjModel, data: mujoco.MjData, names: Sequence[str]
) -> list[ContactPoint]:
    """Return all contacts of a state; as `Simulation.contacts`, but all at once."""
    contact = data.contact
    if not len(contact.dist) or not len(data.efc_force):
        return []
    rows = contact.efc_address  # of the normal and two tangential forces; < 0: no force
    local = data.efc_force[np.maximum(rows, 0)[:, None] + np.arange(3)] * (rows >= 0)[:, None]
    frames = contact.frame.reshape(-1, 3, 3)
    forces = np.einsum("kji,kj->ki", frames, local)
    bodies = model.geom_bodyid[contact.geom].tolist()
    return [
        ContactPoint(names[one], names[other], at, frame[0], -depth, force)
        for (one, other), at, frame, depth, force in zip(
            bodies, contact.pos.copy(), frames, contact.dist.tolist(), forces, strict=True
        )
        if depth <= 0
    ]


def are_near(
    model: mujoco.MjModel, data: mujoco.MjData, one: int, other: int, *, within: float
) -> bool:
    """Return whether shapes of two bodies are within a distance (m); planes are left out."""
    starts, counts = model.body_geomadr, model.body_geomnum
    geoms = [
        [k for k in range(starts[body], starts[body] + counts[body]) if model.geom_type[k] != PLANE]
        for body in (one, other)
    ]
    return any(
        mujoco.mj_geomDistance(model, data, a, b, 2 * within, None) <= within
        for a, b in itertools.product(*geoms)
    )


class ForceMeter:
    """Means of contact forces over a tick: what bounces and chatters has a force between steps."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._sums: dict[tuple[str, str], Array] = {}
        self._count = 0

    def begin(self) -> None:
        """Begin a tick."""
        self._sums, self._count = {}, 0

    def add(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Add the forces of a step that was made."""
        self._count += 1
        for each in contact_points_of(model, data, self._names):
            pair = each.first, each.second
            self._sums[pair] = self._sums.get(pair, 0.0) + each.force

    def means(self) -> dict[tuple[str, str], Array]:
        """Return the force on the second of every two bodies that touched, (3,), N."""
        return {pair: total / self._count for pair, total in self._sums.items()}
