"""Masses of the body segments, after Table 4 of [deLeva1996].

De Leva gives, for each segment between two landmarks, the fraction of body mass, the position of
the centre of mass, and the radii of gyration as fractions of the length. The manikin has joints
between landmarks (L5/S1, T12/L1, ball of the foot), so those segments are cut: their mass is
distributed smoothly along their length, such that the pieces together have mass, centre and inertia
of the whole. The mass fractions are divided by their sum, which is 0.9999 for women.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise

import numpy as np

from robotix.geometry import Array
from robotix.human.body.anthropometry import Anthropometry
from robotix.human.body.skeleton import SIDES, Skeleton
from robotix.human.body.slab import LumpedMass, Slab, between_heights, join_masses
from robotix.human.body.survey import Sex

__all__ = ["SegmentRow", "load_segment_rows", "segment_masses"]

SINGLE = ("head", "upper_trunk", "middle_trunk", "lower_trunk")  # the others come in pairs
TRUNK = SINGLE[1:]

# The anatomical axes that lie along x, y and z while the body stands.
UPRIGHT = ("sagittal", "transverse", "longitudinal")
TURNED = ("transverse", "sagittal", "longitudinal")  # forearm and hand: palm to the thigh
LYING = ("longitudinal", "transverse", "sagittal")  # foot


@dataclass(frozen=True)
class SegmentRow:
    """One row of de Leva's table; fractions of body mass and of the segment's length."""

    endpoints: str
    mass: float
    com: float  # from the first endpoint
    gyration: Mapping[str, float]  # about the sagittal, transverse and longitudinal axis
    mean_length: float | None  # of de Leva's subjects, m


@dataclass(frozen=True)
class _Masses:
    """De Leva's rows for one body."""

    rows: Mapping[str, SegmentRow]
    unit: float  # kg for a fraction of 1

    def slab(
        self, name: str, ends: tuple[Array, Array], *, axes: tuple[str, str, str] = UPRIGHT
    ) -> Slab:
        row = self.rows[name]
        gyration = np.array([row.gyration[axis] for axis in axes])
        return Slab(self.unit * row.mass, *ends, row.com, gyration)


def segment_masses(body: Anthropometry, skeleton: Skeleton) -> dict[str, LumpedMass]:
    """Return mass, centre of mass and inertia of every segment, in the skeleton's frame."""
    rows = load_segment_rows(body.sex)
    total = sum(row.mass * (1 if name in SINGLE else 2) for name, row in rows.items())
    masses = _Masses(rows, body.mass / total)
    lumps = _trunk(masses, skeleton)
    lumps["head"] = masses.slab("head", (skeleton["crown"], skeleton["neck"])).piece()
    for side in SIDES:
        positions = {name: skeleton[f"{side}_{name}"] for name in _LANDMARKS}
        limbs = {**_arm_and_leg(masses, positions), **_foot(masses, positions)}
        lumps |= {f"{side}_{name}": lump for name, lump in limbs.items()}
    return lumps


_LANDMARKS = (
    *("shoulder", "elbow", "wrist", "fingertip", "hip", "knee", "ankle"),
    *("heel", "toe", "toe_tip"),
)


def _trunk(masses: _Masses, skeleton: Skeleton) -> dict[str, LumpedMass]:
    """Return pelvis, lumbar and thorax, cut from de Leva's three parts of the trunk."""
    top, bottom = skeleton["suprasternale"], skeleton["pelvis"]
    lengths = np.array([masses.rows[part].mean_length for part in TRUNK], dtype=float)
    fractions = np.cumsum([0.0, *lengths]) / lengths.sum()
    levels = pairwise([top + fraction * (bottom - top) for fraction in fractions])
    slabs = [masses.slab(part, ends) for part, ends in zip(TRUNK, levels, strict=True)]
    heights = [np.inf, float(skeleton["t12l1"][2]), float(skeleton["l5s1"][2]), -np.inf]
    return {
        name: join_masses(list(between_heights(slabs, upper, lower)))
        for name, (upper, lower) in zip(
            ("thorax", "lumbar", "pelvis"), pairwise(heights), strict=True
        )
    }


def _arm_and_leg(masses: _Masses, at: Mapping[str, Array]) -> dict[str, LumpedMass]:
    palm_in = {"forearm": ("elbow", "wrist"), "hand": ("wrist", "fingertip")}
    upright = {
        "upper_arm": ("shoulder", "elbow"),
        "thigh": ("hip", "knee"),
        "shank": ("knee", "ankle"),
    }
    slabs = {
        name: masses.slab(name, (at[start], at[end]), axes=axes)
        for ends, axes in ((palm_in, TURNED), (upright, UPRIGHT))
        for name, (start, end) in ends.items()
    }
    return {name: slab.piece() for name, slab in slabs.items()}


def _foot(masses: _Masses, at: Mapping[str, Array]) -> dict[str, LumpedMass]:
    """Return foot and toes; de Leva's axis of the foot runs as high as the toes' joint."""
    lift = np.array([0.0, 0.0, at["toe"][2]])
    heel, tip = at["heel"] + lift, at["toe_tip"] + lift
    slab = masses.slab("foot", (heel, tip), axes=LYING)
    ball = float((at["toe"] - heel)[0] / (tip - heel)[0])
    return {"foot": slab.piece(0.0, ball), "toes": slab.piece(ball, 1.0)}


@cache
def load_segment_rows(sex: Sex) -> dict[str, SegmentRow]:
    """Return de Leva's table for one sex."""
    file = resources.files("robotix.human") / "data" / "de_leva_1996.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row["segment"]: _read(row) for row in rows if row["sex"] == sex}


def _read(row: dict[str, str]) -> SegmentRow:
    return SegmentRow(
        row["endpoints"],
        float(row["mass_fraction"]),
        float(row["com_fraction"]),
        {axis: float(row[f"k_{axis}"]) for axis in UPRIGHT},
        float(row["mean_length_mm"]) / 1000 if row["mean_length_mm"] else None,
    )
