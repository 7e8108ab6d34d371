"""Constants of the low-back models and their sources, from `data/low_back.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.tables import read_table

__all__ = ["load_low_back"]


@dataclass(frozen=True)
class _Arm:
    arm: float
    source: str
    unverified: bool = False

    @property
    def words(self) -> str:
        return f"{self.source} (unverified)" if self.unverified else self.source


@dataclass(frozen=True)
class _MuscleArm:
    note: str
    alternatives: tuple[_Arm, ...]

    @property
    def verified(self) -> tuple[float, ...]:
        """Arms with a verified source, m."""
        return tuple(each.arm for each in self.alternatives if not each.unverified)


@dataclass(frozen=True)
class _Abdominal:
    factor: float
    constant: float
    per_degree: float
    power: float
    pascal_per_mmhg: float
    area: float
    arm_constant: float
    arm_sine: float
    provenance: str


@dataclass(frozen=True)
class _Sacrum:
    erect: float
    coefficients: dict[str, float]
    provenance: str


@dataclass(frozen=True)
class _Flexor:
    arm: float
    provenance: str


@dataclass(frozen=True)
class _TenMuscles:
    names: tuple[str, ...]
    area_cm2: tuple[float, ...]
    sagittal_arm_cm: tuple[float, ...]
    coronal_arm_cm: tuple[float, ...]
    line_deg: tuple[float, ...]
    line_plane: tuple[str, ...]
    provenance: str


@dataclass(frozen=True)
class _HandCalculation:
    torso: float
    load: float
    axial: float
    provenance: str
    unverified: bool


@dataclass(frozen=True)
class _Limits:
    compression_action: float
    compression_maximum: float
    compression_provenance: str
    shear_frequent: float
    shear_maximum: float
    shear_provenance: str
    by_sex: dict[str, tuple[float, float]]
    by_sex_provenance: str


@dataclass(frozen=True)
class _LowBack:
    reference: str
    muscle_arm: _MuscleArm
    abdominal: _Abdominal
    sacrum: _Sacrum
    flexor: _Flexor
    ten_muscles: _TenMuscles
    hand_calculation: _HandCalculation
    limits: _Limits


@cache
def load_low_back() -> _LowBack:
    """Return the constants of the low-back models."""
    return read_table("low_back.toml", _LowBack)
