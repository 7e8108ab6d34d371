"""Visible parts of the skin, and their colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.geometry.arrays import Rgb
from robotix.human.body.survey import Sex
from robotix.human.skin.body_template import Faces

__all__ = ["SkinPart", "coloured_parts"]


@dataclass(frozen=True, eq=False)
class SkinPart:
    """Triangles of one colour."""

    name: str
    faces: Faces  # (m, 3), rows of the skin's vertices
    colour: Rgb  # red, green, blue in 0..1, sRGB
    gloss: float = 0.03


COLOURS: Mapping[Sex, Mapping[str, Rgb]] = {
    "female": {
        "skin": (0.84, 0.65, 0.55),
        "lips": (0.77, 0.51, 0.47),
        "brows": (0.42, 0.29, 0.22),
        "hair": (0.28, 0.18, 0.12),
        "shirt": (0.62, 0.30, 0.27),
        "trousers": (0.24, 0.28, 0.36),
        "shoes": (0.30, 0.30, 0.32),
        "soles": (0.86, 0.85, 0.82),
    },
    "male": {
        "skin": (0.78, 0.59, 0.49),
        "lips": (0.68, 0.46, 0.41),
        "brows": (0.32, 0.23, 0.17),
        "hair": (0.20, 0.15, 0.11),
        "shirt": (0.24, 0.43, 0.56),
        "trousers": (0.33, 0.32, 0.30),
        "shoes": (0.25, 0.22, 0.20),
        "soles": (0.86, 0.85, 0.82),
    },
}
# What else people look like: who comes second into a room is not dressed like the first.
OUTFITS: tuple[Mapping[str, Rgb], ...] = (
    {},
    {
        "skin": (0.52, 0.36, 0.27),
        "lips": (0.48, 0.29, 0.26),
        "brows": (0.12, 0.09, 0.07),
        "hair": (0.09, 0.07, 0.06),
        "shirt": (0.78, 0.62, 0.28),
        "trousers": (0.27, 0.31, 0.30),
    },
    {
        "hair": (0.62, 0.46, 0.28),
        "brows": (0.50, 0.37, 0.24),
        "shirt": (0.36, 0.50, 0.38),
        "trousers": (0.42, 0.38, 0.33),
    },
    {
        "skin": (0.80, 0.62, 0.48),
        "hair": (0.07, 0.06, 0.06),
        "brows": (0.10, 0.08, 0.07),
        "shirt": (0.55, 0.53, 0.62),
        "trousers": (0.20, 0.21, 0.25),
    },
    {
        "hair": (0.55, 0.54, 0.52),
        "brows": (0.45, 0.43, 0.40),
        "shirt": (0.45, 0.29, 0.42),
        "trousers": (0.36, 0.36, 0.40),
    },
)
EYE_COLOURS: Mapping[str, Rgb] = {
    "eyes": (0.90, 0.89, 0.87),
    "iris": (0.28, 0.20, 0.14),
    "pupil": (0.03, 0.03, 0.03),
}
GLOSS = {
    "skin": 0.10,
    "lips": 0.15,
    "hair": 0.04,
    "shoes": 0.15,
    "eyes": 0.5,
    "iris": 0.5,
    "pupil": 0.5,
}
IRIS_ANGLE, PUPIL_ANGLE = np.radians(28.0), np.radians(13.0)  # half angles from the eye's centre


def coloured_parts(
    pieces: Mapping[str, Faces], positions: Array, sex: Sex, *, outfit: int = 0
) -> tuple[SkinPart, ...]:
    """Return pieces with their colours; eyes get iris and pupil. Outfits repeat after some."""
    colours = {**COLOURS[sex], **EYE_COLOURS, **OUTFITS[outfit % len(OUTFITS)]}
    faces = {name: f for name, f in pieces.items() if name != "eyes"}
    faces |= _eyes(pieces["eyes"], positions)
    return tuple(
        SkinPart(name, f, colours[name], GLOSS.get(name, 0.03)) for name, f in faces.items()
    )


def _eyes(faces: Faces, positions: Array) -> dict[str, Faces]:
    """Split the eyeballs by the angle from their forward axis."""
    middle = positions[faces].mean(axis=1)
    ahead = np.empty(len(faces))
    for left in (True, False):
        own: NDArray[np.bool_] = (middle[:, 1] > 0) == left
        centre = (
            positions[faces[own]].reshape(-1, 3).min(0)
            + positions[faces[own]].reshape(-1, 3).max(0)
        ) / 2
        direction = middle[own] - centre
        ahead[own] = np.arccos(
            np.clip(direction[:, 0] / np.linalg.norm(direction, axis=1), -1.0, 1.0)
        )
    return {
        "eyes": faces[ahead > IRIS_ANGLE],
        "iris": faces[(ahead <= IRIS_ANGLE) & (ahead > PUPIL_ANGLE)],
        "pupil": faces[ahead <= PUPIL_ANGLE],
    }
