"""Cells of a design from tidy rows: one mean per participant and cell, missing ones said."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.experiments.analysis.tidy import TidyTable
from robotix.geometry import Array

__all__ = ["CellDesign", "pivot"]


@dataclass(frozen=True)
class CellDesign:
    """Means of repeats (participants, levels …) of complete participants, and who is left out."""

    participants: tuple[str, ...]
    factors: tuple[tuple[str, tuple[str, ...]], ...]  # name and levels
    values: Array  # (participants, levels of the first factor, …)
    left_out: Mapping[str, tuple[str, ...]]  # incomplete participants, and their missing cells

    @property
    def shape(self) -> tuple[tuple[str, int], ...]:
        """Name and number of levels of each factor."""
        return tuple((name, len(levels)) for name, levels in self.factors)


def pivot(table: TidyTable, measure: str, factors: Mapping[str, Sequence[str]]) -> CellDesign:
    """Return the cells of a measure over factors within participants.

    A participant with any missing cell is left out, since the tests need complete ones; the mixed
    model uses them all the same.
    """
    sums: dict[tuple[str, tuple[str, ...]], list[float]] = {}
    for row in table.rows():
        if row.get(measure) is not None:
            key = row["participant"], tuple(row[name] for name in factors)
            sums.setdefault(key, []).append(float(row[measure]))
    cells = list(itertools.product(*factors.values()))
    complete, left_out, values = [], {}, []
    for participant in table.distinct("participant"):
        missing = [cell for cell in cells if (participant, cell) not in sums]
        if missing:
            left_out[participant] = tuple(", ".join(cell) for cell in missing)
            continue
        complete.append(participant)
        values.append([float(np.mean(sums[participant, cell])) for cell in cells])
    shape = (len(complete), *(len(levels) for levels in factors.values()))
    return CellDesign(
        tuple(complete),
        tuple((name, tuple(levels)) for name, levels in factors.items()),
        np.array(values, dtype=float).reshape(shape),
        left_out,
    )
