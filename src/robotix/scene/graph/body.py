"""How a node takes part in the physics of a room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.errors import BadField

__all__ = ["BodyKind", "BodyProperties"]

BodyKind: TypeAlias = Literal["free", "moved", "static"]
KINDS = ("free", "moved", "static")
MAX_MASS = 1e6  # kg, or kg/m³
MAX_FRICTION = 100.0


@dataclass(frozen=True)
class BodyProperties:
    """A node as a body: what moves it, how much it weighs, and how it slides and bounces.

    - `free`: gravity and contacts move it, with its branch as one rigid body;
    - `moved`: only commands, hands and plug-ins move it; it pushes what is free, and is not pushed;
    - `static`: it stays, as nodes without these properties do until something moves them.

    None is the default of the room.
    """

    kind: BodyKind = "free"
    mass: float | None = None  # kg; that of its shapes at `density` when None
    density: float | None = None  # kg/m³
    friction: float | None = None  # coefficient of sliding
    restitution: float | None = None  # speed after per speed before an impact

    def __post_init__(self) -> None:
        """Raise BadField for values out of range."""
        if self.kind not in KINDS:
            raise BadField("kind", "free, moved or static", self.kind)
        for name in ("mass", "density"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= MAX_MASS:
                raise BadField(name, f"more than 0, at most {MAX_MASS:g}", value)
        if self.mass is not None and self.density is not None:
            raise BadField("density", "left out when the mass is given", self.density)
        if self.friction is not None and not 0 <= self.friction <= MAX_FRICTION:
            raise BadField("friction", f"in 0..{MAX_FRICTION:g}", self.friction)
        if self.restitution is not None and not 0 <= self.restitution <= 1:
            raise BadField("restitution", "in 0..1", self.restitution)
