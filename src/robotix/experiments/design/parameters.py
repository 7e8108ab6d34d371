"""What a design study may change, within which bounds, and the arm that follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.experiments.design.links import long_links, stretch_link
from robotix.experiments.tasks.room import CHAIR_Z
from robotix.experiments.wheelchair.chair import load_with_rail
from robotix.experiments.wheelchair.mountings import FIXED_AT
from robotix.geometry import Pose, rotation_from_rpy, rpy_from_rotation
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.model.rail import load_wheelchair_rail, mount_on_rail
from robotix.model.robots import load

__all__ = ["DESIGN_MOUNTINGS", "Design", "DesignParameter", "design_parameters", "make_design"]

DESIGN_MOUNTINGS = ("fixed", "rail")
LINK_RANGE = (
    0.7,
    1.4,
)  # of the length as built (assumed: what could be built without other drives)


@dataclass(frozen=True)
class DesignParameter:
    """A number of a design, its bounds, and its value in the design as built."""

    name: str
    unit: str
    low: float
    high: float
    start: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise BadField(
                f"bounds of {self.name}", "two numbers, low < high", (self.low, self.high)
            )


@dataclass(frozen=True, eq=False)
class Design:
    """An arm with its mounting; `values` has every parameter, also those that were not varied."""

    arm: str  # a name of the library, or a file
    mounting: str  # one of DESIGN_MOUNTINGS
    values: Mapping[str, float]
    arm_model: Model  # the arm alone, links stretched
    model: Model  # the same as it is mounted: on the rail, or alone
    base: Pose  # room_from_base of `model`


def design_parameters(arm: str, mounting: str) -> dict[str, DesignParameter]:
    """Return all parameters of a mounting, with bounds and the values as built.

    `fixed`: `forward`, `left`, `up` (m, in the frame of the chair), `yaw_deg` and `lean_deg` (the
    arm leans to where its x axis points) of its foot. `rail`: `tilt_deg` (positive lowers the
    front). Both: `upper_arm` and `forearm`, factors of the links' lengths.
    """
    if mounting not in DESIGN_MOUNTINGS:
        raise UnknownName("mounting of a design study", mounting, DESIGN_MOUNTINGS)
    links = [DesignParameter(name, "", *LINK_RANGE, 1.0) for name in long_links(load(arm))]
    if mounting == "rail":
        low, high = load_wheelchair_rail().rail.tilt_range
        own = [DesignParameter("tilt_deg", "°", math.degrees(low), math.degrees(high), 0.0)]
    else:
        stand = Posture(load_with_rail(arm), {"rail": FIXED_AT}).pose("carriage")
        _, lean, yaw = rpy_from_rotation(stand.rotation)
        x, y, z = stand.translation
        own = [
            DesignParameter("forward", "m", -0.4, 0.6, x),
            DesignParameter("left", "m", 0.25, 0.6, y),
            DesignParameter("up", "m", 0.2, 1.0, z),
            DesignParameter("yaw_deg", "°", -180.0, 180.0, math.degrees(yaw)),
            DesignParameter("lean_deg", "°", -90.0, 90.0, math.degrees(lean)),
        ]
    return {each.name: each for each in [*own, *links]}


def make_design(arm: str, mounting: str, values: Mapping[str, float]) -> Design:
    """Return the design with these values; what is not given is as built."""
    known = design_parameters(arm, mounting)
    for name in values:
        if name not in known:
            raise UnknownName(f"parameter of the mounting {mounting!r}", name, tuple(known))
    every = {name: float(values.get(name, each.start)) for name, each in known.items()}
    model = load(arm)
    for name, body in long_links(model).items():
        if every[name] != 1.0:
            model = stretch_link(model, body, every[name])
    chair = Pose.at(0.0, 0.0, CHAIR_Z)
    if mounting == "rail":
        tilt = math.radians(every["tilt_deg"])
        mounted = mount_on_rail(model, load_wheelchair_rail().rail, tilt=tilt)
        return Design(arm, mounting, every, model, mounted, chair)
    turn = rotation_from_rpy(0.0, math.radians(every["lean_deg"]), math.radians(every["yaw_deg"]))
    foot = Pose(turn, np.array([every[name] for name in ("forward", "left", "up")]))
    return Design(arm, mounting, every, model, model, chair @ foot)


def chosen_parameters(
    arm: str, mounting: str, *, vary: Sequence[str], bounds: Mapping[str, tuple[float, float]]
) -> list[DesignParameter]:
    """Return the parameters to vary (all if `vary` is empty), with other bounds where given."""
    known = design_parameters(arm, mounting)
    for name in [*vary, *bounds]:
        if name not in known:
            raise UnknownName(f"parameter of the mounting {mounting!r}", name, tuple(known))
    chosen = [known[name] for name in known if name in (vary or known)]
    return [
        DesignParameter(
            each.name, each.unit, *bounds.get(each.name, (each.low, each.high)), each.start
        )
        for each in chosen
    ]
