"""Shaping of inputs: dead zone, response curve, axis mapping and clutch."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.devices.rigid_transform import RigidTransform, conjugate, product, unit
from robotix.errors import BadField

__all__ = [
    "AxisTerm",
    "Clutch",
    "apply_clutch",
    "apply_dead_zone",
    "make_terms",
    "shape_axis",
]


def apply_dead_zone(value: float, dead_zone: float) -> float:
    """Return 0 within the zone, and a linear ramp from its edge to 1 at 1."""
    beyond = abs(value) - dead_zone
    return math.copysign(beyond / (1.0 - dead_zone), value) if beyond > 0.0 else 0.0


def shape_axis(
    value: float, *, dead_zone: float = 0.0, exponent: float = 1.0, scale: float = 1.0
) -> float:
    """Return an axis in -1..1 after dead zone, curve and scale.

    Odd, monotone and continuous; never beyond `scale`, nor beyond 1.
    """
    inner = apply_dead_zone(value, dead_zone)
    size = min(abs(inner), 1.0) ** exponent * scale
    return math.copysign(min(size, 1.0), inner) if size else 0.0


@dataclass(frozen=True)
class AxisTerm:
    """One axis of a logical device, written as `x`, `-x`, or `Up/Down` for two buttons."""

    axis: str = ""
    sign: float = 1.0
    plus: str = ""
    minus: str = ""

    def value(self, axes: dict[str, float], down: frozenset[str]) -> float:
        """Return this axis, given those of the physical device and its buttons that are down."""
        if self.axis:
            return self.sign * axes[self.axis]
        return float(self.plus in down) - float(self.minus in down)


def make_terms(texts: tuple[str, ...]) -> tuple[AxisTerm, ...]:
    """Parse how the axes of a logical device are computed from a physical one.

    A physical axis may serve once only, so axes are exchanged and mirrored, but never mixed.
    """
    terms = tuple(map(_make_term, texts))
    used = [name for term in terms for name in (term.axis, term.plus, term.minus) if name]
    for name in used:
        if used.count(name) > 1:
            raise BadField(
                "axes", "each axis or button used once", f"{name!r} twice in {list(texts)}"
            )
    return terms


def _make_term(text: str) -> AxisTerm:
    if "/" in text:
        plus, _, minus = text.partition("/")
        if plus.strip() and minus.strip() and "/" not in minus:
            return AxisTerm(plus=plus.strip(), minus=minus.strip())
    elif text.strip(" -"):
        name = text.strip()
        return AxisTerm(axis=name.lstrip("-").strip(), sign=-1.0 if name.startswith("-") else 1.0)
    elif text == "":
        return AxisTerm()  # an axis that this device leaves at zero
    raise BadField("axes", "axes like 'x', '-x', or 'Up/Down' for two buttons", repr(text))


# -- clutch ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clutch:
    """A pose that a tracked device moves while the clutch is engaged, and that stays otherwise.

    Engaging never makes it jump, like putting a lifted mouse back on the table.
    """

    pose: RigidTransform  # the pose it gives
    grip: tuple[RigidTransform, RigidTransform] | None = (
        None  # when it was engaged: the device's pose, and its own
    )


def apply_clutch(
    clutch: Clutch, device: RigidTransform, *, held: bool, scale: float = 1.0
) -> Clutch:
    """Return the clutch updated with the pose of the device; translations are scaled by `scale`."""
    if not held:
        return Clutch(clutch.pose)
    if clutch.grip is None:
        return Clutch(clutch.pose, (device, clutch.pose))
    hand, start = clutch.grip
    x, y, z = (
        begin + scale * (now - then)
        for begin, now, then in zip(start.position, device.position, hand.position, strict=True)
    )
    rotation = product(device.quaternion, conjugate(hand.quaternion))
    return Clutch(RigidTransform((x, y, z), unit(product(rotation, start.quaternion))), clutch.grip)
