"""Which physical device stands behind a logical one, and how its numbers are turned into meaning.

Scenes name logical devices only; a mapping says what hardware serves them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from robotix.devices.shaping import AxisTerm, make_terms
from robotix.devices.watchdog import DeviceLimits
from robotix.errors import UnknownName
from robotix.scene.events.devices import AXES, KEYBOARD, DeviceKind

__all__ = ["AXES", "DeviceFeed", "DeviceMap", "Logical", "fit_to_scene"]

RATES = frozenset[DeviceKind]({"translate3", "rotate3", "move6", "drive2"})  # zero when let go
CURVES = {"linear": 1.0, "soft": 2.0}
STEEPEST = 10.0


@dataclass(frozen=True)
class DeviceFeed:
    """One physical device behind a logical one.

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
            raise ValueError(f"dead_zone must be in 0..1, and less than 1, got {self.dead_zone}")
        if not (math.isfinite(self.scale) and self.scale > 0.0):
            raise ValueError(f"scale must be more than 0 (mirror by '-x'), got {self.scale}")
        if self.curve not in CURVES and not 1.0 / STEEPEST <= self.exponent <= STEEPEST:
            raise ValueError(
                f"curve must be linear, soft or an exponent up to 10, got {self.curve}"
            )

    @property
    def exponent(self) -> float:
        """The curve as a number."""
        return CURVES[self.curve] if isinstance(self.curve, str) else self.curve

    @property
    def terms(self) -> tuple[AxisTerm, ...]:
        """How each logical axis is made."""
        return make_terms(self.axes)


@dataclass(frozen=True)
class Logical:
    """A device as scenes know it; of the physical ones that feed it, the first live one counts."""

    kind: DeviceKind
    from_: tuple[DeviceFeed, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in AXES:
            raise UnknownName("kind of logical device", self.kind, AXES)
        expected = AXES[self.kind]
        for feed in self.from_:
            if feed.axes and len(feed.axes) != len(expected):
                raise ValueError(
                    f"{self.kind} has {len(expected)} axes ({', '.join(expected) or 'none'}), "
                    f"and {feed.device} gives it {len(feed.axes)}"
                )

    @property
    def n_axes(self) -> int:
        """How many axes its readings have."""
        return len(AXES[self.kind])


@dataclass(frozen=True)
class DeviceMap:
    """All logical devices, and how far single physical ones are trusted, by their names."""

    logical: Mapping[str, Logical] = field(default_factory=dict)
    trust: Mapping[str, DeviceLimits] = field(default_factory=dict)

    def trust_in(self, device: str) -> DeviceLimits:
        """Return how far a physical device is believed."""
        return self.trust.get(device) or DeviceLimits()


def fit_to_scene(device_map: DeviceMap, devices: Mapping[str, str]) -> DeviceMap:
    """Return the mapping for a scene that knows these logical devices, by name and kind.

    Each gets what the mapping has under its name; else the first of its kind, so that a scene may
    call its stick as it likes; else nothing, and is never live.
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
    return DeviceMap(fitted, device_map.trust)


def _as_kind(text: str) -> DeviceKind:
    return next(kind for kind in AXES if kind == text)
