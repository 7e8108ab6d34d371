"""Pingouin, an independent package of statistics; imported on first use, since it is slow."""

from __future__ import annotations

from functools import cache
from typing import Any

from robotix.geometry import Array

__all__ = ["as_frame", "pingouin"]


@cache
def pingouin() -> Any:
    import pingouin

    return pingouin


def as_frame(values: Array) -> Any:
    """Return values (participants, levels) or (participants, levels, levels) as a long table."""
    import itertools

    import pandas

    rows = [
        {
            "participant": index[0],
            "a": f"a{index[1]}",
            "b": f"b{(*index, 0)[2]}",
            "y": values[index],
        }
        for index in itertools.product(*map(range, values.shape))
    ]
    return pandas.DataFrame(rows)
