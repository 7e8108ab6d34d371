"""Postures on the two sides of a chair, and the folded one in which an arm passes behind it.

The rail, and rooms with sides, are symmetric about the plane y = 0, and the arms about the plane of
their even joints: the mirror image of a posture negates all odd joints of the arm.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from robotix.experiments.tasks.task import LabTask
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.model import Model

__all__ = ["RIDER_BOXES", "arm_points", "box_gap", "find_folded_posture", "mirrored_posture"]

# Boxes around the person, m, lowest and highest corner: trunk and head; legs, forearms and seat;
# the push handles behind.
RIDER_BOXES = np.array(
    [
        [[-0.2, -0.25, 0.4], [0.28, 0.25, 1.4]],
        [[-0.2, -0.3, 0.1], [0.5, 0.3, 0.76]],
        [[-0.36, -0.26, 0.3], [-0.06, 0.26, 1.2]],
    ]
)
PASS_GAP = 0.10  # m between the folded arm and the person, from the elbow on
KEEP_GAP = 0.08  # m between the arm and boxes that it keeps out of, while it folds
LOWEST = 0.70  # m: what is held stays above, clear of wheels and armrests
MAX_WIDTH = 1.0  # m from the middle of the chair to the outermost point of the folded arm
MAX_LEAN = 0.35  # rad by which the hand may lean from its usual slope
GRID = np.arange(-2.2, 2.21, 0.2)  # rad, of the shoulder and of the elbow
FOLD_STEPS, SLIDE_STEPS = 8, 9  # postures examined on the way
ELBOW = 5  # bodies of the chain before the elbow: rail, carriage, base and two links


def mirrored_posture(model: Model, q: Array) -> Array:
    """Return the posture on the other side of the chair, of a seven-joint arm on the rail."""
    mirrored = np.array(q, dtype=float)
    mirrored[0] = model.lower[0] + model.upper[0] - q[0]
    mirrored[1::2] *= -1.0
    return mirrored


def find_folded_posture(model: Model, base: Pose, task: LabTask, ready: Array) -> Array | None:
    """Return the folded arm that is nearest to a ready posture; None if there is none.

    It lies in the plane of the carriage's normal, so it is its own mirror image. From it the arm
    gets to the ready posture and along the whole rail without coming near the person.
    """
    slope = float(task.hand_rotation[2, 2])  # of the fingers: -1 down, 0 level
    found: list[tuple[float, Array]] = []
    for shoulder, elbow in product(GRID, GRID):
        for wrist in _wrists(model, base, shoulder, elbow, slope):
            q = np.array([ready[0], 0.0, shoulder, 0.0, elbow, 0.0, wrist, 0.0])
            if (model.lower <= q).all() and (q <= model.upper).all():
                found.append((float((abs(q - ready) / model.velocity).max()), q))
    for _, q in sorted(found, key=lambda each: each[0]):
        if _passes(model, base, task, q, ready):
            return q
    return None


def _wrists(
    model: Model, base: Pose, shoulder: float, elbow: float, slope: float
) -> Iterator[float]:
    """Yield angles of the wrist at which the fingers have a slope, outwards from the chair."""
    q = np.array([model.lower[0], 0.0, shoulder, 0.0, elbow, 0.0, 0.0, 0.0])
    for wrist in GRID:
        q[6] = wrist
        fingers = base.rotation @ Posture(model, q).pose(model.tip).rotation[:, 2]
        lean = abs(np.arcsin(np.clip(fingers[2], -1, 1)) - np.arcsin(np.clip(slope, -1, 1)))
        if lean <= MAX_LEAN and (fingers[1] >= 0 or slope < -0.5):
            yield float(wrist)


def _passes(model: Model, base: Pose, task: LabTask, folded: Array, ready: Array) -> bool:
    for s in np.linspace(model.lower[0], model.upper[0], SLIDE_STEPS):
        points = arm_points(model, base, np.array([s, *folded[1:]]))
        if box_gap(tuple(RIDER_BOXES), points) < PASS_GAP or points[-1, 2] < LOWEST:
            return False
    beside = arm_points(model, base, np.array([model.lower[0], *folded[1:]]))
    if beside[:, 1].max() > MAX_WIDTH:
        return False
    for share in np.linspace(0.0, 1.0, FOLD_STEPS):
        points = arm_points(model, base, ready + share * (folded - ready))
        if box_gap(tuple(RIDER_BOXES), points) < PASS_GAP / 2:
            return False
        if box_gap(task.keep_out, points[:-2]) < KEEP_GAP * min(1.0, 2 * share):
            return False
    return True


def arm_points(model: Model, base: Pose, q: Array) -> Array:
    """Return joints of an arm from the elbow to the grip in the room, and the middles between."""
    posture = Posture(model, q)
    names = [body.name for body in model.chain()][ELBOW:]
    tip = posture.pose(model.tip)
    joints = [posture.position(name) for name in names]
    joints += [tip.translation, tip.apply(np.array([0.0, 0.0, 0.15]))]
    middles = [(a + b) / 2 for a, b in pairwise(joints)]
    return base.apply(np.array([*middles, *joints]))


def box_gap(boxes: tuple[Array, ...], points: Array) -> float:
    """Return the smallest distance of points (N, 3) from boxes (lowest and highest corner), m."""
    gaps = [
        np.linalg.norm(np.maximum(np.maximum(box[0] - points, points - box[1]), 0.0), axis=1).min()
        for box in boxes
    ]
    return float(min(gaps, default=np.inf))
