"""Mountings side by side: an arm fixed beside the seat, on the rail, and on the rail that tilts.

Reach is found by random postures sorted into cubes, the same number for each setting of the tilt.
The hand must be above the floor; contacts with chair and rider are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from robotix.experiments.wheelchair.chair import hand_point, load_with_rail
from robotix.geometry import Pose
from robotix.kinematics import Posture
from robotix.kinematics.workspace import ReachabilityMap, reachability_map
from robotix.model import Body, Joint, Model
from robotix.model.rail import load_wheelchair_rail
from robotix.model.robots import load

__all__ = ["MOUNTINGS", "Mounting", "MountingReach", "compare_mountings", "mounted_models"]

Mounting: TypeAlias = Literal["fixed", "rail", "rail_tilt"]
MOUNTINGS: tuple[Mounting, ...] = get_args(Mounting)

FIXED_AT = 0.12  # m along the rail: beside the left armrest, where the arm of the flat waits
TILTS_DEG = (-15.0, 0.0, 15.0, 30.0)  # settings that stand for the range of the tilt
DEXTEROUS = 0.3  # isotropy from which a place counts as dexterous (assumed; 1 is best)
FLOOR_LAYER = 0.1  # m above the floor, where things are picked up


@dataclass(frozen=True)
class MountingReach:
    """What a mounting gives the hand."""

    mounting: Mounting
    volume: float  # m³ that the hand reaches, above the floor
    dexterous_volume: float  # m³ of it with an isotropy of `DEXTEROUS` or more
    floor_area: float  # m² of the floor reached within `FLOOR_LAYER` above it
    dexterous_floor_area: float  # m² of it, dexterous
    samples: int


def mounted_models(arm: str, mounting: Mounting) -> Iterator[Model]:
    """Yield the arm as it is mounted, once for each setting of the tilt."""
    rail = load_wheelchair_rail().rail
    match mounting:
        case "fixed":
            stand = Posture(load_with_rail(arm), {"rail": FIXED_AT}).pose("carriage")
            yield _fixed(load(arm.removesuffix("_rail")), stand)
        case "rail":
            yield load_with_rail(arm)
        case "rail_tilt":
            low, high = rail.tilt_range
            for tilt in np.radians(TILTS_DEG):
                yield load_with_rail(arm, tilt=float(np.clip(tilt, low, high)))


def compare_mountings(
    arm: str,
    *,
    samples: int = 100_000,
    voxel: float = 0.1,
    seed: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> list[MountingReach]:
    """Return what each mounting reaches; `samples` postures for each setting of the tilt."""
    return [_reach(arm, each, samples, voxel, seed, advance) for each in MOUNTINGS]


def count_maps() -> int:
    """Return how many maps `compare_mountings` makes, for progress bars."""
    return len(TILTS_DEG) + 2


def _reach(
    arm: str,
    mounting: Mounting,
    samples: int,
    voxel: float,
    seed: int,
    advance: Callable[[], None],
) -> MountingReach:
    best: dict[tuple[int, ...], float] = {}
    count = 0
    for model in mounted_models(arm, mounting):
        rng = np.random.default_rng(seed)
        found = reachability_map(
            model, voxel=voxel, samples=samples, rng=rng, point=hand_point(model)
        )
        _keep_best(best, found)
        count += samples
        advance()
    floor: dict[tuple[int, int], float] = {}
    for (x, y, z), value in best.items():
        if (z + 1) * voxel <= max(FLOOR_LAYER, voxel) + 1e-9:
            floor[x, y] = max(floor.get((x, y), 0.0), value)
    dexterous = sum(value >= DEXTEROUS for value in best.values())
    dexterous_floor = sum(value >= DEXTEROUS for value in floor.values())
    return MountingReach(
        mounting,
        len(best) * voxel**3,
        dexterous * voxel**3,
        len(floor) * voxel**2,
        dexterous_floor * voxel**2,
        count,
    )


def _keep_best(best: dict[tuple[int, ...], float], found: ReachabilityMap) -> None:
    """Add a map to the best values by cell, cells below the floor left out."""
    for cell, value in zip(found.cells.tolist(), found.best.tolist(), strict=True):
        if cell[2] >= 0:
            key = tuple(cell)
            best[key] = max(best.get(key, 0.0), value)


def _fixed(arm: Model, stand: Pose) -> Model:
    """Return an arm whose base stands still on the chair, in the frame of the chair."""
    plate = Model("stand", (Body("stand", Joint("stand"), placement=stand),))
    return replace(plate.attached(arm, at="stand"), name=f"{arm.name}_fixed")
