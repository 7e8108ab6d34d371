"""Looks of a robot: its own, neutral, coloured, or technical, without covers.

Only what is drawn changes; shapes that collide, masses and joints stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from robotix.errors import UnknownName
from robotix.geometry import Capsule, Cylinder, Shape, Sphere
from robotix.model import Model, Visual

__all__ = ["APPEARANCES", "Appearance", "with_appearance"]

Appearance: TypeAlias = Literal["own", "neutral", "coloured", "technical"]
APPEARANCES: tuple[Appearance, ...] = get_args(Appearance)
COLOURS = {
    "neutral": (0.80, 0.80, 0.80),
    "coloured": (0.95, 0.52, 0.13),
    "technical": (0.30, 0.32, 0.35),
}
BARE_RATIO = 0.45  # radius of a link without its cover to that of the cover


def with_appearance(model: Model, appearance: str) -> Model:
    """Return a model that looks so; meshes get the colour, or keep the one that they bring."""
    if appearance not in APPEARANCES:
        raise UnknownName("appearance", appearance, APPEARANCES)
    if appearance == "own":
        return model
    bodies = tuple(
        replace(body, visuals=tuple(_changed(each, appearance) for each in body.visuals))
        for body in model.bodies
    )
    return replace(model, bodies=bodies, appearance=appearance)


def _changed(visual: Visual, appearance: str) -> Visual:
    rgba = (*COLOURS[appearance], visual.rgba[3])
    if appearance != "technical":
        return replace(visual, rgba=rgba)
    return replace(visual, shape=_bare(visual.shape), rgba=rgba, is_stand_in=False)


def _bare(shape: Shape) -> Shape:
    if isinstance(shape, Capsule | Cylinder | Sphere):
        return replace(shape, radius=BARE_RATIO * shape.radius)
    return shape
