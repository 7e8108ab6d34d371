"""Solids as shaded polygons, for pictures made with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.kinematics import Posture

__all__ = ["Colour", "Painted", "all_polygons", "body_solids", "placed", "polygons", "shaded"]

Colour: TypeAlias = tuple[float, float, float, float]  # red, green, blue, opacity
Painted: TypeAlias = tuple[Shape, Colour]

LIGHT = np.array([0.35, -0.45, 0.82])  # towards the light, of length 1
AROUND, ALONG = 28, 8  # polygons around an axis, and over a quarter of a ball


def body_solids(posture: Posture, colour: Colour) -> list[Painted]:
    """Return the collision solids of all bodies, in the base frame."""
    return [
        (placed(shape, posture.pose(body.name)), colour)
        for body in posture.model.bodies
        for shape in body.collision
    ]


def placed(shape: Shape, pose: Pose) -> Shape:
    """Return a solid as seen from outside the frame it is given in."""
    return replace(shape, pose=pose @ shape.pose)


def polygons(shape: Shape) -> Array:
    """Return the surface as four-cornered polygons, (k, 4, 3)."""
    match shape:
        case Box():
            local = _box(shape.size)
        case Sphere():
            local = _turned(*_ball(shape.radius, 0.0))
        case Capsule():
            local = _turned(*_ball(shape.radius, shape.length / 2))
        case Cylinder():
            r, h = shape.radius, shape.length / 2
            local = _turned(np.array([0.0, r, r, 0.0]), np.array([-h, -h, h, h]))
        case _:
            raise ValueError(f"a {type(shape).__name__.lower()} cannot be drawn here")
    return shape.pose.apply(local)


def _ball(radius: float, half: float) -> tuple[Array, Array]:
    """Return distances from the axis and heights of a ball's outline, pulled apart by `half`."""
    angles = np.linspace(-np.pi / 2, 0.0, ALONG)
    r, z = radius * np.cos(angles), radius * np.sin(angles) - half
    side = np.linspace(-half, half, ALONG)[1:-1] if half else np.empty(0)
    return (
        np.concatenate([r, np.full(len(side), radius), r[::-1]]),
        np.concatenate([z, side, -z[::-1]]),
    )


def _turned(r: Array, z: Array) -> Array:
    """Return the surface that an outline sweeps when turned about z."""
    turn = np.linspace(0.0, 2 * np.pi, AROUND + 1)
    grid = np.stack(
        np.broadcast_arrays(
            np.outer(np.cos(turn), r),
            np.outer(np.sin(turn), r),
            np.broadcast_to(z, (len(turn), len(z))),
        ),
        axis=-1,
    )
    corners = (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:])
    return np.stack(corners, axis=2).reshape(-1, 4, 3)


def _box(size: Array, cells: int = 6) -> Array:
    """Return the six sides, each cut into cells so that sorting by depth has something to sort."""
    ticks = np.linspace(-0.5, 0.5, cells + 1)
    u, v = np.meshgrid(ticks, ticks, indexing="ij")
    sides = []
    for axis in range(3):
        for sign in (-0.5, 0.5):
            grid = np.empty((*u.shape, 3))
            grid[..., axis] = sign
            # the other two axes, in the order that lets the side face outwards
            first, second = (axis + 1) % 3, (axis + 2) % 3
            grid[..., first], grid[..., second] = (u, v) if sign > 0 else (v, u)
            corners = (grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:])
            sides.append(np.stack(corners, axis=2).reshape(-1, 4, 3))
    return np.asarray(np.concatenate(sides) * size)


def shaded(faces: Array, colour: Colour) -> Array:
    """Return the colours of polygons in the light, (k, 4)."""
    normals = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
    lengths = np.linalg.norm(normals, axis=1)
    facing = normals @ LIGHT / np.where(lengths > 0, lengths, 1.0)
    brightness = (0.62 + 0.38 * facing)[:, None]
    rgb = np.array(colour[:3]) * np.minimum(brightness, 1.0)
    rgb += (1 - rgb) * 0.35 * np.clip(brightness - 0.9, 0.0, 1.0)  # a soft gleam
    return np.column_stack([np.clip(rgb, 0.0, 1.0), np.full(len(faces), colour[3])])


def all_polygons(solids: Sequence[Painted]) -> tuple[Array, Array]:
    """Return the polygons of several solids, and their colours."""
    faces = [polygons(shape) for shape, _ in solids]
    colours = [shaded(f, colour) for f, (_, colour) in zip(faces, solids, strict=True)]
    return np.concatenate(faces), np.concatenate(colours)
