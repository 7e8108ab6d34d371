"""Models of the trunk muscles that balance the flexion moment at L5/S1.

A model maps the flexion moment to the muscle forces, along the axis of the trunk: one equivalent
muscle [Chaffin1999], optionally relieved by abdominal pressure [Morris1961], or ten muscles
[Bean1986]. Constants and their sources: `data/low_back.toml`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from robotix.ergonomics.methods.checks import check_angle, check_range
from robotix.ergonomics.methods.tables import read_table

__all__ = [
    "AbdominalPressure",
    "BackModel",
    "SingleMuscle",
    "SpineForces",
    "TenMuscles",
    "load_low_back",
]

MUSCLE_ARMS = (0.01, 0.2)  # m; values outside are probably in centimetres


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
    line_deg: tuple[float, ...]
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


@dataclass(frozen=True)
class SpineForces:
    """Forces that balance a moment at L5/S1, N."""

    muscle_force: float  # sum over all muscles
    muscle_compression: float  # its component along the axis of the trunk
    abdominal_force: float  # of abdominal pressure; relieves the disc
    reason: str
    sources: tuple[str, ...]


class BackModel(Protocol):
    """A model of the forces that balance a flexion moment."""

    def balance(self, moment: float) -> SpineForces:
        """Return the forces for a flexion moment, N·m; extension moments are negative."""
        ...


@dataclass(frozen=True)
class AbdominalPressure:
    """Relief of the disc by abdominal pressure [Morris1961], in the form of [Chaffin1999].

    Args:
        hip_angle: Angle of the hip, rad. The sources do not say whether it is the included angle or
            the flexion; both are equal at the default of 90°.
    """

    hip_angle: float = math.pi / 2

    def __post_init__(self) -> None:
        check_angle("hip angle", self.hip_angle, low=0)

    def force(self, moment: float) -> float:
        """Return the force of the pressure for a moment (N·m), N; 0 for hip angles above 119°."""
        table = load_low_back().abdominal
        slope = max(0.0, table.constant - table.per_degree * math.degrees(self.hip_angle))
        pressure = table.factor * slope * math.pow(max(0.0, moment), table.power)  # mmHg
        return pressure * table.pascal_per_mmhg * table.area

    @property
    def arm(self) -> float:
        """Moment arm of the force about L5/S1, m."""
        table = load_low_back().abdominal
        return table.arm_constant + table.arm_sine * math.sin(self.hip_angle)


@dataclass(frozen=True)
class SingleMuscle:
    """One equivalent muscle behind the spine [Chaffin1969].

    An extension moment is balanced by the rectus abdominis.

    Args:
        arm: Moment arm of the muscle about L5/S1, m.
        abdominal: Relief by abdominal pressure; no relief when None.
    """

    arm: float = 0.05
    abdominal: AbdominalPressure | None = None

    def __post_init__(self) -> None:
        low, high = MUSCLE_ARMS
        check_range("muscle arm", self.arm, low=low, high=high, unit="m")

    def balance(self, moment: float) -> SpineForces:
        """Return the forces of the muscle and of the abdominal pressure."""
        table = load_low_back()
        sources = (table.reference, self._source_of_arm(), table.muscle_arm.note)
        if moment < 0:
            force, arm = -moment / table.flexor.arm, table.flexor.arm
            reason = f"{-moment:.4g} N·m backwards over {arm:g} m of the abdominal muscle"
            return SpineForces(force, force, 0.0, reason, (*sources, table.flexor.provenance))
        if self.abdominal is None:
            force = moment / self.arm
            return SpineForces(force, force, 0.0, f"{moment:.4g} N·m over {self.arm:g} m", sources)
        relief, arm = self.abdominal.force(moment), self.abdominal.arm
        force = max(0.0, moment - arm * relief) / self.arm
        reason = f"({moment:.4g} N·m - {arm:.3g} m of {relief:.4g} N) over {self.arm:g} m"
        return SpineForces(force, force, relief, reason, (*sources, table.abdominal.provenance))

    def _source_of_arm(self) -> str:
        alternatives = load_low_back().muscle_arm.alternatives
        known = [each.words for each in alternatives if each.arm == self.arm]
        return f"muscle arm {self.arm:g} m: {known[0] if known else 'as given'}"


@dataclass(frozen=True)
class TenMuscles:
    """Ten muscles by linear programming [Bean1986], for moments in the sagittal plane.

    The largest intensity (force over area) is minimised first, then the compression. Without
    lateral and axial moments the first step determines all forces: the muscles on the required side
    have equal intensity, the others are passive.
    """

    def balance(self, moment: float) -> SpineForces:
        """Return the sum of the forces of all muscles."""
        table = load_low_back().ten_muscles
        sign = 1 if moment >= 0 else -1
        pulling = [
            (2 * area * 1e-4, sign * arm / 100, math.cos(math.radians(line)))
            for area, arm, line in zip(
                table.area_cm2, table.sagittal_arm_cm, table.line_deg, strict=True
            )
            if sign * arm > 0
        ]
        intensity = abs(moment) / sum(area * arm * along for area, arm, along in pulling)  # Pa
        force = intensity * sum(area for area, _, _ in pulling)
        along = intensity * sum(area * along for area, _, along in pulling)
        reason = f"{abs(moment):.4g} N·m shared at {intensity / 1e4:.3g} N/cm²"
        return SpineForces(force, along, 0.0, reason, (table.provenance,))
