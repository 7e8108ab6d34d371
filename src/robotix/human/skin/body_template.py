"""The body template: a triangle mesh of a standing adult, thin to heavy.

Condensed from MakeHuman's base mesh and targets, which are CC0; `data/body_template.toml`
describes the file. Arms are spread; x forward, y left, z up; the soles are not at z = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.geometry.arrays import Faces
from robotix.human.body.survey import Sex

__all__ = ["DENSITY", "BodyTemplate", "Faces", "build_of", "enclosed_volume", "make_template"]


DENSITY = 1010.0  # kg/m³, of a whole body with half-filled lungs
MIN_BUILD, MAX_BUILD = -1.5, 1.6  # weights of the blend shapes that still look like people


@dataclass(frozen=True, eq=False)
class BodyTemplate:
    """One adult. Body, eyes and suit share one list of vertices, and have separate faces."""

    vertices: Array  # (n, 3), m
    joints: Mapping[str, Array]  # centres: `l5s1`, `left_knee`, …
    segments: tuple[str, ...]
    weights: Array  # (n, 19), rows sum to 1
    body: Faces  # closed
    suit: Faces  # open at neck and wrists
    eyes: Faces

    def weight_of(self, *segments: str) -> Array:
        """Return the total weight of segments at each vertex, (n,)."""
        return np.asarray(self.weights[:, [self.segments.index(s) for s in segments]].sum(axis=1))


@cache
def _arrays() -> Mapping[str, NDArray[Any]]:
    file = resources.files("robotix.human") / "data" / "body_template.npz"
    with resources.as_file(file) as path, np.load(path) as stored:
        return {name: stored[name] for name in stored.files}


@cache
def _weights() -> Array:
    """Return the weights, made symmetric, rows of sum 1."""
    stored = _arrays()
    weights, names = stored["weights"].astype(float), stored["segments"].tolist()
    positions = np.round(stored["female_vertices"].astype(float), 4) + 0.0  # no -0
    twins = np.empty(len(positions), dtype=np.intp)
    twins[np.lexsort((positions * (1, -1, 1)).T + 0.0)] = np.lexsort(positions.T)
    swapped = [n.replace("left", "?").replace("right", "left").replace("?", "right") for n in names]
    weights += weights[twins][:, [names.index(name) for name in swapped]]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def make_template(sex: Sex, build: float = 0.0) -> BodyTemplate:
    """Return an adult; `build` is 0 for a slim one, 1 for a heavy one, -1 for a thin one."""
    stored = _arrays()
    shape, weight = ("heavy", build) if build >= 0 else ("thin", -build)
    vertices = stored[f"{sex}_vertices"] + weight * stored[f"{sex}_{shape}_delta"].astype(float)
    centres = stored[f"{sex}_joint_positions"] + weight * stored[f"{sex}_{shape}_joint_delta"]
    return BodyTemplate(
        vertices.astype(float),
        dict(zip(stored["joints"].tolist(), centres.astype(float), strict=True)),
        tuple(stored["segments"].tolist()),
        _weights(),
        *(stored[f"faces_{part}"].astype(np.int64) for part in ("body", "suit", "eyes")),
    )


@cache
def _builds(sex: Sex) -> tuple[Array, Array]:
    """Return builds and the body mass indices they have, kg/m²."""
    builds = np.linspace(MIN_BUILD, MAX_BUILD, 5)
    masses = []
    for build in builds.tolist():
        adult = make_template(sex, build)
        stature = np.ptp(adult.vertices[:, 2])
        masses.append(DENSITY * enclosed_volume(adult.vertices, adult.body) / stature**2)
    return builds, np.array(masses)


def build_of(sex: Sex, mass_index: float) -> float:
    """Return the build of a body mass index, kg/m², clamped to plausible shapes.

    Differences beyond that are made up by scaling girths.
    """
    builds, indices = _builds(sex)
    return float(np.interp(mass_index, indices, builds))


def enclosed_volume(vertices: Array, faces: Faces) -> float:
    """Return the volume within closed triangles, m³."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)
