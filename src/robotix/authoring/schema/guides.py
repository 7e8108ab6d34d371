"""Entries of scene files for mechanisms: what any hand can turn or pull, within limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from robotix.files.typed.markers import Description
from robotix.scene.graph.field_types import Angle, Vector

__all__ = ["HingeEntry", "SlideEntry"]


@dataclass(frozen=True)
class HingeEntry:
    """A hinge of a door, a lid or a lever; angles count from the pose in the file."""

    axis: Annotated[Vector, Description("In the frame of the thing.")] = (0.0, 0.0, 1.0)
    origin: Annotated[Vector, Description("A point on the axis, in that frame, in m.")] = (
        0.0,
        0.0,
        0.0,
    )
    lower: Angle = 0.0
    upper: Angle = math.pi / 2


@dataclass(frozen=True)
class SlideEntry:
    """A slide of a drawer or a sliding door; lengths count from the pose in the file."""

    axis: Annotated[Vector, Description("In the frame of the thing.")] = (1.0, 0.0, 0.0)
    lower: Annotated[float, Description("In m.")] = 0.0
    upper: Annotated[float, Description("In m.")] = 0.5
