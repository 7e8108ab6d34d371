"""Entries of scene files for several of a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from robotix.errors import BadField
from robotix.files.typed.markers import Description, Within
from robotix.scene.graph.field_types import Vector

__all__ = ["GridEntry", "RepeatEntry"]


@dataclass(frozen=True)
class RepeatEntry:
    """Several of these in a row, called `name_1`, `name_2` and so on."""

    count: Annotated[int, Within(1, 1000)]
    step: Annotated[Vector, Description("From each to the next, in m.")]


@dataclass(frozen=True)
class GridEntry:
    """Several of these in rows along x, y and z, numbered from 1, along z first."""

    counts: Annotated[
        tuple[Annotated[int, Within(1, 1000)], ...], Description("How many along x, y and z.")
    ]
    step: Annotated[Vector, Description("From each to the next along x, y and z, in m.")]

    def __post_init__(self) -> None:
        if len(self.counts) != 3:
            raise BadField("counts", "three numbers, along x, y and z", len(self.counts))
