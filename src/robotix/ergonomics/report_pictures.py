"""Pictures of postures for reports."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from math import radians

import numpy as np

from robotix.geometry import Array, Halfspace
from robotix.human.performance import Performance
from robotix.human.skeleton import SIDES, Side
from robotix.human.skin import Skin, make_skin
from robotix.kinematics import Posture
from robotix.view import Colour, Image, Mesh3, Size, Stage, framed, render, solid_mesh

__all__ = ["data_url", "posture_pictures"]

WOOD: Colour = (0.80, 0.66, 0.47)
STEEL: Colour = (0.62, 0.66, 0.71)
STONE: Colour = (0.78, 0.77, 0.74)
CARTON: Colour = (0.74, 0.58, 0.38)
COLOURS = {"step": STONE, "rung": STEEL, "left": STEEL, "right": STEEL}
SIZE: Size = (300, 380)
PLAIN = Stage(
    upper=(0.95, 0.96, 0.97),
    floor_colour=(0.95, 0.96, 0.97),
    grid_colour=(0.90, 0.91, 0.92),
    fade=1e3,
)
PALETTE = 96  # colours of a picture: a third of the size, and no difference to the eye


def posture_pictures(
    performance: Performance, rows: Sequence[int], *, size: Size = SIZE, azimuth: float = 65.0
) -> list[Image]:
    """Return pictures of a performance at some rows, each from the side of the person then."""
    skin = make_skin(performance.manikin)
    return [_picture(performance, skin, row, size=size, azimuth=azimuth) for row in rows]


def _picture(
    performance: Performance, skin: Skin, row: int, *, size: Size, azimuth: float
) -> Image:
    """Return the picture of one row: the person fills it, the room may go beyond its edges."""
    posture = Posture(performance.manikin.model, performance.motion.q[row])
    surface = skin.at(posture, grip=_grips(performance, row))
    person = [
        Mesh3(surface.vertices, part.faces, surface.normals, part.colour, gloss=part.gloss)
        for part in skin.parts
    ]
    carried = _load_meshes(performance, row)
    ahead = posture.pose("pelvis").rotation[:, 0]
    turn = np.degrees(np.arctan2(ahead[1], ahead[0]))
    seen = np.concatenate([surface.vertices, *(_nearby(mesh, posture) for mesh in carried)])
    camera = framed(
        np.vstack([seen, seen.mean(axis=0) * (1, 1, 0)]),
        size=size,
        azimuth=radians(azimuth + turn),
        elevation=radians(10),
        margin=0.07,
        field_of_view=radians(24),
    )
    things = [*_room_meshes(performance), *person, *carried]
    return render(things, camera, size=size, stage=PLAIN, samples=2)


def _nearby(mesh: Mesh3, posture: Posture) -> Array:
    """Return the corners of a load that is within reach; one far away is not framed."""
    middle = mesh.vertices.mean(axis=0)
    is_near = np.linalg.norm((middle - posture.position("pelvis"))[:2]) < 1.0
    return mesh.vertices if is_near else mesh.vertices[:0]


def _grips(performance: Performance, row: int) -> dict[Side, float]:
    """Return which hands are closed: around what they hold on to, and a little around loads."""
    time = performance.motion.times[row]
    bearing = {p.contact.name for p in performance.contacts if p.start <= time <= p.end}
    held = {s for p in performance.loads if p.start <= time <= p.end for s in p.load.hands}
    grips = dict.fromkeys(held, 0.15)
    return grips | {side: 1.0 for side in SIDES if f"{side}_hand" in bearing}


def _room_meshes(performance: Performance) -> list[Mesh3]:
    return [
        solid_mesh(solid, colour=COLOURS.get(name.split("_")[0], WOOD))
        for name, solid in performance.room.solids.items()
        if not isinstance(solid, Halfspace)
    ]


def _load_meshes(performance: Performance, row: int) -> list[Mesh3]:
    loads = {phase.load.name: phase.load for phase in performance.loads}
    return [
        solid_mesh(load.box, pose=performance.load_pose(name, row), colour=CARTON)
        for name, load in loads.items()
    ]


def data_url(image: Image) -> str:
    """Return a picture as an address that holds it whole."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(image).quantize(PALETTE, dither=Pillow.Dither.NONE)
    sink = io.BytesIO()
    picture.save(sink, format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(sink.getvalue()).decode()}"
