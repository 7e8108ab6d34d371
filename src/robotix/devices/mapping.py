"""Mappings: which physical devices feed a logical one, and how their values are converted.

Scenes refer to logical devices only; a mapping assigns hardware to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from robotix.devices.network.source import NetworkSource
from robotix.devices.shaping import AxisTerm, make_terms
from robotix.devices.watchdog import DeviceLimits
from robotix.errors import BadField, UnknownName
from robotix.inputs.device_kinds import AXES, KEYBOARD, DeviceKind

__all__ = ["AXES", "DeviceFeed", "DeviceMap", "Logical", "fit_to_scene"]

RATE_KINDS = frozenset[DeviceKind]({"translate3", "rotate3", "move6", "drive2"})  # zero at rest
CURVE_EXPONENTS = {"linear": 1.0, "soft": 2.0}
MAX_EXPONENT = 10.0


@dataclass(frozen=True)
class DeviceFeed:
    """One physical device that feeds a logical one.

    `axes` are those of the logical device, in its order, each named as the physical one names it:
    `x`, `-x` mirrored, `Up/Down` two buttons, `""` none. `dead_zone` is cut out around zero,
    `curve` is the exponent of what remains, `scale` multiplies the result, which never exceeds 1.
    With a `clutch`, axes and poses count only while that button is down, and shifts of the pose are
    multiplied by `scale`. `buttons` renames: logical to physical; when left out, all keep their
    names.
    """

    device: str
    axes: tuple[str, ...] = ()
    dead_zone: float = 0.0
    scale: float = 1.0
    curve: float | Literal["linear", "soft"] = "linear"
    clutch: str = ""
    buttons: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        make_terms(self.axes)
        if not 0.0 <= self.dead_zone < 1.0:
            raise BadField("dead_zone", "in 0..1, and less than 1", self.dead_zone)
        if not (math.isfinite(self.scale) and self.scale > 0.0):
            raise BadField("scale", "more than 0 (mirror by '-x')", self.scale)
        if (
            self.curve not in CURVE_EXPONENTS
            and not 1.0 / MAX_EXPONENT <= self.exponent <= MAX_EXPONENT
        ):
            raise BadField("curve", "linear, soft or an exponent up to 10", self.curve)

    @property
    def exponent(self) -> float:
        """The curve as a number."""
        return CURVE_EXPONENTS[self.curve] if isinstance(self.curve, str) else self.curve

    @property
    def terms(self) -> tuple[AxisTerm, ...]:
        """The physical inputs of each logical axis."""
        return make_terms(self.axes)


@dataclass(frozen=True)
class Logical:
    """A logical device, as scenes use it; the first live physical device of `from` feeds it."""

    kind: DeviceKind
    from_: tuple[DeviceFeed, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in AXES:
            raise UnknownName("kind of logical device", self.kind, AXES)
        expected = AXES[self.kind]
        for feed in self.from_:
            if feed.axes and len(feed.axes) != len(expected):
                axes = f"{len(expected)} axes for {self.kind} ({', '.join(expected) or 'none'})"
                raise BadField("from_", axes, f"{len(feed.axes)} from {feed.device}")

    @property
    def n_axes(self) -> int:
        """Number of axes of its readings."""
        return len(AXES[self.kind])


@dataclass(frozen=True)
class DeviceMap:
    """All logical devices, the limits of physical ones, and those on other machines, by name."""

    logical: Mapping[str, Logical] = field(default_factory=dict)
    trust: Mapping[str, DeviceLimits] = field(default_factory=dict)
    network: Mapping[str, NetworkSource] = field(default_factory=dict)

    def trust_in(self, device: str) -> DeviceLimits:
        """Return the limits of a physical device."""
        return self.trust.get(device) or DeviceLimits()


def fit_to_scene(device_map: DeviceMap, devices: Mapping[str, str]) -> DeviceMap:
    """Return the mapping for a scene that knows these logical devices, by name and kind.

    Each gets the entry of the mapping with its name, otherwise the first entry of its kind, since
    scenes choose their own names; otherwise it has no feed and is never live.
    """
    fitted = dict(device_map.logical)
    for name, kind in devices.items():
        if kind not in get_args(DeviceKind):
            raise UnknownName(f"kind of logical device for {name!r}:", kind, AXES)
        same = device_map.logical.get(name)
        if same is None:
            same = next((one for one in device_map.logical.values() if one.kind == kind), None)
        elif same.kind != kind:
            raise ValueError(
                f"the scene wants {name!r} to be a {kind}, and the mapping makes it a {same.kind}"
            )
        fitted[name] = same or Logical(_as_kind(kind))
    fitted.setdefault(
        KEYBOARD, Logical("buttons", (DeviceFeed("keyboard"),))
    )  # rules may name keys
    return DeviceMap(fitted, device_map.trust, device_map.network)


def _as_kind(text: str) -> DeviceKind:
    return next(kind for kind in AXES if kind == text)
