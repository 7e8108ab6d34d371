"""How surfaces look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Colour", "Material"]

Colour: TypeAlias = tuple[float, float, float]  # red, green, blue in 0..1


@dataclass(frozen=True)
class Material:
    """How a surface looks; all numbers in 0..1."""

    colour: Colour = (0.7, 0.7, 0.7)
    opacity: float = 1.0
    metalness: float = 0.0
    roughness: float = 0.7
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse what no renderer can draw."""
        numbers = (*self.colour, self.opacity, self.metalness, self.roughness)
        if not all(0 <= number <= 1 for number in numbers):
            raise ValueError(f"the numbers of a material lie in 0..1, got {self}")
