"""The body template scaled to the lengths and girths of a manikin, in the template's pose.

Every segment has a map from the template to the body: trunk and head are scaled by height, limbs
along and across their bones, feet along three axes. A vertex is blended between the maps of its
segments by its weights. Bones keep the directions of the template, so that arms stay spread and
skinning bends them only once, from there to the posture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.skin.body_template import DENSITY, BodyTemplate, Faces, build_of, enclosed_volume
from robotix.human.skin.clothing import make_clothed_template

__all__ = ["LIMBS", "TRUNK", "SizedBody", "fit_template", "girth"]

Map: TypeAlias = Callable[[Array], Array]

TRUNK = ("pelvis", "lumbar", "thorax", "neck", "head")
LIMBS = {  # bones from centre to centre; toes have none of their own
    "thigh": ("hip", "knee"),
    "shank": ("knee", "ankle"),
    "upper_arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "wrist"),
    "hand": ("wrist", "knuckle"),
}
GIRTHS = {  # of limbs: fraction of the bone where it is measured, factor of the measured girth
    "thigh": (("thigh_girth", 0.2, 1.0), ("lower_thigh_girth", 0.85, 1.0)),
    "shank": (("calf_girth", 0.3, 1.0), ("ankle_girth", 0.85, 1.0)),
    "upper_arm": (("upper_arm_girth", 0.5, 0.92),),  # measured flexed, drawn at ease
    "forearm": (("forearm_girth", 0.2, 0.97), ("wrist_girth", 0.95, 1.0)),
}
TRUNK_GIRTHS = {
    "hip_girth": -0.10,
    "waist_girth": 0.35,
    "chest_girth": 0.78,
}  # from hip to shoulder
MAX_VOLUME_RATIO = 1.15  # largest correction of the volume that follows from the girths
GIRTH_DIRECTIONS = 64  # around a slice, in which the hull of a girth is measured
MIN_SCALE, MAX_SCALE = 0.75, 1.35  # of the template; beyond, it would look distorted


@dataclass(frozen=True, eq=False)
class SizedBody:
    """A template with a manikin's measures. Centres are those of the template's pose."""

    template: BodyTemplate  # dressed
    pieces: Mapping[str, Faces]  # of what is drawn: `skin`, `shirt`, …
    vertices: Array  # (n, 3)
    centres: Mapping[str, Array]
    directions: Mapping[str, Array]  # of the limbs' bones: `left_thigh`, …


def fit_template(manikin: Manikin) -> SizedBody:
    """Return the template of the manikin's sex and build, with its lengths and girths."""
    body = manikin.anthropometry
    build = round(build_of(body.sex, body.mass / body.stature**2), 1)
    template, pieces = make_clothed_template(body.sex, build)
    fit = _Fit(template, manikin, np.unique(pieces["soles"]))
    vertices = fit.fitted()
    missing = body.mass / (DENSITY * enclosed_volume(vertices, template.body))
    # The measured girths do not fully determine the volume.
    fit.girth_scale = min(max(missing, 1 / MAX_VOLUME_RATIO), MAX_VOLUME_RATIO) ** 0.5
    vertices = fit.fitted()
    return SizedBody(template, pieces, vertices, fit.centres, fit.directions)


class _Fit:
    """Makes the maps for one body."""

    def __init__(self, template: BodyTemplate, manikin: Manikin, soles: NDArray[np.int64]) -> None:
        self.template, self.body, self.soles = template, manikin.anthropometry, soles
        self.old, self.zero = template.joints, manikin.skeleton
        self._girths: dict[str, float] = {}  # of the template
        self.girth_scale = 1.0  # of all girths, to match the body mass
        self.directions: dict[str, Array] = {}
        self.centres: dict[str, Array] = {}
        for name in ("pelvis", "l5s1", "t12l1", "neck"):
            self.centres[name] = self.zero[name]
        for side in SIDES:
            self._lay_bones(side)

    def _lay_bones(self, side: Side) -> None:
        """Place the joint centres of limbs: manikin's lengths, template's directions."""
        for root in ("hip", "shoulder"):
            self.centres[f"{side}_{root}"] = self.zero[f"{side}_{root}"]
        for segment, (start, end) in LIMBS.items():
            direction = self.old[f"{side}_{end}"] - self.old[f"{side}_{start}"]
            direction = direction / np.linalg.norm(direction)
            length = np.linalg.norm(self.zero[f"{side}_{end}"] - self.zero[f"{side}_{start}"])
            self.directions[f"{side}_{segment}"] = direction
            self.centres[f"{side}_{end}"] = self.centres[f"{side}_{start}"] + length * direction
        toe = self.zero[f"{side}_toe"] - self.zero[f"{side}_ankle"]  # feet are straightened
        self.centres[f"{side}_toe"] = self.centres[f"{side}_ankle"] + toe

    def fitted(self) -> Array:
        """Return all vertices, blended between the maps of their segments."""
        vertices = np.zeros_like(self.template.vertices)
        for segments, mapped in self.maps().items():
            weight = self.template.weight_of(*segments)
            rows = weight > 0
            vertices[rows] += weight[rows, None] * mapped(self.template.vertices[rows])
        return vertices

    def maps(self) -> dict[tuple[str, ...], Map]:
        """Return the map of every group of segments."""
        maps: dict[tuple[str, ...], Map] = {TRUNK: self._trunk()}
        for side in SIDES:
            for segment in LIMBS:
                maps[(f"{side}_{segment}",)] = self._limb(side, segment)
            maps[(f"{side}_foot", f"{side}_toes")] = self._foot(side)
        return maps

    # -- trunk and head ---------------------------------------------------------------------

    def _trunk(self) -> Map:
        old, zero, body = self.old, self.zero, self.body
        hip, shoulder, neck = old["left_hip"], old["left_shoulder"], old["neck"]
        bare = np.unique(self.template.body)
        top = self.template.vertices[bare, 2].max()
        heights = np.array([hip[2], shoulder[2], neck[2], top])
        new = np.array(
            [body["hip_height"], body["shoulder_height"], body["neck_height"], body.stature]
        )
        eyes = self.template.vertices[np.unique(self.template.eyes)].mean(axis=0)
        levels = np.array([hip[2], shoulder[2], eyes[2]])
        middles, positions = np.array([hip[0], shoulder[0], eyes[0]]), (0.0, 0.0, zero["eyes"][0])
        rows, deep, wide = self._trunk_scales()

        def mapped(points: Array) -> Array:
            x, y, z = points.T
            forward = np.interp(z, levels, positions)
            return np.stack(
                [
                    forward + np.interp(z, rows, deep) * (x - np.interp(z, levels, middles)),
                    np.interp(z, rows, wide) * y,
                    _stretched(z, heights, new),
                ],
                axis=1,
            )

        return mapped

    def _trunk_scales(self) -> tuple[Array, Array, Array]:
        """Return heights in the template, and the scales of depth and width there."""
        old, body = self.old, self.body
        hip, shoulder, neck = (old[name][2] for name in ("left_hip", "left_shoulder", "neck"))
        levels, scales = [], []
        for name, fraction in TRUNK_GIRTHS.items():
            levels.append(hip + fraction * (shoulder - hip))
            scales.append(self._widening(name, levels[-1], "left_thigh", "right_thigh"))
        throat = float(neck + 0.1 * (old["head"][2] - neck))
        head = self.template.vertices[self.template.weight_of("head") > 0.9]
        ear = old["head"][2]
        eyes = self.template.vertices[np.unique(self.template.eyes), 2].mean()
        brow, temple = (head[head[:, 2] > eyes + above] for above in (0.015, 0.035))
        deep = body["head_length"] / np.ptp(brow[:, 0])  # above the nose
        wide = body["head_breadth"] / np.ptp(temple[:, 1])  # above the ears
        thick = self._widening("neck_girth", throat)
        broad = self.zero["left_shoulder"][1] / old["left_shoulder"][1]
        rows = np.array([*levels, shoulder, throat, ear])
        chest = scales[-1]
        return (
            rows,
            np.array([*scales, (chest + thick) / 2, thick, deep]),
            np.array([*scales, broad, thick, wide]),
        )

    def _widening(self, name: str, level: float, *more: str) -> float:
        at, up = np.array([0.0, 0.0, level]), np.array([0.0, 0.0, 1.0])
        found = self._found(name, (*TRUNK, *more), at=at, along=up)
        return _bounded(self.girth_scale * self.body[name] / found)

    def _found(self, name: str, segments: tuple[str, ...], *, at: Array, along: Array) -> float:
        """Return a girth of the template, m; cached."""
        if name not in self._girths:
            inside = self.template.weight_of(*segments) > 0.5
            faces = self.template.body[inside[self.template.body].all(axis=1)]
            self._girths[name] = girth(self.template.vertices, faces, at=at, along=along)
        return self._girths[name]

    # -- limbs ------------------------------------------------------------------------------

    def _limb(self, side: Side, segment: str) -> Map:
        """Return the map of a limb: scaled along and across its bone."""
        start, end = (f"{side}_{name}" for name in LIMBS[segment])
        direction, old, new = (
            self.directions[f"{side}_{segment}"],
            self.old[start],
            self.centres[start],
        )
        length = float(np.linalg.norm(self.old[end] - old))
        ratio = float(np.linalg.norm(self.centres[end] - new)) / length
        if segment == "hand":
            ratio = self._hand_ratio(side, direction)
            fractions, scales = np.zeros(1), np.array([ratio])
        else:
            fractions, scales = self._limb_scales(segment)

        def mapped(points: Array) -> Array:
            along = (points - old) @ direction
            across = points - old - along[:, None] * direction
            wide = np.interp(along / length, fractions, scales)[:, None]
            return np.asarray(new + ratio * along[:, None] * direction + wide * across)

        return mapped

    def _hand_ratio(self, side: Side, direction: Array) -> float:
        hand = self.template.vertices[self.template.weight_of(f"{side}_hand") > 0.5]
        reach = float(((hand - self.old[f"{side}_wrist"]) @ direction).max())
        return self.body["hand_length"] / reach

    def _limb_scales(self, segment: str) -> tuple[Array, Array]:
        """Return fractions of a bone, and the scales of width there.

        Beyond an end the girth of the neighbouring segment applies, for a smooth transition.
        """
        leg = segment in ("thigh", "shank")
        upper, lower = ("thigh", "shank") if leg else ("upper_arm", "forearm")
        own = self._girth_ratios(segment)
        if segment == upper:
            beyond = self._girth_ratios(lower)[0]
            knots = [*own, (1.0 + beyond[0], beyond[1])]
        else:
            before = self._girth_ratios(upper)[-1]
            knots = [(before[0] - 1.0, before[1]), *own]
        return np.array([fraction for fraction, _ in knots]), np.array(
            [scale for _, scale in knots]
        )

    def _girth_ratios(self, segment: str) -> list[tuple[float, float]]:
        """Return fractions of a bone and the scales of width there, for both sides."""
        start, end = (self.old[f"left_{name}"] for name in LIMBS[segment])
        leg = ("left_thigh", "left_shank")
        arm = ("left_upper_arm", "left_forearm", "left_hand")
        kin = leg if segment in ("thigh", "shank") else arm
        ratios = []
        for name, fraction, part in GIRTHS[segment]:
            at = start + fraction * (end - start)
            found = self._found(name, kin, at=at, along=self.directions[f"left_{segment}"])
            ratios.append((fraction, _bounded(self.girth_scale * part * self.body[name] / found)))
        return ratios

    # -- feet -------------------------------------------------------------------------------

    def _foot(self, side: Side) -> Map:
        """Return the map of a foot: heel, ankle, toes and sole go where the manikin's are."""
        template, old, zero = self.template, self.old, self.zero
        ankle, new = old[f"{side}_ankle"], self.centres[f"{side}_ankle"]
        toe = old[f"{side}_toe"] - ankle
        ahead = toe[:2] / np.linalg.norm(toe[:2])
        straight = np.array([[*ahead, 0.0], [-ahead[1], ahead[0], 0.0], [0.0, 0.0, 1.0]])
        mine = self.soles[template.vertices[self.soles, 1] * ankle[1] > 0]
        foot = (template.vertices[mine] - ankle) @ straight.T
        names = ("heel", "ankle", "toe", "toe_tip")
        positions = np.array([zero[f"{side}_{name}"][0] for name in names])
        lengths = np.array([foot[:, 0].min(), 0.0, (straight @ toe)[0], foot[:, 0].max()])
        heights = np.array([foot[:, 2].min(), 0.0])
        risen = np.array([-zero[f"{side}_ankle"][2], 0.0])
        broad = self.body["foot_breadth"] / np.ptp(foot[:, 1])

        def mapped(points: Array) -> Array:
            x, y, z = straight @ (points - ankle).T
            rows = [_stretched(x, lengths, positions), broad * y, _stretched(z, heights, risen)]
            return np.asarray(new + np.stack(rows, axis=1))

        return mapped


def _stretched(values: Array, old: Array, new: Array) -> Array:
    """Interpolate linearly from old to new values, and extrapolate with the end slopes."""
    inside = np.interp(values, old, new)
    slopes = np.diff(new) / np.diff(old)
    below, above = np.minimum(values - old[0], 0.0), np.maximum(values - old[-1], 0.0)
    return np.asarray(inside + slopes[0] * below + slopes[-1] * above)


def _bounded(scale: float) -> float:
    return min(max(scale, MIN_SCALE), MAX_SCALE)


def girth(vertices: Array, faces: Faces, *, at: Array, along: Array) -> float:
    """Return the girth of a mesh in a plane, m; 0 if the plane misses it.

    It is the perimeter of the convex hull of the cut, π times its mean width (Cauchy).
    """
    heights = (vertices - at) @ along
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    low, high = heights[edges[:, 0]], heights[edges[:, 1]]
    cut = (low < 0) != (high < 0)
    if not cut.any():
        return 0.0
    start, end = vertices[edges[cut, 0]], vertices[edges[cut, 1]]
    fraction = (low[cut] / (low[cut] - high[cut]))[:, None]
    points = start + fraction * (end - start) - at
    aside = np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.8 else [0.0, 1.0, 0.0])
    aside /= np.linalg.norm(aside)
    angles = np.linspace(0.0, 2 * np.pi, GIRTH_DIRECTIONS, endpoint=False)
    directions = np.outer(np.cos(angles), aside) + np.outer(np.sin(angles), np.cross(along, aside))
    return float((points @ directions.T).max(axis=0).mean() * 2 * np.pi)
