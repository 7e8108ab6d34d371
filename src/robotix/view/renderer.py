"""Rendering of images without graphics hardware.

Why a renderer of our own: pyrender and MuJoCo need OpenGL (EGL or OSMesa), three.js runs in the
browser, and plotting libraries sort polygons instead of using a depth buffer. This one needs only
Numba, and its output is reproducible bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.view.camera import Camera, Size
from robotix.view.raster_kernels import (
    FLOOR_ID,
    SKY_ID,
    clear,
    fill_from_above,
    fill_from_eye,
)
from robotix.view.screen_kernels import encode
from robotix.view.shade_kernels import (
    PATTERN_PERIOD,
    Setting,
    Sun,
    VisibleTriangles,
    gather_light,
    shade,
)
from robotix.view.smooth_kernels import smooth_light
from robotix.view.stage import Stage, linear
from robotix.view.things import Thing
from robotix.view.triangles import Triangles, collect

__all__ = ["FLOOR_ID", "SKY_ID", "Image", "View", "render", "render_view"]

Image: TypeAlias = NDArray[np.uint8]

SIZE: Size = (1280, 720)
MAX_PIXELS = 64_000_000  # including all samples; bounds the memory
SHADOW_MAP_CELLS = 1400  # of the shadow map, along its longer side
MIN_CELL_SIZE = 0.002  # m, of a cell of the shadow map
SAMPLES_PER_PIXEL = 16  # for ambient light and for sunlight each
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))  # rad; spreads samples evenly over a disk


@dataclass(frozen=True, eq=False)
class View:
    """A rendered image with depths and object ids."""

    image: Image  # (h, w, 3)
    depth: Array  # (h, w), m along the line of sight; infinite for the sky
    ids: NDArray[np.int32]  # (h, w), index of the visible object, or FLOOR_ID or SKY_ID


def render(
    things: Sequence[Thing],
    camera: Camera,
    *,
    size: Size = SIZE,
    stage: Stage | None = None,
    samples: int = 3,
) -> Image:
    """Return an image (height, width, 3) with samples × samples samples per pixel."""
    return render_view(things, camera, size=size, stage=stage, samples=samples).image


def render_view(
    things: Sequence[Thing],
    camera: Camera,
    *,
    size: Size = SIZE,
    stage: Stage | None = None,
    samples: int = 3,
) -> View:
    """Return an image with depths, and with the indices of the objects in their order.

    Depths and indices are those of the middle sample of every pixel, which is exactly its centre if
    `samples` is odd.
    """
    width, height = size
    if not (width > 0 and height > 0 and samples > 0):
        raise ValueError(f"size and samples must be positive, got {size} and {samples}")
    if width * height * samples**2 > MAX_PIXELS:
        raise ValueError(f"{width} × {height} pixels of {samples}² samples are too many")
    room = stage or Stage()
    triangles = collect(things, camera, size)
    seen = _see(triangles, camera, size=size, samples=samples, stage=room)
    middle = slice(samples // 2, None, samples)
    nearness, faces = seen.values[middle, middle], seen.ids[middle, middle]
    depths = np.divide(1.0, nearness, out=np.zeros_like(nearness), where=nearness > 0)
    sun = _sunlight(triangles, camera, room)
    image = _light_and_shade(seen, sun, _setting(camera, room), depths)
    owners = np.append(triangles.owners, [SKY_ID, FLOOR_ID]).astype(np.int32)  # rows -2 and -1
    return View(image, np.where(depths > 0, depths, np.inf).astype(float), owners[faces])


def _see(
    triangles: Triangles, camera: Camera, *, size: Size, samples: int, stage: Stage
) -> VisibleTriangles:
    """Return the visible triangle of every sample."""
    world_from_camera = camera.world_from_camera
    points = world_from_camera.inverse().apply(triangles.points)
    K = camera.intrinsics(size)
    lens = np.array([K[0, 0], K[0, 2], K[1, 2]])
    shape = (size[1] * samples, size[0] * samples)
    values, ids = np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.int32)
    clear(_floor_nearness(camera, lens * samples, stage), values, ids)
    fill_from_eye(
        points, triangles.faces, triangles.opacities, lens * samples, _pattern(samples), values, ids
    )
    return VisibleTriangles(
        points,
        triangles.normals @ world_from_camera.rotation,
        triangles.colours,
        triangles.faces,
        triangles.gloss,
        ids,
        values,
        lens,
        samples,
    )


def _floor_nearness(camera: Camera, lens: Array, stage: Stage) -> Array:
    """Return the inverse depth of the floor as a function of column, row and 1."""
    if stage.floor is None or camera.eye[2] <= stage.floor:
        return np.zeros(3)
    f, column, row = lens
    down = -camera.world_from_camera.rotation[2] / (camera.eye[2] - stage.floor)
    return np.array([down[0] / f, down[1] / f, down[2] - (down[0] * column + down[1] * row) / f])


def _pattern(samples: int) -> Array:
    """Return the order in which transparent surfaces cover the samples of a pixel."""
    count = samples * samples
    order = (np.arange(count) * (samples + 2 if count > 4 else 1)) % count
    return ((order + 0.5) / count).reshape(samples, samples)


def _affine(rotation: Array, translation: Array) -> Array:
    return np.ascontiguousarray(np.column_stack([rotation, translation]))


def _sunlight(triangles: Triangles, camera: Camera, stage: Stage) -> Sun:
    """Render the shadow map: heights as seen from the sun."""
    towards = np.asarray(stage.sun, dtype=float) / np.linalg.norm(stage.sun)
    aside = np.cross(towards, [1.0, 0.0, 0.0] if abs(towards[0]) < 0.8 else [0.0, 1.0, 0.0])
    aside /= np.linalg.norm(aside)
    axes = np.stack([aside, np.cross(towards, aside), towards])
    casting = triangles.faces[triangles.casts]
    local = triangles.points @ axes.T
    inside = local[np.unique(casting)][:, :2] if len(casting) else np.zeros((1, 2))
    low, extent = inside.min(axis=0), np.ptp(inside, axis=0)
    cell = max(float(extent.max()) / SHADOW_MAP_CELLS, MIN_CELL_SIZE)
    low = low - 2 * cell
    columns, rows = (int(n) for n in extent / cell + 5)
    cells = local / (cell, cell, 1.0) - (low[0] / cell, low[1] / cell, 0.0)
    heights = np.full((rows, columns), -np.inf, dtype=np.float32)
    ids = np.empty(heights.shape, dtype=np.int32)
    fill_from_above(cells, casting, np.ones(len(casting)), heights, ids)
    matrix = _affine(axes, -np.append(low, 0.0)) / np.array([[cell], [cell], [1.0]])
    pose = camera.world_from_camera
    turned = matrix[:, :3] @ pose.rotation
    placed = _affine(turned, matrix[:, :3] @ pose.translation + matrix[:, 3])
    direction = _triple(towards @ pose.rotation)
    return Sun(direction, placed, heights, cell, stage.shadow_width)


def _light_and_shade(
    seen: VisibleTriangles, sun: Sun, setting: Setting, depths: NDArray[np.float32]
) -> Image:
    height, width = depths.shape
    light = np.zeros((height, width, 5), dtype=np.float32)
    gather_light(seen, sun, setting, _disks(), depths, light)
    smoothed = np.empty((height, width, 2), dtype=np.float32)
    smooth_light(depths, light, smoothed)
    out, image = np.empty((height, width, 3), np.float32), np.empty((height, width, 3), np.uint8)
    shade(seen, sun, setting, depths, smoothed, out)
    encode(out, image)
    return image


@cache
def _disks() -> Array:
    """Return points spread evenly over a disk, rotated differently for every pixel of a period."""
    rank, count = np.arange(SAMPLES_PER_PIXEL), PATTERN_PERIOD * PATTERN_PERIOD
    r = np.sqrt((rank + 0.5) / SAMPLES_PER_PIXEL)
    offset = 2 * np.pi * ((np.arange(count) * 7) % count) / count
    angle = offset[:, None] + rank * GOLDEN_ANGLE
    away = np.broadcast_to(r, angle.shape)
    return np.stack([r * np.cos(angle), r * np.sin(angle), away], axis=-1)


def _setting(camera: Camera, stage: Stage) -> Setting:
    pose = camera.world_from_camera
    return Setting(
        up=_triple(pose.rotation[2]),
        world=_affine(pose.rotation, pose.translation),
        sun=_triple(stage.sun_strength * linear(stage.sun_colour)),
        sky=_triple(stage.sky_strength * linear(stage.sky_colour)),
        ground=_triple(stage.sky_strength * linear(stage.ground_colour)),
        upper=_triple(linear(stage.upper)),
        lower=_triple(linear(stage.horizon)),
        floor=_triple(linear(stage.floor_colour)),
        grid=_triple(linear(stage.grid_colour)),
        spacing=stage.grid,
        fade=stage.fade,
        reach=stage.reach,
    )


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return (x, y, z)
