"""Compiled: places of the whole graph from places in parents."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel

__all__ = ["place_nodes", "seat_bodies"]


@kernel
def place_nodes(parents: np.ndarray, local: Array, world: Array) -> None:
    """Multiply places down the tree; rows are rotation, translation and scale, parents first."""
    for i in range(len(parents)):
        p = parents[i]
        if p < 0:
            world[i] = local[i]
            continue
        s = world[p, 12]
        for r in range(3):
            for c in range(3):
                world[i, 3 * r + c] = (
                    world[p, 3 * r] * local[i, c]
                    + world[p, 3 * r + 1] * local[i, 3 + c]
                    + world[p, 3 * r + 2] * local[i, 6 + c]
                )
            world[i, 9 + r] = world[p, 9 + r] + s * (
                world[p, 3 * r] * local[i, 9]
                + world[p, 3 * r + 1] * local[i, 10]
                + world[p, 3 * r + 2] * local[i, 11]
            )
        world[i, 12] = s * local[i, 12]


@kernel
def seat_bodies(poses: Array, parents: np.ndarray, rows: np.ndarray, local: Array) -> None:
    """Write the places of a robot's bodies in their parents, given all in the base frame.

    `parents` are bodies (-1: the base), `rows` the rows of the bodies' nodes in `local`.
    """
    for b in range(len(rows)):
        p, i = parents[b], rows[b]
        if p < 0:
            local[i, :12] = poses[b]
            continue
        for r in range(3):
            local[i, 9 + r] = 0.0
            for k in range(3):
                local[i, 9 + r] += poses[p, 3 * k + r] * (poses[b, 9 + k] - poses[p, 9 + k])
            for c in range(3):
                local[i, 3 * r + c] = (
                    poses[p, r] * poses[b, c]
                    + poses[p, 3 + r] * poses[b, 3 + c]
                    + poses[p, 6 + r] * poses[b, 6 + c]
                )
