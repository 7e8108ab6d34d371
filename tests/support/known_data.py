"""Published data sets with known answers, for tests of statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from robotix.experiments.analysis.tidy import TidyTable
from robotix.geometry import Array

TABLES = Path(__file__).parent.parent / "experiments" / "analysis" / "tables"


def known_data(name: str) -> Array:
    """Return values (participants, conditions)."""
    return np.loadtxt(TABLES / f"{name}.csv", delimiter=",")


def tidy(values: Array) -> TidyTable:
    """Return one row a value: participant, condition (c0, c1 …), day (its number), value."""
    rows: list[dict[str, Any]] = [
        {"participant": f"P{i:02}", "condition": f"c{k}", "day": k, "value": float(value)}
        for i, row in enumerate(values)
        for k, value in enumerate(row)
    ]
    return TidyTable.of(rows)


def paired_samples(people: int, *levels: int, seed: int) -> Array:
    """Return random values with effects of people and conditions (people, levels …)."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(people, *levels)) + rng.normal(size=(people,) + (1,) * len(levels))
    return np.asarray(values * np.linspace(1, 2, levels[0]).reshape(-1, *(1,) * (len(levels) - 1)))
