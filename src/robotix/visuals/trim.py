"""Details of links: seams, caps, base plates and flanges; sliders and rails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.meshes import Material
from robotix.model import Body
from robotix.visuals.fields import Carved, RoundedBox
from robotix.visuals.joints import Knuckle
from robotix.visuals.shell import DRUM_RADIUS_RATIO, PLATE_THICKNESS, SEAM_RATIO, Link
from robotix.visuals.surfaces import (
    Surface,
    field_surface,
    joined,
    swept_surface,
    turned_surface,
)

__all__ = ["Paint", "carriage", "flange", "foot", "rail", "rings", "shaft"]


@dataclass(frozen=True)
class Paint:
    """The colours of a robot."""

    shell: Material
    accent: Material
    dark: Material
    metal: Material


def rings(
    knuckle: Knuckle, side: float, *, shell: Carved, paint: Paint
) -> Iterator[tuple[Surface, Material]]:
    """Yield the rings of a joint: the dark seam for the outer link, coloured caps for both."""
    direction, c = side * knuckle.axis, knuckle.centre
    r = DRUM_RADIUS_RATIO * knuckle.radius if knuckle.is_split else knuckle.radius
    if side > 0:
        dark = _disc(0.94 * r, 3 * SEAM_RATIO * r)
        yield (
            turned_surface(dark, foot=c - 1.5 * SEAM_RATIO * r * direction, axis=direction),
            paint.dark,
        )
    if knuckle.is_split:
        heights = np.linspace(0.2, 2.0, 181) * r
        inside = shell(c + heights[:, None] * direction) < 0
        top = float(heights[inside].max(initial=0.0))
        cap = _disc(0.60 * r, 0.4 * r)
        yield (
            turned_surface(cap, foot=c + (top - 0.385 * r) * direction, axis=direction),
            paint.accent,
        )
    elif side < 0:
        ring = _disc(0.975 * r, 2 * SEAM_RATIO * r)
        foot = c - 2 * SEAM_RATIO * r * knuckle.axis
        yield turned_surface(ring, foot=foot, axis=knuckle.axis), paint.accent


def _disc(radius: float, height: float) -> list[tuple[float, float]]:
    """Return the outline of a disc with chamfered edges."""
    r, h, e = radius, height, min(0.3 * height, 0.06 * radius)
    return [(0, 0), (r - e, 0), (r, e), (r, h - e), (r - 0.3 * e, h - 0.3 * e), (r - e, h), (0, h)]


def foot(link: Link, paint: Paint) -> Iterator[tuple[Surface, Material]]:
    """Yield the base plate of an arm, with its screws."""
    r, up = link.radius, np.array([0.0, 0.0, 1.0])
    wide = 1.45 * r
    plate = [(0, 0), (wide - 0.002, 0), (wide, 0.002), (wide, 0.013), (wide - 0.004, 0.017)]
    yield turned_surface([*plate, (0, 0.017)], foot=np.zeros(3), axis=up), paint.dark
    screws = [_screw(1.25 * r, (k + 0.5) * np.pi / 4, 0.017) for k in range(8)]
    yield joined(screws), paint.metal


def _screw(away: float, angle: float, height: float) -> Surface:
    foot = np.array([away * np.cos(angle), away * np.sin(angle), height - 0.001])
    up = np.array([0.0, 0.0, 1.0])
    return turned_surface(_disc(0.0055, 0.006), foot=foot, axis=up, around=10)


def flange(link: Link, paint: Paint) -> Iterator[tuple[Surface, Material]]:
    """Yield the tool flange."""
    if link.tip is None:
        return
    position, axis = link.tip
    r = link.nearest(position)[1]
    base = [
        (0, -0.5 * r),
        (0.88 * r, -0.5 * r),
        (0.88 * r, -0.5 * PLATE_THICKNESS),
        (0, -0.5 * PLATE_THICKNESS),
    ]
    yield turned_surface(base, foot=position, axis=axis), paint.dark
    disc = _disc(0.97 * r, 0.6 * PLATE_THICKNESS)
    yield turned_surface(disc, foot=position - 0.6 * PLATE_THICKNESS * axis, axis=axis), paint.metal
    hole = _disc(0.35 * r, 0.001)
    yield turned_surface(hole, foot=position, axis=axis), paint.dark


def shaft(link: Link, paint: Paint) -> Iterator[tuple[Surface, Material]]:
    """Yield the rod of a prismatic joint, with a stop at its upper end."""
    for rod in link.rods:
        direction = rod.end - rod.start
        length = float(np.linalg.norm(direction))
        if length < 1e-6:
            continue
        axis, r = direction / length, rod.radius
        foot = rod.start - r / 2 * axis
        yield turned_surface(_disc(r, length + r), foot=foot, axis=axis), paint.metal
        yield turned_surface(_disc(1.7 * r, r), foot=foot, axis=axis), paint.dark


# -- rails ------------------------------------------------------------------------------------


def rail(link: Link, child: Body, paint: Paint) -> Iterator[tuple[Surface, Material]]:
    """Yield the profile along a path, and the groove in its outer side."""
    path = child.joint.path
    assert path is not None
    r = link.radius
    rows = [
        path.at(float(s)) for s in np.linspace(0.0, path.length, max(int(path.length / 0.04), 8))
    ]
    centres = np.array([(x, y, 0.0) for x, y, *_ in rows])
    tangent = np.gradient(centres, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    sides = np.stack([tangent[:, 1], -tangent[:, 0], np.zeros(len(tangent))], axis=1)
    base = child.placement
    for section, material in (
        (_round_box(1.1 * r, 1.5 * r, 0.4 * r), paint.metal),
        (_round_box(1.16 * r, 0.35 * r, 0.1 * r), paint.dark),
    ):
        swept = swept_surface(centres, sides, section=section[0], normals=section[1])
        yield (
            Surface(base.apply(swept.vertices), swept.normals @ base.rotation.T, swept.faces),
            material,
        )


def _round_box(half_width: float, half_height: float, rounding: float) -> tuple[Array, Array]:
    """Return the outline of a rectangle with round corners, and its normals."""
    angle = np.linspace(0.0, np.pi / 2, 5)
    angles = np.concatenate([angle + k * np.pi / 2 for k in range(4)])
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    inner = np.array([half_width - rounding, half_height - rounding])
    corner = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], len(angle), axis=0) * inner
    return corner + rounding * normals, normals


def carriage(paint: Paint) -> Iterator[tuple[Surface, Material]]:
    """Yield the carriage of a rail, around the rail and below its load."""
    size = np.array([0.13, 0.17, 0.085])
    centre = np.array([0.0, 0.0, -size[2] / 2])
    block = RoundedBox(centre, size, 0.018)
    low, high = centre - 0.65 * size - 0.01, centre + 0.65 * size + 0.01
    yield field_surface(block, low=low, high=high, cell=0.0095), paint.shell
    stripe = RoundedBox(
        centre + np.array([0.0, 0.0, 0.012]), size * np.array([1.012, 1.012, 0.1]), 0.003
    )
    yield field_surface(stripe, low=low, high=high, cell=0.0095), paint.accent
