"""Pictures of postures for reports."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from math import radians

import numpy as np

from robotix.ergonomics.report.scenery import Scenery
from robotix.geometry import Array
from robotix.human.motion.performance import Performance
from robotix.human.skin.skin import make_skin
from robotix.kinematics import Posture
from robotix.view import Image, Mesh3, Size, Stage, framed, render

__all__ = ["data_url", "posture_pictures"]

PICTURE_SIZE: Size = (300, 380)
PLAIN_STAGE = Stage(
    upper=(0.95, 0.96, 0.97),
    floor_colour=(0.95, 0.96, 0.97),
    grid_colour=(0.90, 0.91, 0.92),
    fade=1e3,
)
PALETTE_SIZE = 96  # colours; a third of the file size, without visible difference


def posture_pictures(
    performance: Performance,
    rows: Sequence[int],
    *,
    size: Size = PICTURE_SIZE,
    azimuth: float = 65.0,
) -> list[Image]:
    """Return pictures of a performance at some rows, each in a side view of the person."""
    scenery = Scenery(performance, make_skin(performance.manikin))
    return [_picture(scenery, row, size=size, azimuth=azimuth) for row in rows]


def _picture(scenery: Scenery, row: int, *, size: Size, azimuth: float) -> Image:
    """Return the picture of one row, framed to the person; the environment may be cut off."""
    posture, person = scenery.posture(row), scenery.person(row)
    carried = list(scenery.loads(row))
    ahead = posture.pose("pelvis").rotation[:, 0]
    heading = np.degrees(np.arctan2(ahead[1], ahead[0]))
    seen = np.concatenate([person[0].vertices, *(_nearby(mesh, posture) for mesh in carried)])
    camera = framed(
        np.vstack([seen, seen.mean(axis=0) * (1, 1, 0)]),
        size=size,
        azimuth=radians(azimuth + heading),
        elevation=radians(10),
        margin=0.07,
        field_of_view=radians(24),
    )
    return render(
        [*scenery.room(), *person, *carried], camera, size=size, stage=PLAIN_STAGE, samples=2
    )


def _nearby(mesh: Mesh3, posture: Posture) -> Array:
    """Return the corners of a load near the person; distant loads are not framed."""
    middle = mesh.vertices.mean(axis=0)
    is_near = np.linalg.norm((middle - posture.position("pelvis"))[:2]) < 1.0
    return mesh.vertices if is_near else mesh.vertices[:0]


def data_url(image: Image) -> str:
    """Return a picture as a data URL."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(image).quantize(PALETTE_SIZE, dither=Pillow.Dither.NONE)
    sink = io.BytesIO()
    picture.save(sink, format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(sink.getvalue()).decode()}"
