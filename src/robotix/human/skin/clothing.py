"""The clothed template: bare skin, hair and clothes, each a mesh patch with smooth edges.

The suit of the template is subdivided and cut into shirt, trousers and shoes, which are offset from
the body; hair, brows and lips are cut from the head. All cuts are defined in the frame of the
template.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from robotix.geometry import Array
from robotix.human.body.survey import Sex
from robotix.human.skin.body_template import BodyTemplate, Faces, make_template
from robotix.human.skin.mesh_patch import MeshPatch, join_patches

__all__ = ["make_clothed_template"]

CLOTH_OVERLAP = 0.03  # m, of one garment under the next
SOLE_FLATTENING = 0.009  # m, of a foot's underside
MOUTH_HEIGHT = {"female": -0.062, "male": -0.0725}  # m above the eyes
HAIR_THICKNESS = {"female": 0.008, "male": 0.006}  # m
LIP_HEIGHTS = {
    "female": (0.0105, 0.0125),
    "male": (0.009, 0.0115),
}  # m, above and below the mouth's line


@cache
def make_clothed_template(sex: Sex, build: float) -> tuple[BodyTemplate, Mapping[str, Faces]]:
    """Return the template with the vertices of clothes added, and the faces of every piece."""
    template = make_template(sex, build)
    whole = np.hstack([template.vertices, template.weights])
    suit = MeshPatch(whole, template.suit).only(template.suit).subdivided()
    cut = _Cutter(template, sex)
    head = cut.head(MeshPatch(whole, template.body))
    pieces = {
        "shirt": cut.shirt(suit),
        "trousers": cut.trousers(suit),
        "shoes": cut.shoes(MeshPatch(whole, template.suit).only(template.suit)),
        **head,
    }
    shoes = pieces.pop("shoes")
    sole = shoes.positions[:, 2].min() + 0.018
    pieces["shoes"] = shoes.clipped(shoes.positions[:, 2] - sole)
    pieces["soles"] = shoes.clipped(sole - shoes.positions[:, 2])
    faces, start = {"eyes": template.eyes}, len(whole)
    for name, patch in pieces.items():
        faces[name] = patch.faces + start
        start += len(patch.values)
    values = np.concatenate([whole, *(patch.values for patch in pieces.values())])
    return replace(template, vertices=values[:, :3], weights=values[:, 3:]), faces


class _Cutter:
    """Cuts the pieces of one body."""

    def __init__(self, template: BodyTemplate, sex: Sex) -> None:
        self.template, self.sex = template, sex
        self.joints = template.joints
        self.eyes = template.vertices[np.unique(template.eyes)]
        self.eye = self.eyes[self.eyes[:, 1] > 0].mean(axis=0)
        hip, shoulder = self.joints["left_hip"][2], self.joints["left_shoulder"][2]
        self.hem = hip + 0.08 * (shoulder - hip)
        self.ankle = self.joints["left_ankle"][2]

    def _weight(self, patch: MeshPatch, *segments: str) -> Array:
        rows = [3 + self.template.segments.index(name) for name in segments]
        return np.asarray(patch.values[:, rows].sum(axis=1))

    # -- clothes ----------------------------------------------------------------------------

    def shirt(self, suit: MeshPatch) -> MeshPatch:
        """Return the shirt: to below the waist, round at the neck, loose at the hem."""
        arms = self._weight(suit, *(f"{s}_{a}" for s in ("left", "right") for a in ARM_SEGMENTS))
        above = np.where(arms > 0.5, 1.0, suit.positions[:, 2] - self.hem)
        patch = suit.clipped(np.minimum(above, -self._collar(suit.positions)))
        low = np.clip(1 - (patch.positions[:, 2] - self.hem) / 0.15, 0.0, 1.0)
        arms = self._weight(patch, *(f"{s}_{a}" for s in ("left", "right") for a in ARM_SEGMENTS))
        return patch.offset(0.003 + 0.008 * low * (arms < 0.5))

    def _collar(self, positions: Array) -> Array:
        """Return the height of points above the collar line, m; it is lower in front."""
        neck = self.joints["neck"]
        x, _, z = (positions - neck).T
        return np.asarray(z - 0.012 + 0.45 * (x - 0.01))

    def trousers(self, suit: MeshPatch) -> MeshPatch:
        """Return the trousers: from under the shirt to the ankles, straight below the knee."""
        arms = self._weight(suit, *(f"{s}_{a}" for s in ("left", "right") for a in ARM_SEGMENTS))
        z = suit.positions[:, 2]
        below = np.where(arms > 0.5, -1.0, self.hem + CLOTH_OVERLAP - z)
        patch = suit.clipped(np.minimum(below, z - (self.ankle + 0.008)))
        knee = self.joints["left_knee"][2]
        low = np.clip((knee - patch.positions[:, 2]) / (knee - self.ankle), 0.0, 1.0)
        return patch.offset(0.002 + 0.010 * low)

    def shoes(self, suit: MeshPatch) -> MeshPatch:
        """Return the shoes: the feet without toes, flat below."""
        floor = suit.positions[:, 2].min()
        toes = self._weight(suit, "left_toes", "right_toes")
        feet = self._weight(suit, "left_foot", "right_foot")
        patch = suit.smoothed(0.6 * np.clip(toes + 0.5 * feet, 0.0, 1.0), times=6)
        patch = patch.clipped(
            self.ankle + 0.02 + CLOTH_OVERLAP - patch.positions[:, 2]
        ).subdivided()
        values = patch.offset(0.004).values
        height = values[:, 2] - values[:, 2].min()
        lowered = height - SOLE_FLATTENING * np.clip(1 - height / 0.06, 0.0, 1.0)
        values[:, 2] = floor + np.maximum(lowered, 0.0)
        return replace(patch, values=values)

    # -- head and hands ---------------------------------------------------------------------

    def head(self, body: MeshPatch) -> dict[str, MeshPatch]:
        """Return bare skin, hair, brows and lips."""
        neck = self.joints["neck"][2]
        weight = self._weight(body, "head", "neck", "left_hand", "right_hand")
        bare = (weight > 0.25) | (self._collar(body.positions) > -0.022) & (
            body.positions[:, 2] > neck - 0.12
        )
        skin = body.only(body.faces[bare[body.faces].all(axis=1)])
        lips = self._lips(skin)
        scalp = body.only(body.faces[(self._weight(body, "head") > 0.5)[body.faces].all(axis=1)])
        fine = scalp.subdivided()
        return {
            "skin": skin.clipped(-lips),
            "lips": skin.clipped(lips),
            "brows": fine.clipped(self._brows(fine)).offset(0.0008),
            "hair": self._hair(fine),
        }

    def _lips(self, patch: MeshPatch) -> Array:
        x, y, z = (patch.positions - (self.eye[0], 0.0, self.eye[2] + MOUTH_HEIGHT[self.sex])).T
        wide = 0.024
        thin = np.sqrt(np.clip(1 - (y / wide) ** 2, 0.0, 1.0))
        above, below = LIP_HEIGHTS[self.sex]
        half = np.where(z > 0, above, below) * thin
        inside = np.minimum(half - abs(z), wide - abs(y))
        return np.where(x > 0.005, inside, -0.01)

    def _brows(self, patch: MeshPatch) -> Array:
        x, y, z = (patch.positions - self.eye * (1, 0, 1)).T
        out = (abs(y) - 0.011) / 0.034  # 0 at the nose, 1 at the temple
        line = 0.0205 + 0.006 * out - 0.012 * np.clip(out - 0.6, 0.0, 1.0)
        thick = 0.0038 if self.sex == "male" else 0.0026
        half = thick * np.clip(1.2 - out, 0.0, 1.0)
        inside = np.minimum(half - abs(z - line), np.minimum(out, 1 - out) * 0.03)
        return np.where(x > -0.03, inside, -0.01)

    def _hair(self, scalp: MeshPatch) -> MeshPatch:
        """Return short hair: cut along the hairline, thicker away from it."""
        line = self._over_hairline(scalp.positions)
        patch = scalp.clipped(line)
        rise = np.clip(self._over_hairline(patch.positions) / 0.03, 0.0, 1.0) ** 0.7
        thick = HAIR_THICKNESS[self.sex] * (
            1 - 0.6 * np.clip((patch.positions[:, 2] - self.eye[2]) / 0.1, 0, 1)
        )
        hair = patch.offset(0.001 + thick * rise)
        return hair if self.sex == "male" else join_patches(hair, self._bun(hair))

    def _bun(self, hair: MeshPatch) -> MeshPatch:
        """Return a knot of hair at the back of the head: a rounded octahedron."""
        positions = np.concatenate([np.eye(3), -np.eye(3)])
        weights = np.zeros((6, len(self.template.segments)))
        weights[:, self.template.segments.index("head")] = 1.0
        corners = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2)]
        faces = np.array(corners + [(b, a, 5) for a, b, _ in corners])
        ball = MeshPatch(np.hstack([positions, weights]), faces)
        for _ in range(4):
            ball = ball.subdivided()
        values = ball.values.copy()
        values[:, :3] /= np.linalg.norm(ball.positions, axis=1, keepdims=True)
        centre = np.array([hair.positions[:, 0].min() - 0.012, 0.0, self.eye[2] + 0.03])
        values[:, :3] = centre + values[:, :3] * (0.034, 0.040, 0.040)
        return MeshPatch(values, ball.faces)

    def _over_hairline(self, positions: Array) -> Array:
        middle = np.array([self.eye[0] - 0.085, 0.0, self.eye[2]])
        x, y, z = (positions - middle).T
        angle = np.degrees(np.arctan2(abs(y), x))  # 0 in front, 180 behind
        height = np.interp(angle, HAIRLINE[0], HAIRLINE[1])
        return np.asarray(z - height)


ARM_SEGMENTS = ("upper_arm", "forearm", "hand")
HAIRLINE = (  # degrees around the head, m above the eyes
    (0.0, 25.0, 45.0, 60.0, 75.0, 105.0, 120.0, 150.0, 180.0),
    (0.062, 0.060, 0.048, 0.030, 0.014, 0.014, -0.030, -0.060, -0.065),
)
