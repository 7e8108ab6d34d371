"""Pairs of bodies that do not touch each other while they are connected.

MuJoCo skips pairs whose signature is in a sorted table of the model. The table has one entry per
slot for connections to use (see `compile`); an entry that names the world's own body, which has no
shapes, is free.
"""

from __future__ import annotations

import mujoco
import numpy as np

__all__ = ["exclude_pair", "include_pair"]

BODY_BITS = 16


def exclude_pair(model: mujoco.MjModel, one: int, other: int) -> None:
    """Let two bodies pass through each other."""
    signature = _signature(one, other)
    table = model.exclude_signature
    if not _is_free(signature) and len(table) and _is_free(int(table[0])):
        table[0] = signature
        table.sort()


def include_pair(model: mujoco.MjModel, one: int, other: int) -> None:
    """Undo one `exclude_pair`."""
    signature = _signature(one, other)
    (found,) = np.nonzero(model.exclude_signature == signature)
    if not _is_free(signature) and len(found):
        model.exclude_signature[found[0]] = 0
        model.exclude_signature.sort()


def _signature(one: int, other: int) -> int:
    return (min(one, other) << BODY_BITS) + max(one, other)


def _is_free(signature: int) -> bool:
    return signature >> BODY_BITS == 0
