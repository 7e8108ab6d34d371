"""The surroundings of an image: light, floor and background."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robotix.geometry import Array
from robotix.view.things import Rgb

__all__ = ["Stage", "linear"]


def _sun() -> Array:
    return np.array([0.45, 0.40, 0.90])


@dataclass(frozen=True, eq=False)
class Stage:
    """A bright studio; colours in sRGB, strengths as fractions of full white."""

    sun: Array = field(default_factory=_sun)  # (3,), direction towards it
    sun_colour: Rgb = (1.0, 0.96, 0.90)
    sun_strength: float = 0.85
    sky_colour: Rgb = (0.88, 0.93, 1.0)
    ground_colour: Rgb = (0.80, 0.76, 0.72)
    sky_strength: float = 0.55
    shadow_width: float = 0.10  # m of blur per m between an object and its shadow
    upper: Rgb = (0.80, 0.85, 0.90)
    horizon: Rgb = (0.95, 0.96, 0.97)
    floor: float | None = 0.0  # m, height; None: no floor
    floor_colour: Rgb = (0.90, 0.90, 0.89)
    grid_colour: Rgb = (0.80, 0.81, 0.82)
    grid: float = 0.5  # m
    fade: float = 9.0  # m from the eye, at which the floor fades into the background
    reach: float = 0.22  # m, range of ambient occlusion


def linear(colour: Array | Rgb) -> Array:
    """Convert sRGB to linear light."""
    c = np.asarray(colour, dtype=float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
