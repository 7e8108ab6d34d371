"""Compiled shading of visible surfaces.

One light value per pixel (fractions of sky and sun), sampled with a pattern that rotates from pixel
to pixel and smoothed over one period of it; then one colour for every surface within a pixel.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from robotix.geometry.arrays import Float32Array, Int32Array
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, cross, dot, norm, scaled, subtract
from robotix.kernels import kernel, part
from robotix.view.raster_kernels import FLOOR_ID, SKY_ID

__all__ = [
    "PATTERN_PERIOD",
    "Setting",
    "Sun",
    "VisibleTriangles",
    "gather_light",
    "shade",
]


PATTERN_PERIOD = 4  # pixels, of the rotating pattern
MAX_SHADOW_BLUR = 0.06  # m, of the blur of a shadow's edge
UNLIT_GLOSS = -1.0  # gloss of self-luminous surfaces


class VisibleTriangles(NamedTuple):
    """Triangles in the camera's frame, and the buffers of the visible ones."""

    points: Array  # (n, 3)
    normals: Array  # (n, 3)
    colours: Array  # (n, 3), linear
    faces: Int32Array  # (m, 3)
    gloss: Array  # (m,)
    ids: Int32Array  # (s·h, s·w)
    values: Float32Array  # likewise
    lens: Array  # (3,), focal length and centre, in pixels
    samples: int  # s, along each side of a pixel


class Sun(NamedTuple):
    """The sun and its shadow map."""

    direction: Vector  # direction towards it, in the camera's frame
    cells: Array  # (3, 4), from the camera's frame to column, row and height of the map
    heights: Float32Array  # the map
    cell: float  # m
    width: float  # m of blur per m of distance from what casts the shadow


class Setting(NamedTuple):
    """The surroundings; colours are linear."""

    up: Vector  # in the camera's frame
    world: Array  # (3, 4), from the camera's frame to the world
    sun: Vector
    sky: Vector
    ground: Vector
    upper: Vector  # background, high up
    lower: Vector  # at the horizon
    floor: Vector
    grid: Vector
    spacing: float  # m, of the grid
    fade: float  # m, at which the floor has faded by half
    reach: float  # m, range of ambient occlusion


# -- surfaces ---------------------------------------------------------------------------------


@part
def _row(table: Array, index: int) -> Vector:
    return (table[index, 0], table[index, 1], table[index, 2])


@part
def _unit(a: Vector) -> Vector:
    length = norm(a)
    return scaled(1.0 / length, a) if length > 0 else (0.0, 0.0, -1.0)


@part
def _mapped(matrix: Array, p: Vector) -> Vector:
    return (
        matrix[0, 0] * p[0] + matrix[0, 1] * p[1] + matrix[0, 2] * p[2] + matrix[0, 3],
        matrix[1, 0] * p[0] + matrix[1, 1] * p[1] + matrix[1, 2] * p[2] + matrix[1, 3],
        matrix[2, 0] * p[0] + matrix[2, 1] * p[1] + matrix[2, 2] * p[2] + matrix[2, 3],
    )


@part
def _ray(lens: Array, column: float, row: float) -> Vector:
    return ((column - lens[1]) / lens[0], (row - lens[2]) / lens[0], 1.0)


@part
def _corners(seen: VisibleTriangles, face: int) -> tuple[Vector, Vector, Vector]:
    return (
        _row(seen.points, seen.faces[face, 0]),
        _row(seen.points, seen.faces[face, 1]),
        _row(seen.points, seen.faces[face, 2]),
    )


@part
def _barycentric(seen: VisibleTriangles, face: int, ray: Vector) -> Vector:
    """Return the barycentric coordinates of the intersection of a ray with a triangle."""
    a, b, c = _corners(seen, face)
    u, v, w = dot(cross(b, c), ray), dot(cross(c, a), ray), dot(cross(a, b), ray)
    total = u + v + w
    if total == 0:
        return (1.0, 0.0, 0.0)
    return (u / total, v / total, w / total)


@part
def _blend(table: Array, corners: Int32Array, shares: Vector) -> Vector:
    a, b, c = _row(table, corners[0]), _row(table, corners[1]), _row(table, corners[2])
    return along(along(scaled(shares[0], a), shares[1], b), shares[2], c)


@part
def _normal(seen: VisibleTriangles, face: int, ray: Vector, up: Vector) -> Vector:
    """Return the interpolated normal, oriented towards the eye."""
    if face == FLOOR_ID:
        return up
    n = _unit(_blend(seen.normals, seen.faces[face], _barycentric(seen, face, ray)))
    a, b, c = _corners(seen, face)
    flat = cross(subtract(b, a), subtract(c, a))
    if dot(flat, n) < 0:
        flat = scaled(-1.0, flat)
    return scaled(-1.0, n) if dot(flat, ray) > 0 else n


# -- light ------------------------------------------------------------------------------------


@part
def _sun_fraction(sun: Sun, p: Vector, n: Vector, taps: Array) -> float:
    """Return the visible fraction of the sun; the blur grows with the distance to the occluder."""
    facing = dot(n, sun.direction)
    if facing <= 0:
        return 0.0
    lift = sun.cell * (1.5 + 2.0 * math.sqrt(max(1.0 - facing * facing, 0.0)))
    at = _mapped(sun.cells, along(p, lift, n))
    rows, columns = sun.heights.shape
    wide = min(MAX_SHADOW_BLUR / sun.cell, 24.0)
    if not (-wide < at[0] < columns + wide and -wide < at[1] < rows + wide):
        return 1.0
    found, above = 0, 0.0
    for k in range(taps.shape[0]):
        j, i = int(at[0] + wide * taps[k, 0]), int(at[1] + wide * taps[k, 1])
        if 0 <= i < rows and 0 <= j < columns and sun.heights[i, j] > at[2] + sun.cell:
            found += 1
            above += sun.heights[i, j] - at[2]
    if found == 0:
        return 1.0
    wide = min(max(sun.width * above / found / sun.cell, 1.2), wide)
    lit = 0
    for k in range(taps.shape[0]):
        j, i = int(at[0] + wide * taps[k, 0]), int(at[1] + wide * taps[k, 1])
        inside = 0 <= i < rows and 0 <= j < columns
        if not inside or sun.heights[i, j] <= at[2] + sun.cell * (1.0 + 0.5 * wide * taps[k, 2]):
            lit += 1
    return float(lit / taps.shape[0])


@part
def _sky_fraction(
    depths: Float32Array, lens: Array, p: Vector, n: Vector, reach: float, taps: Array
) -> float:
    """Return the visible fraction of the sky, in screen space.

    A cosine-weighted sum over neighbours, after [McGuire2011] (alchemy ambient obscurance).
    """
    rows, columns = depths.shape
    column, row = lens[0] * p[0] / p[2] + lens[1], lens[0] * p[1] / p[2] + lens[2]
    wide = min(lens[0] * reach / p[2], 160.0)
    if wide < 1.5:
        return 1.0
    dark = 0.0
    for k in range(taps.shape[0]):
        r = wide * taps[k, 2]  # denser near the centre
        j, i = int(column + r * taps[k, 0]), int(row + r * taps[k, 1])
        if not (0 <= i < rows and 0 <= j < columns) or depths[i, j] <= 0:
            continue
        ray = _ray(lens, j + 0.5, i + 0.5)
        way = subtract(scaled(float(depths[i, j]), ray), p)
        far = dot(way, way)
        fall = max(1.0 - far / (reach * reach), 0.0)
        rise = dot(way, n) - 0.002 * p[2]
        if rise > 0 and far > 0:
            dark += fall * fall * rise / math.sqrt(far)
    return float(max(1.0 - 1.6 * dark / taps.shape[0], 0.0))


@kernel
def gather_light(
    seen: VisibleTriangles,
    sun: Sun,
    setting: Setting,
    disks: Array,
    depths: Float32Array,
    light: Float32Array,
) -> None:
    """Write, for every pixel, the fractions of sky and sun, and the normal of the surface.

    `disks` holds x, y and radius of points in a disk of radius 1, (PERIOD², k, 3).
    """
    height, width = depths.shape
    for i in range(height):
        for j in range(width):
            if depths[i, j] <= 0:
                light[i, j, 0] = light[i, j, 1] = 1.0
                continue
            middle = seen.samples // 2
            face = seen.ids[i * seen.samples + middle, j * seen.samples + middle]
            offset = (middle + 0.5) / seen.samples
            ray = _ray(seen.lens, j + offset, i + offset)
            n = _normal(seen, face, ray, setting.up)
            p = scaled(float(depths[i, j]), ray)
            taps = disks[(i % PATTERN_PERIOD) * PATTERN_PERIOD + (j % PATTERN_PERIOD)]
            light[i, j, 0] = _sky_fraction(depths, seen.lens, p, n, setting.reach, taps)
            light[i, j, 1] = _sun_fraction(sun, p, n, taps)
            light[i, j, 2], light[i, j, 3], light[i, j, 4] = n[0], n[1], n[2]


# -- colour -----------------------------------------------------------------------------------


@part
def _line_fraction(at: float, footprint: float, spacing: float, line: float) -> float:
    """Return the fraction of a pixel that grid lines cover: the mean of a periodic pulse."""
    wide = max(footprint, 1e-9)
    low, high = (at - wide / 2 + line / 2) / spacing, (at + wide / 2 + line / 2) / spacing
    share = line / spacing
    first = math.floor(low) * share + min(low - math.floor(low), share)
    last = math.floor(high) * share + min(high - math.floor(high), share)
    return min((last - first) * spacing / wide, 1.0)


@part
def _background(setting: Setting, ray: Vector) -> Vector:
    """Return the background colour, from the horizon upwards."""
    t = 1.0 - math.exp(-2.5 * max(dot(ray, setting.up), 0.0))
    return along(scaled(1.0 - t, setting.lower), t, setting.upper)


@part
def _floor_colour(setting: Setting, lens: Array, p: Vector) -> Vector:
    """Return the colour of the floor, with the antialiased grid."""
    at = _mapped(setting.world, p)
    slant = max(-dot(_unit(p), setting.up), 0.02)
    footprint = p[2] / lens[0] / slant
    line = 0.012
    x = _line_fraction(at[0], footprint, setting.spacing, line)
    y = _line_fraction(at[1], footprint, setting.spacing, line)
    share = 1.0 - (1.0 - x) * (1.0 - y)
    return along(scaled(1.0 - share, setting.floor), share, setting.grid)


@part
def _lit(
    colour: Vector, n: Vector, sky: float, sun: float, setting: Setting, way: Vector
) -> Vector:
    """Return the colour of a matt surface under sky, ground and sun."""
    upward = 0.5 + 0.5 * dot(n, setting.up)
    facing = max(dot(n, way), 0.0) * sun
    bright = along(
        scaled(sky, along(scaled(1.0 - upward, setting.ground), upward, setting.sky)),
        facing,
        setting.sun,
    )
    return (colour[0] * bright[0], colour[1] * bright[1], colour[2] * bright[2])


@part
def _colour_of(
    seen: VisibleTriangles,
    sun: Sun,
    setting: Setting,
    face: int,
    ray: Vector,
    sky: float,
    lit: float,
) -> Vector:
    """Return the colour of a triangle at its intersection with a ray."""
    shares = _barycentric(seen, face, ray)
    colour = _blend(seen.colours, seen.faces[face], shares)
    gloss = seen.gloss[face]
    if gloss == UNLIT_GLOSS:
        return colour
    n = _normal(seen, face, ray, setting.up)
    bright = _lit(colour, n, sky, lit, setting, sun.direction)
    if gloss > 0:
        half = _unit(subtract(sun.direction, _unit(ray)))
        shine = gloss * lit * max(dot(n, half), 0.0) ** 40
        rim = 0.15 * gloss * sky * (1.0 + dot(n, _unit(ray))) ** 3
        bright = along(bright, shine + rim, setting.sun)
    return bright


@part
def _light_at(
    light: Float32Array, depths: Float32Array, nearness: float, i: int, j: int
) -> tuple[float, float]:
    """Return the light of the nearest in depth among a pixel and its neighbours."""
    if nearness <= 0 or abs(depths[i, j] * nearness - 1.0) < 1e-3:
        return (float(light[i, j, 0]), float(light[i, j, 1]))
    height, width = depths.shape
    best, at_i, at_j = np.inf, i, j
    for y in range(max(i - 1, 0), min(i + 2, height)):
        for x in range(max(j - 1, 0), min(j + 2, width)):
            gap = abs(depths[y, x] * nearness - 1.0) + (1e-4 if (y, x) != (i, j) else 0.0)
            if gap < best:
                best, at_i, at_j = gap, y, x
    return (float(light[at_i, at_j, 0]), float(light[at_i, at_j, 1]))


@part
def _sample_colour(
    seen: VisibleTriangles,
    sun: Sun,
    setting: Setting,
    face: int,
    ray: Vector,
    nearness: float,
    shares: tuple[float, float],
) -> Vector:
    if face == SKY_ID:
        return _background(setting, ray)
    if face >= 0:
        return _colour_of(seen, sun, setting, face, ray, shares[0], shares[1])
    p = scaled(1.0 / nearness, ray)
    colour = _floor_colour(setting, seen.lens, p)
    bright = _lit(colour, setting.up, shares[0], shares[1], setting, sun.direction)
    gone = 1.0 - math.exp(-((norm(p) / setting.fade) ** 2))
    return along(scaled(1.0 - gone, bright), gone, setting.lower)


@kernel
def shade(
    seen: VisibleTriangles,
    sun: Sun,
    setting: Setting,
    depths: Float32Array,
    light: Float32Array,
    out: Float32Array,
) -> None:
    """Write the linear colour of every pixel; each surface is shaded once per pixel."""
    height, width = depths.shape
    s = seen.samples
    for i in range(height):
        for j in range(width):
            red = green = blue = 0.0
            face, colour = -3, (0.0, 0.0, 0.0)
            for y in range(i * s, (i + 1) * s):
                for x in range(j * s, (j + 1) * s):
                    if seen.ids[y, x] != face:
                        face = seen.ids[y, x]
                        nearness = float(seen.values[y, x])
                        shares = _light_at(light, depths, nearness, i, j)
                        ray = _ray(seen.lens, (x + 0.5) / s, (y + 0.5) / s)
                        colour = _sample_colour(seen, sun, setting, face, ray, nearness, shares)
                    red, green, blue = red + colour[0], green + colour[1], blue + colour[2]
            out[i, j, 0], out[i, j, 1] = red / (s * s), green / (s * s)
            out[i, j, 2] = blue / (s * s)
