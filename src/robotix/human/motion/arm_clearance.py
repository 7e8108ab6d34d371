"""Arms keep clear of trunk, thighs and each other, as far as the goals of the hands allow.

A repulsive potential acts on the gaps between the collision shapes: a gap below `MARGIN` adds to
the desired joint velocities of the arm those that open it. They rank below all goals, so that a
hand stays on its path while its elbow moves aside.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, pack_shapes
from robotix.geometry import Array, Shape
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.performer_kernels import push_apart
from robotix.kinematics import Posture
from robotix.kinematics.kernels.tables import tables_of
from robotix.model import Model

__all__ = ["ArmClearance"]

MARGIN = 0.04  # m; gaps of arms that are smaller are opened
STIFFNESS, DAMPING = 1400.0, 55.0  # 1/s² and 1/s, of a gap
ARM = ("upper_arm", "forearm", "hand_segment")
TRUNK = ("lumbar", "thorax", "pelvis")


class ArmClearance:
    """The potential between the arms and the rest of a body."""

    def __init__(self, model: Model, dt: float) -> None:
        """Collect the shapes of arms, trunk and thighs, and their pairs."""
        t = tables_of(model)
        names = [*TRUNK, *(f"{side}_{part}" for side in SIDES for part in ("thigh", *ARM))]
        rows: dict[str, list[int]] = {}
        shapes: list[Shape] = []
        links: list[int] = []
        for name in names:
            index = model.body_index(name)
            solids = model.bodies[index].collision
            rows[name] = list(range(len(shapes), len(shapes) + len(solids)))
            shapes += [replace(solid, pose=t.offset(index) @ solid.pose) for solid in solids]
            links += [int(t.body_link[index])] * len(solids)
        self._local = pack_shapes(shapes)
        self._links: NDArray[np.int64] = np.array(links, dtype=np.int64)
        self._pairs = np.array(
            [pair for a, b in _pairs() for pair in product(rows[a], rows[b])], dtype=np.int64
        )
        self._placed, self._out = np.empty_like(self._local), np.empty(RESULT_SIZE)
        self._arms = np.zeros(model.n_dof)
        for side in SIDES:
            self._arms[GROUPS[f"{side}_arm"]] = 1.0
        self._row, self._other = np.empty(model.n_dof), np.empty(model.n_dof)
        self._law = np.array([MARGIN, STIFFNESS * dt, DAMPING * dt])
        self._tables = t

    def add_rates(self, posture: Posture, dq: Array, rates: Array) -> None:
        """Add to desired joint velocities (n_dof,) those that open narrow gaps of the arms."""
        t = self._tables
        push_apart(
            posture.world, posture.columns, t.column_dof, t.column_ratio, t.support_start,
            t.support, self._local, self._links, self._placed, self._pairs, self._arms, self._law,
            dq, self._out, self._row, self._other, rates,
        )  # fmt: skip


def _pairs() -> list[tuple[str, str]]:
    """Return the pairs of bodies: an arm, and what it must not enter."""
    found = []
    for side, other in (("right", "left"), ("left", "right")):
        found += [(f"{side}_{part}", trunk) for part in ARM[1:] for trunk in TRUNK]
        found += [(f"{side}_upper_arm", "lumbar"), (f"{side}_upper_arm", f"{side}_thigh")]
        found += [(f"{side}_{part}", f"{thigh}_thigh") for part in ARM[1:] for thigh in SIDES]
        found += [(f"{side}_forearm", f"{other}_hand_segment")]
    found.append(("right_forearm", "left_forearm"))
    return found
