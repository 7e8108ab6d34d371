"""Procedural surfaces for the links of arms without meshes, from their kinematics.

Every link is a smooth shell around its rods, from the joint that carries it to those that it
carries. Links meet in drums, with a dark seam between them and coloured caps; feet, flanges, rails
and sliders have shapes of their own.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from robotix.files.user_cache import digest_of, keep, recall, stamp_of
from robotix.geometry import Capsule, Cylinder, Sphere
from robotix.meshes import Material
from robotix.model import Model
from robotix.visuals import trim
from robotix.visuals.joints import find_knuckles
from robotix.visuals.link_shape import LinkMesh, Looks, contents_of, pack_looks, unpack_looks
from robotix.visuals.shell import Link, make_shell, shell_surface
from robotix.visuals.surfaces import Surface
from robotix.visuals.trim import Paint

__all__ = ["LinkMesh", "link_looks"]


CACHE_KIND = "looks"  # in the disk cache


@lru_cache(maxsize=64)
def link_looks(model: Model) -> Looks:
    """Return the surfaces that replace the visuals of bodies; other bodies are not listed.

    A model that somebody has drawn keeps its shapes, and so does one that is not fixed to the
    ground, such as a person.
    """
    if not _is_plain(model):
        return {}
    program = sorted(Path(__file__).parent.glob("*.py"))
    key = digest_of([stamp_of(*program), *contents_of(model)])
    kept = recall(CACHE_KIND, key)
    if kept is not None and (looks := unpack_looks(kept)) is not None:
        return looks
    looks = _made(model)
    keep(CACHE_KIND, key, pack_looks(looks))
    return looks


def _made(model: Model) -> Looks:
    paint = _paint(model)
    knuckles = find_knuckles(model)
    looks = {}
    for body in model.bodies:
        link = Link.of(model, body, knuckles)
        parts = [
            LinkMesh(surface.vertices, surface.normals, surface.faces, material)
            for surface, material in _drawn(link, paint)
            if len(surface.faces)
        ]
        if parts:
            looks[body.name] = tuple(parts)
    return looks


def _is_plain(model: Model) -> bool:
    """Return whether a model is fixed to the ground and its links are plain rods."""
    visuals = [visual for body in model.bodies for visual in body.visuals]
    if any(joint.kind == "floating" for joint in model.joints):
        return False
    return bool(visuals) and all(
        visual.is_stand_in and isinstance(visual.shape, Capsule | Sphere | Cylinder)
        for visual in visuals
    )


def _drawn(link: Link, paint: Paint) -> Iterator[tuple[Surface, Material]]:
    paths = [child for child in link.slides if child.joint.kind == "path"]
    if paths:
        for child in paths:
            yield from trim.rail(link, child, paint)
        return
    if link.body.joint.kind == "path":
        yield from trim.carriage(paint)
        return
    if link.body.joint.kind == "prismatic":
        yield from trim.shaft(link, paint)
        return
    shell = make_shell(link)
    if shell is None:
        return
    yield shell_surface(link, shell), paint.shell
    if link.is_root:
        yield from trim.foot(link, paint)
    for knuckle, side in link.joints:
        yield from trim.rings(knuckle, side, shell=shell, paint=paint)
    yield from trim.flange(link, paint)


# -- colours ----------------------------------------------------------------------------------


PAINTED = {  # colours of shell and accent, by appearance
    "neutral": ((0.80, 0.80, 0.80), (0.62, 0.62, 0.62)),
    "coloured": ((0.95, 0.52, 0.13), (0.97, 0.95, 0.91)),
}


def _paint(model: Model) -> Paint:
    """Return the colours: a saturated colour of the model is the accent, a pale one the shell."""
    colours = [v.rgba for body in model.bodies if body.collision for v in body.visuals]
    red, green, blue, _ = colours[0] if colours else (0.8, 0.8, 0.8, 1.0)
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    vivid = max(red, green, blue) - min(red, green, blue) > 0.25
    shell = (0.90, 0.89, 0.87) if vivid else colorsys.hls_to_rgb(hue, max(light, 0.7), strength)
    accent = (red, green, blue) if vivid else (0.10, 0.38, 0.66)
    shell, accent = PAINTED.get(model.appearance, (shell, accent))
    return Paint(
        Material(shell, roughness=0.38),
        Material(accent, roughness=0.42),
        Material((0.11, 0.115, 0.125), roughness=0.5),
        Material((0.74, 0.75, 0.77), metalness=0.85, roughness=0.35, pattern="brushed"),
    )
