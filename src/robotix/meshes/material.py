"""Materials of surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from robotix.errors import BadField, UnknownName
from robotix.geometry.arrays import Rgb

__all__ = ["PATTERNS", "Material", "Pattern", "Rgb"]

Pattern: TypeAlias = Literal[
    "",  # plain
    "wood",
    "planks",
    "tiles",
    "cloth",
    "leather",
    "carpet",
    "brushed",
    "plaster",
    "concrete",
    "marble",
    "leaves",
]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)


@dataclass(frozen=True)
class Material:
    """Appearance of a surface; all numbers in 0..1.

    A pattern varies the colour over the surface, in metres. A renderer that does not know it
    draws the plain colour.
    """

    colour: Rgb = (0.7, 0.7, 0.7)
    opacity: float = 1.0
    metalness: float = 0.0
    roughness: float = 0.7
    name: str = ""
    pattern: Pattern = ""

    def __post_init__(self) -> None:
        """Raise BadField for numbers out of range, and UnknownName for an unknown pattern."""
        for name in ("colour", "opacity", "metalness", "roughness"):
            value = getattr(self, name)
            if not all(0 <= number <= 1 for number in (value if name == "colour" else (value,))):
                raise BadField(name, "in 0..1", value)
        if self.pattern not in PATTERNS:
            raise UnknownName("pattern", self.pattern, PATTERNS[1:])
