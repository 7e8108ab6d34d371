"""Reading force files (OpenSim .mot and .sto): forces of the plates that a person stood on.

A header ends with `endheader`; then come the names of the columns, and one line per time. Columns
`NAME_vx`, `NAME_vy`, `NAME_vz` are a force, `NAME_px`, … where it acts, if they are there. By
convention y is up, and plates push upwards.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from robotix.capture.marker_text import read_lines
from robotix.capture.markers import AxisName, z_up
from robotix.errors import BadFile
from robotix.geometry import Array

__all__ = ["PlateForces", "load_forces"]

AXES: tuple[AxisName, ...] = ("x", "y", "z")
MAX_COLUMNS, MAX_ROWS = 1000, 1_000_000
MAX_FORCE = 1e5  # N
MIN_FORCE = 20.0  # N; less is an empty plate
EXPECTED = "a force file: columns time, NAME_vx, NAME_vy, NAME_vz after endheader"


@dataclass(frozen=True, eq=False)
class PlateForces:
    """Forces of plates on a person, with z up."""

    plates: tuple[str, ...]
    times: Array  # (k,), s
    forces: Array  # (k, n, 3), N
    centres: Array | None = None  # (k, n, 3), m, where they act; NaN on empty plates
    corners: Array | None = None  # (n, 4, 3), m, of the plates

    @property
    def vertical(self) -> Array:
        """The upward force of all plates together, (k,), N."""
        return np.asarray(self.forces[:, :, 2].sum(axis=1))

    @property
    def centre_of_pressure(self) -> Array:
        """Of all plates together, on the floor, (k, 2), m; NaN where they are empty."""
        if self.centres is None:
            return np.full((len(self.times), 2), np.nan)
        up = np.where(np.isfinite(self.centres[:, :, 0]), self.forces[:, :, 2], 0.0)
        whole = np.where(up.sum(axis=1) >= MIN_FORCE, up.sum(axis=1), np.nan)
        flat = np.nan_to_num(self.centres[:, :, :2])
        return np.asarray((up[:, :, None] * flat).sum(axis=1) / whole[:, None])


def load_forces(path: str | os.PathLike[str], *, up: AxisName | None = None) -> PlateForces:
    """Read a force file; up is the axis of the largest mean force, unless it is given."""
    name = os.fspath(path)
    lines = [line for line in read_lines(path, what="a force file") if line.words]
    ends = [k for k, line in enumerate(lines) if line.words[0].lower() == "endheader"]
    if not ends or len(lines) <= ends[0] + 2:
        raise BadFile(name, "no endheader with columns and rows after it", EXPECTED)
    heads, rows = lines[ends[0] + 1].words, lines[ends[0] + 2 :]
    if len(heads) > MAX_COLUMNS or len(rows) > MAX_ROWS:
        raise BadFile(name, f"{len(heads)} columns, {len(rows)} rows", "fewer of them")
    plates = [head.removesuffix("_vx") for head in heads if head.endswith("_vx")]
    columns = [
        [heads.index(f"{plate}_v{axis}") for axis in "xyz"]
        for plate in plates
        if {f"{plate}_vy", f"{plate}_vz"} <= set(heads)
    ]
    if heads[0].lower() != "time" or not plates or len(columns) < len(plates):
        raise BadFile(name, f"the columns {' '.join(heads[:4])} …", EXPECTED)
    for line in rows:
        if len(line.words) != len(heads):
            line.refuse(f"{len(line.words)} numbers", f"{len(heads)}, one a column")
    table = np.array([line.numbers() for line in rows])
    if not np.isfinite(table).all() or (np.diff(table[:, 0]) <= 0).any():
        raise BadFile(name, "times that do not rise, or missing numbers", EXPECTED)
    raw = table[:, np.array(columns)]
    axis = AXES[int(np.argmax(raw.sum(axis=1).mean(axis=0)))] if up is None else up
    forces = z_up(raw, axis)
    if abs(forces).max() > MAX_FORCE:
        raise BadFile(name, f"a force of {abs(forces).max():.3g} N", f"at most {MAX_FORCE:g}")
    return PlateForces(
        tuple(plates), table[:, 0], forces, _centres(heads, table, plates, forces, up=axis)
    )


def _centres(
    heads: list[str], table: Array, plates: list[str], forces: Array, *, up: AxisName
) -> Array | None:
    """Return where the forces act, (k, n, 3), m, NaN on empty plates; None if a column lacks."""
    names = [[f"{plate}_p{axis}" for axis in "xyz"] for plate in plates]
    if not all(name in heads for row in names for name in row):
        return None
    columns = np.array([[heads.index(name) for name in row] for row in names])
    centres = z_up(table[:, columns], up).copy()
    centres[forces[:, :, 2] < MIN_FORCE] = np.nan
    return centres
