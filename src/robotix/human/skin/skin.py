"""The skin of a manikin: the clothed template fitted to its measures, in any posture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.geometry.arrays import Int32Array
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.skin.bones import Rig, make_rig
from robotix.human.skin.fit import SizedBody, fit_template
from robotix.human.skin.hand import find_hand
from robotix.human.skin.look import SkinPart, coloured_parts
from robotix.human.skin.skin_kernels import deform, face_normals
from robotix.kinematics import Posture

__all__ = ["Skin", "SkinSurface", "make_skin"]


class SkinSurface(NamedTuple):
    """The skin in one posture."""

    vertices: Array  # (n, 3), m, in the base frame
    normals: Array  # (n, 3)


@dataclass(frozen=True, eq=False)
class Skin:
    """The skin of a manikin. All its parts share one list of vertices."""

    manikin: Manikin
    body: SizedBody  # also has the vertices under the clothes
    rows: NDArray[np.intp]  # (n,), of the skin's vertices in the body's
    parts: tuple[SkinPart, ...]  # what is drawn, by colour
    rig: Rig  # bones, and weights of the skin's vertices
    rest: Array  # (n, 3), vertices in the template's pose
    faces: Int32Array  # (m, 3), of all parts
    starts: Int32Array  # (n + 1,), of the entries of a vertex in `bones` and `weights`
    bones: Int32Array
    weights: Array

    def at(self, posture: Posture, extra: HeadAndHands | None = None) -> SkinSurface:
        """Return the surface in a posture; `extra` is what neck and fingers do, if anything."""
        rest = self.rest
        vertices, normals = np.empty_like(rest), np.empty_like(rest)
        rotations, moves = self.rig.placed(posture, extra)
        deform(rotations, moves, rest, self.starts, self.bones, self.weights, vertices)
        face_normals(vertices, self.faces, normals)
        return SkinSurface(vertices, normals)


def make_skin(manikin: Manikin, *, outfit: int = 0) -> Skin:
    """Return the skin of a manikin. Takes some tenths of a second: reuse it.

    `outfit` counts ways to be dressed; people of one room differ in it.
    """
    body = fit_template(manikin)
    rows = np.unique(np.concatenate(list(body.pieces.values())))
    rig = make_rig(body, manikin, {side: find_hand(body, side) for side in SIDES})
    rig = replace(rig, weights=rig.weights[rows])
    rest = body.vertices[rows]
    drawn = {name: np.searchsorted(rows, faces) for name, faces in body.pieces.items()}
    sex = manikin.anthropometry.sex
    parts = coloured_parts(drawn, body.template.vertices[rows], sex, outfit=outfit)
    faces = np.concatenate([part.faces for part in parts]).astype(np.int32)
    return Skin(manikin, body, rows, parts, rig, rest, faces, *_packed(rig.weights))


def _packed(weights: Array) -> tuple[Int32Array, Int32Array, Array]:
    """Return start indices, bones and weights of all vertices, by descending weight."""
    order = np.argsort(-weights, axis=1, kind="stable")
    ranked = np.take_along_axis(weights, order, axis=1)
    held = ranked > 0
    starts = np.append(0, np.cumsum(held.sum(axis=1)))
    return starts.astype(np.int32), order[held].astype(np.int32), np.array(ranked[held])
