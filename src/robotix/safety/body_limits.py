"""Limits of contact by body region, and which region a part of the manikin is [ISO2016a]."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from robotix.errors import UnknownName

__all__ = ["BodyRegion", "body_regions", "find_region", "region_of_segment"]

PER_CM2 = 1e4  # N/cm² to Pa

# Regions that a collision shape of a segment may belong to; the one with the lowest permitted speed
# counts, as a shape does not tell front from back, or skull from neck.
SEGMENT_REGIONS: Mapping[str, tuple[str, ...]] = {
    "pelvis": ("pelvis",),
    "lumbar": ("abdomen", "back"),
    "thorax": ("chest", "back"),
    "head": ("face", "skull", "neck"),
    "upper_arm": ("upper_arm",),
    "forearm": ("forearm",),
    "hand": ("hand",),
    "thigh": ("thigh",),
    "shank": ("lower_leg",),
    "foot": ("lower_leg",),
    "toes": ("lower_leg",),
}


@dataclass(frozen=True)
class BodyRegion:
    """What a region of the body bears in contact with a robot, in SI units.

    For skull and face the specification gives no transient limit, as contact there is not
    permitted; the quasi-static one is then used for both, which is the stricter choice.
    """

    name: str
    title: str
    stiffness: float  # N/m
    mass: float  # kg, effective
    force: float  # N, quasi-static
    transient_factor: float  # 0: none is given
    pressures: Mapping[str, float]  # Pa, quasi-static, by specific area
    sources: tuple[str, ...]  # of its numbers, as in docs/references.md
    area_sources: Mapping[str, str]  # of areas that only one of the sources has

    def sources_of(self, area: str) -> tuple[str, ...]:
        """Return where the pressure of an area is stated, as in docs/references.md."""
        return (self.area_sources[area],) if area in self.area_sources else self.sources

    @property
    def is_contact_permitted(self) -> bool:
        """Whether transient contact may happen at all."""
        return self.transient_factor > 0

    @property
    def transient_force(self) -> float:
        """Largest force of a short contact, N."""
        return self.force * max(self.transient_factor, 1.0)

    @property
    def pressure(self) -> float:
        """Largest quasi-static pressure of the most sensitive area, Pa."""
        return min(self.pressures.values())

    @property
    def transient_pressure(self) -> float:
        """Largest pressure of a short contact on the most sensitive area, Pa."""
        return self.pressure * max(self.transient_factor, 1.0)


@cache
def body_regions() -> Mapping[str, BodyRegion]:
    """Return all regions by name."""
    file = resources.files("robotix.safety") / "data" / "body_limits.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({name: _region(name, row) for name, row in table.items()})


def _region(name: str, row: Mapping[str, object]) -> BodyRegion:
    areas, single, sources = row["areas"], row.get("area_sources", {}), row["sources"]
    assert isinstance(areas, dict) and isinstance(single, dict) and isinstance(sources, list)
    numbers = {key: float(str(row[key])) for key in ("stiffness", "mass", "force", "transient")}
    return BodyRegion(
        name,
        str(row["title"]),
        numbers["stiffness"],
        numbers["mass"],
        numbers["force"],
        numbers["transient"],
        MappingProxyType({area: value * PER_CM2 for area, value in areas.items()}),
        tuple(map(str, sources)),
        MappingProxyType({str(area): str(source) for area, source in single.items()}),
    )


def find_region(name: str) -> BodyRegion:
    """Return a region by name; raise UnknownName for others."""
    regions = body_regions()
    if name not in regions:
        raise UnknownName("body region", name, regions)
    return regions[name]


@cache
def region_of_segment(segment: str) -> tuple[BodyRegion, ...]:
    """Return the regions that a segment of the manikin, such as `left_forearm`, may touch with."""
    plain = segment.removeprefix("left_").removeprefix("right_").removesuffix("_segment")
    if plain not in SEGMENT_REGIONS:
        raise UnknownName("segment of the body", segment, SEGMENT_REGIONS)
    return tuple(find_region(name) for name in SEGMENT_REGIONS[plain])
