"""Designs side by side: why ViSHARD10 has a SCARA of four links, and a wrist of four axes.

Planar arms of n equal links, 1 m long together, are compared by the best dexterity at each radius;
arms of the library by the share of postures that are nearly singular.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.kinematics.batch import forward_batch, jacobian_batch
from robotix.kinematics.sampling import sample_postures
from robotix.model import Model

__all__ = ["RadialDexterity", "arm_dexterity", "planar_dexterity"]

SAMPLES = 40_000


@dataclass(frozen=True, eq=False)
class RadialDexterity:
    """Dexterity over the distance from the first axis."""

    name: str
    radii: Array  # (n,), m, middles of the rings
    best: Array  # (n,), the largest smallest singular value there is; NaN: not reached
    near_singular: Array  # (n,), share of postures below a tenth of the best of all rings


def planar_dexterity(links: int, *, rings: int = 10, seed: int = 0) -> RadialDexterity:
    """Return the dexterity of a planar arm of equal links, 1 m long together."""
    if not 2 <= links <= 10:
        raise BadField("links", "2 to 10", links)
    rng = np.random.default_rng(seed)
    bends = rng.uniform(-np.pi, np.pi, (SAMPLES, links))
    bends[:, 0] = 0.0  # the first joint turns the whole
    angles = np.cumsum(bends, axis=1)
    steps = np.stack([np.cos(angles), np.sin(angles)], axis=2) / links
    after = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]  # from each joint to the tip
    J = np.stack([-after[:, :, 1], after[:, :, 0]], axis=1)
    values = np.asarray(np.linalg.svd(J, compute_uv=False)[:, -1], dtype=np.float64)
    return _ringed(f"{links}R", np.asarray(np.linalg.norm(after[:, 0], axis=1)), values, 1.0, rings)


def arm_dexterity(model: Model, *, rings: int = 8, seed: int = 0) -> RadialDexterity:
    """Return the dexterity of an arm from random postures; lengths count in units of its reach."""
    q = sample_postures(model, SAMPLES // 4, rng=np.random.default_rng(seed))
    tips = forward_batch(model, q)[0]
    J = np.array(jacobian_batch(model, q))
    radii = np.asarray(np.linalg.norm(tips[:, :2], axis=1), dtype=np.float64)
    reach = float(radii.max())
    J[:, :3] /= reach
    values = np.asarray(np.linalg.svd(J, compute_uv=False)[:, -1], dtype=np.float64)
    return _ringed(model.name, radii, values, reach, rings)


def _ringed(name: str, radii: Array, values: Array, reach: float, rings: int) -> RadialDexterity:
    edges = np.linspace(0, reach, rings + 1)
    ring = np.clip(np.digitize(radii, edges) - 1, 0, rings - 1)
    limit = 0.1 * float(values.max())
    best, near = np.full(rings, np.nan), np.full(rings, np.nan)
    for k in range(rings):
        mine = values[ring == k]
        if len(mine):
            best[k], near[k] = mine.max(), (mine < limit).mean()
    return RadialDexterity(name, np.asarray((edges[1:] + edges[:-1]) / 2), best, near)
