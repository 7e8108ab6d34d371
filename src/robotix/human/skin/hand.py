"""The hands of the template: their frames, and bending their fingers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.skeleton import Side
from robotix.human.skin.fit import SizedBody

__all__ = ["GRIPPING_BEND", "RELAXED_BEND", "Hand", "find_hand"]

RELAXED_BEND, GRIPPING_BEND = np.radians(35.0), np.radians(150.0)  # from knuckles to fingertips


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand in the template's pose; axes along the fingers, to the thumb, out of the palm."""

    rows: NDArray[np.intp]  # of the vertices
    wrist: Array
    axes: Array  # (3, 3), rows
    local: Array  # (k, 3), vertices in this frame
    knuckle: float  # m from the wrist
    length: float  # m, from wrist to fingertips

    def within(self, rows: NDArray[np.intp]) -> Hand:
        """Return the hand as a part of some of the vertices only."""
        kept = np.isin(self.rows, rows)
        return replace(self, rows=np.searchsorted(rows, self.rows[kept]), local=self.local[kept])

    def bent(self, angle: float) -> Array:
        """Return the vertices with fingers bent towards the palm along an arc, angle in rad."""
        along, aside, out = self.local.T
        beyond = np.maximum(along - self.knuckle, 0.0)
        bend = max(angle, 1e-6) / (self.length - self.knuckle)
        radius = 1 / bend - out
        new = np.where(beyond > 0, self.knuckle + radius * np.sin(bend * beyond), along)
        lift = np.where(beyond > 0, 1 / bend - radius * np.cos(bend * beyond), out)
        return np.asarray(self.wrist + np.stack([new, aside, lift], axis=1) @ self.axes)


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
    return Hand(rows, wrist + middle * palm, frame, local, 0.5 * length, length)
