"""The hands of the template: their frames, and the joints and weights of their fingers.

The four fingers bend together, at three joints; the thumb swings towards them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.skeleton import Side
from robotix.human.skin.fit import SizedBody

__all__ = ["FINGER_JOINTS", "THUMB_SHARE", "Hand", "find_hand"]

FINGER_JOINTS = (0.50, 0.69, 0.84)  # of the hand's length from the wrist: of the middle finger
FINGER_BLEND = 0.09  # of the hand's length, over which a joint bends
THUMB_BASE = (0.22, 0.20, 0.05)  # of the hand's length: along, to the thumb, below the fingers
THUMB_EDGE, THUMB_BLEND = 0.235, 0.03  # of the hand's length, to the thumb
THUMB_START = 0.18  # of the hand's length from the wrist
THUMB_SHARE = 0.45  # of the bend of the fingers by which the thumb swings


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand in the template's pose; axes along the fingers, to the thumb, out of the palm."""

    rows: NDArray[np.intp]  # of the vertices
    wrist: Array
    axes: Array  # (3, 3), rows
    local: Array  # (k, 3), vertices in this frame
    length: float  # m, from wrist to fingertips

    @property
    def finger_axis(self) -> Array:
        """Return the axis about which fingers bend towards the palm, (3,)."""
        return np.cross(self.axes[0], self.axes[2])

    @property
    def thumb_axis(self) -> Array:
        """Return the axis about which the thumb swings before the palm, (3,)."""
        return np.cross(self.axes[1], self.axes[2])

    def finger_centres(self) -> Array:
        """Return the joints of the fingers in the template's pose, (3, 3), m."""
        along, aside, out = self.local.T
        fingers = aside < THUMB_EDGE * self.length
        at = np.zeros((len(FINGER_JOINTS), 3))
        for row, joint in enumerate(FINGER_JOINTS):
            near = fingers & (abs(along - joint * self.length) < 0.05 * self.length)
            at[row] = joint * self.length, 0.0, np.median(out[near])
        return np.asarray(self.wrist + at @ self.axes)

    def thumb_centre(self) -> Array:
        """Return the joint of the thumb in the template's pose, (3,), m."""
        along, aside, below = THUMB_BASE
        at = np.array([along, aside, -below]) * self.length
        return np.asarray(self.wrist + at @ self.axes)

    def weights(self) -> tuple[Array, Array]:
        """Return the fractions of the hand's weight that three finger bones and the thumb take.

        Shapes (k, 3) and (k,); what is left belongs to the hand.
        """
        along, aside, _ = self.local.T / self.length
        thumb = _smooth((aside - THUMB_EDGE) / THUMB_BLEND + 0.5)
        thumb = thumb * _smooth((along - THUMB_START) / FINGER_BLEND)
        beyond = np.stack(
            [_smooth((along - j) / FINGER_BLEND + 0.5) for j in FINGER_JOINTS], axis=1
        )
        beyond = beyond * (1.0 - thumb)[:, None]
        return np.column_stack([beyond[:, :2] - beyond[:, 1:], beyond[:, 2]]), thumb


def find_hand(body: SizedBody, side: Side) -> Hand:
    """Find the frame of a hand from its vertices: fingers side by side, thumb apart."""
    wrist = body.centres[f"{side}_wrist"]
    along = body.directions[f"{side}_hand"]
    weight = body.template.weight_of(f"{side}_hand")
    rows = np.flatnonzero(weight > 0.02)
    near = body.vertices[np.flatnonzero(weight > 0.5)] - wrist
    reach = near @ along
    length = float(reach.max())
    across = near - np.outer(reach, along)
    fingers = across[reach > 0.62 * length]
    _, _, axes = np.linalg.svd(fingers - fingers.mean(axis=0), full_matrices=False)
    thumb = axes[0] - (axes[0] @ along) * along
    thumb /= np.linalg.norm(thumb)
    palm_part = across[(reach > 0.2 * length) & (reach < 0.5 * length)] @ thumb
    if abs(palm_part.min()) > palm_part.max():
        thumb = -thumb
    palm = np.cross(along, thumb) * (1.0 if side == "left" else -1.0)
    frame = np.stack([along, thumb, palm])
    local = (body.vertices[rows] - wrist) @ frame.T
    middle = np.median(local[local[:, 0] > 0.6 * length][:, 2])
    local[:, 2] -= middle
    return Hand(rows, wrist + middle * palm, frame, local, length)


def _smooth(fraction: Array) -> Array:
    t = np.clip(fraction, 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t))
