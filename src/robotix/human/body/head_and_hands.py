"""Neck and fingers, which the 39 coordinates leave out.

They follow from what a person looks at and holds, and serve posture scores and pictures. Masses
and contacts do not use them: there the head is fixed to the thorax.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import Side

__all__ = [
    "EXTENDED_NECK",
    "FLEXED_NECK",
    "RELAXED_FINGERS",
    "TURNED_NECK",
    "HeadAndHands",
    "neck_rotations",
]

# Range of the neck, rad: "Cervical spine ranges of motion", glossary of learnmuscles.com.
FLEXED_NECK, EXTENDED_NECK, TURNED_NECK = np.radians([50.0, 80.0, 80.0]).tolist()
RELAXED_FINGERS = float(np.radians(35.0))  # bend from knuckles to fingertips, assumed


@dataclass(frozen=True)
class HeadAndHands:
    """Neck and fingers at one instant."""

    neck_flexion: float = 0.0  # rad, of the head against the thorax, forwards
    neck_rotation: float = 0.0  # rad, to the left
    fingers: Mapping[Side, float] = field(default_factory=lambda: MappingProxyType({}))
    """Bend from knuckles to fingertips, rad; hands that are not named are relaxed."""


def neck_rotations(flexion: Array, rotation: Array) -> Array:
    """Return thorax_from_head, (N, 3, 3): the head turns about the trunk's axis, then nods."""
    cos_f, sin_f, cos_r, sin_r = (
        np.cos(flexion),
        np.sin(flexion),
        np.cos(rotation),
        np.sin(rotation),
    )
    zero = np.zeros_like(flexion)
    rows = [
        [cos_r * cos_f, -sin_r, cos_r * sin_f],
        [sin_r * cos_f, cos_r, sin_r * sin_f],
        [-sin_f, zero, cos_f],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
