"""Static stability of chair, rail, arm and rider over the whole reach of the arm.

The chair stands while the common centre of mass is over the support polygon of the wheels. The
margin of an edge is the horizontal distance of the centre of mass from it, negative outside; the
tip angle is that by which the chair may be tilted about the edge before it falls, atan(margin /
height). The smallest over all edges counts.

The search looks at random postures of all joints, uniform over their ranges, and improves the
worst ones by ever smaller random steps. Postures in which the hand is below the floor are left
out. Contacts of the arm with chair and rider are not looked at: they take postures away, so the
smallest angle found is on the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from robotix.errors import BadField
from robotix.experiments.wheelchair.chair import (
    Ballast,
    ChairBase,
    hand_point,
    load_chair,
    load_rider,
    support_polygon,
)
from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch, mass_centre_batch
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.model import Model

__all__ = [
    "ChairLoad",
    "StabilityResult",
    "StabilitySample",
    "evaluate_stability",
    "find_worst_posture",
    "folded_posture",
    "sample_stability",
    "stretched_posture",
    "sweep_stability",
]

MAX_PAYLOAD = 200.0  # kg
KEPT_POSTURES = 64  # the worst random postures, which are improved
ROUNDS = 60  # of improvement
STEPS_PER_ROUND = 8  # random steps tried from each kept posture
SHRINK = 0.88  # of the steps in every round


@dataclass(frozen=True, eq=False)
class ChairLoad:
    """What stands on the wheels: the chair, its rider, and what the hand holds."""

    chair: ChairBase
    rider: Ballast | None
    payload: float  # kg, held where `hand_point` is
    anti_tip: bool

    def __post_init__(self) -> None:
        if not 0 <= self.payload <= MAX_PAYLOAD:
            raise BadField("payload", f"between 0 and {MAX_PAYLOAD:g} kg", self.payload)

    @classmethod
    def typical(
        cls, *, person: bool = True, anti_tip: bool = True, payload: float = 0.0
    ) -> ChairLoad:
        """Return the chair of the data file, with or without its rider and anti-tip wheels."""
        return cls(load_chair(), load_rider() if person else None, payload, anti_tip)


@dataclass(frozen=True, eq=False)
class StabilitySample:
    """Many postures, and how stable the chair is in each."""

    q: Array  # (N, n_dof)
    hand: Array  # (N, 3), m: where the payload is
    com: Array  # (N, 3), m: of everything that stands on the wheels
    margin: Array  # (N,), m: to the nearest edge of the support polygon, negative outside
    tip_angle: Array  # (N,), rad


@dataclass(frozen=True, eq=False)
class StabilityResult:
    """The least stable posture."""

    q: Array  # (n_dof,)
    hand: Array  # (3,), m
    com: Array  # (3,), m
    margin: float  # m
    tip_angle: float  # rad; negative: the chair falls

    @classmethod
    def worst_of(cls, sample: StabilitySample) -> StabilityResult:
        """Return the posture of the smallest tip angle."""
        i = int(np.argmin(sample.tip_angle))
        return cls(
            sample.q[i],
            sample.hand[i],
            sample.com[i],
            float(sample.margin[i]),
            float(sample.tip_angle[i]),
        )


def evaluate_stability(model: Model, q: Array, *, load: ChairLoad) -> StabilitySample:
    """Return margins and tip angles of postures (N, n_dof) of an arm on the chair's rail."""
    hand, _ = forward_batch(model, q, point=hand_point(model))
    mass = sum(body.mass for body in model.bodies)
    moment = mass * mass_centre_batch(model, q).com + load.payload * hand
    total = mass + load.payload
    for ballast in filter(None, (load.chair.body, load.rider)):
        moment += ballast.mass * ballast.com
        total += ballast.mass
    com = moment / total
    margin = edge_distances(support_polygon(load.chair, anti_tip=load.anti_tip), com[:, :2])
    return StabilitySample(np.array(q), hand, com, margin, np.arctan2(margin, com[:, 2]))


def edge_distances(corners: Array, points: Array) -> Array:
    """Distance of points (N, 2) to the nearest edge's line of a convex polygon; negative outside.

    The lines bound the same region as the edges; beyond a corner the distance of the lines is
    smaller than that of the polygon, and it is the one about which a rigid chair tips.
    """
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    offsets = np.einsum("ij,ij->i", normals, corners)
    return np.asarray((points @ normals.T - offsets).min(axis=1))


def sample_stability(
    model: Model, samples: int, *, load: ChairLoad, rng: np.random.Generator
) -> StabilitySample:
    """Return the stability of random postures, uniform over the joint ranges, above the floor."""
    found = evaluate_stability(model, sample_postures(model, samples, rng=rng), load=load)
    return _chosen(found, found.hand[:, 2] >= 0)


def find_worst_posture(
    model: Model, sample: StabilitySample, *, load: ChairLoad, rng: np.random.Generator
) -> StabilityResult:
    """Improve the worst postures of a sample, and return the least stable one."""
    lower, upper = joint_ranges(model)
    best = _chosen(sample, np.argsort(sample.tip_angle)[:KEPT_POSTURES])
    size = 0.25
    for _ in range(ROUNDS):
        steps = rng.normal(size=(STEPS_PER_ROUND, *best.q.shape)) * size * (upper - lower)
        tried = np.clip(best.q + steps, lower, upper).reshape(-1, model.n_dof)
        found = evaluate_stability(model, tried, load=load)
        angle = np.where(found.hand[:, 2] >= 0, found.tip_angle, np.inf)
        winner = angle.reshape(STEPS_PER_ROUND, -1).argmin(axis=0) * len(best.q)
        rows = winner + np.arange(len(best.q))
        better = angle[rows] < best.tip_angle
        best = _merged(best, _chosen(found, rows), better)
        size *= SHRINK
    return StabilityResult.worst_of(best)


def folded_posture(arm: Model) -> Array:
    """Return the arm folded over its base: elbow at its limit, centre of mass over joint 1.

    For arms like those of the laboratory, whose second and fourth joints bend a straight arm.
    """
    q = np.zeros(arm.n_dof)
    q[3] = arm.upper[3]
    forwards = Posture(arm, stretched_posture(arm)).position()[:2]
    forwards = forwards / np.linalg.norm(forwards)

    def offset(shoulder: float) -> float:
        q[1] = shoulder
        return float(Posture(arm, q).com[:2] @ forwards)

    q[1] = float(brentq(offset, -np.pi / 4, np.pi / 4))
    return q


def stretched_posture(arm: Model) -> Array:
    """Return the arm straight and horizontal; its first joint turns it about the vertical."""
    q = np.zeros(arm.n_dof)
    q[1] = np.pi / 2
    return q


def sweep_stability(
    model: Model,
    arm_q: Array,
    *,
    load: ChairLoad,
    rail_positions: int = 61,
    azimuths: int = 73,
) -> StabilityResult:
    """Return the worst rail position and azimuth of an arm that keeps a posture."""
    rail = np.linspace(0.0, model.upper[0], rail_positions)
    turn = np.linspace(-np.pi, np.pi, azimuths)
    q = np.repeat(np.concatenate([[0.0], arm_q])[None], rail_positions * azimuths, axis=0)
    q[:, 0], q[:, 1] = (each.ravel() for each in np.meshgrid(rail, turn, indexing="ij"))
    return StabilityResult.worst_of(evaluate_stability(model, q, load=load))


def _chosen(sample: StabilitySample, rows: NDArray[Any]) -> StabilitySample:
    return StabilitySample(
        sample.q[rows],
        sample.hand[rows],
        sample.com[rows],
        sample.margin[rows],
        sample.tip_angle[rows],
    )


def _merged(old: StabilitySample, new: StabilitySample, is_new: Array) -> StabilitySample:
    row = is_new[:, None]
    return StabilitySample(
        np.where(row, new.q, old.q),
        np.where(row, new.hand, old.hand),
        np.where(row, new.com, old.com),
        np.where(is_new, new.margin, old.margin),
        np.where(is_new, new.tip_angle, old.tip_angle),
    )
