"""Models of the trunk muscles that balance the moments at L5/S1.

A model maps the moment of all forces above the disc to the muscle forces: one equivalent muscle
[Chaffin1999], optionally relieved by abdominal pressure [Morris1961], or ten muscles in three
dimensions [Bean1986]. Constants and their sources: `data/low_back.toml`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np

from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.back.trunk_muscles import load_trunk_muscles
from robotix.ergonomics.methods.checks import check_angle, check_range
from robotix.geometry import Array

__all__ = [
    "AbdominalPressure",
    "BackModel",
    "BackSection",
    "MuscleForces",
    "SingleMuscle",
    "SpineForces",
    "TenMuscles",
]

MUSCLE_ARMS = (0.01, 0.2)  # m; values outside are probably in centimetres
MAX_LINE = 30.0  # degrees between a muscle and the normal of the disc
OBLIQUES = (3, 4)  # rows of the table of muscles

# The plane on whose normal weights are projected: that of the disc, or a section of the trunk.
BackSection: TypeAlias = Literal["disc", "trunk"]


@dataclass(frozen=True, eq=False)
class MuscleForces:
    """Forces of the trunk muscles for N moments, in N."""

    muscle_force: Array  # (N,), sum over all muscles
    compression: Array  # (N,), their component along the trunk
    forward: Array  # (N,), forward component of their pull on the upper body
    left: Array  # (N,), likewise to the left
    abdominal_force: Array  # (N,), of abdominal pressure; relieves the disc


@dataclass(frozen=True)
class SpineForces:
    """Forces that balance one moment at L5/S1, N."""

    muscle_force: float  # sum over all muscles
    muscle_compression: float  # its component along the axis of the trunk
    muscle_forward: float  # forward component of the pull on the upper body
    muscle_left: float  # likewise to the left
    abdominal_force: float  # of abdominal pressure; relieves the disc
    reason: str
    sources: tuple[str, ...]


class BackModel(Protocol):
    """A model of the forces that balance a moment.

    Moments have three components, N m: bending the trunk forward (backwards negative), to the
    right, and twisting it to the left, as the coordinates of the manikin.
    """

    @property
    def section(self) -> BackSection:
        """The plane across which compression is computed."""
        ...

    def forces(self, moments: Array) -> MuscleForces:
        """Return the forces for moments (N, 3), N m."""
        ...

    def balance(self, moment: float, *, side: float = 0.0, twist: float = 0.0) -> SpineForces:
        """Return the forces for one moment with reason and sources."""
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
        return float(self.forces(np.array([moment]))[0])

    def forces(self, moments: Array) -> Array:
        """Return the forces for flexion moments (N,), N."""
        table = load_low_back().abdominal
        slope = max(0.0, table.constant - table.per_degree * math.degrees(self.hip_angle))
        pressure = table.factor * slope * np.maximum(0.0, moments) ** table.power  # mmHg
        return np.asarray(pressure * table.pascal_per_mmhg * table.area)

    @property
    def arm(self) -> float:
        """Moment arm of the force about L5/S1, m."""
        table = load_low_back().abdominal
        return table.arm_constant + table.arm_sine * math.sin(self.hip_angle)


@dataclass(frozen=True)
class SingleMuscle:
    """One equivalent muscle behind the spine [Chaffin1969].

    The published model is sagittal. So that turning or leaning to a side never looks easier, the
    muscle balances a bending moment to the side with the same arm; an extension moment is balanced
    by the rectus abdominis, a twisting moment by the oblique muscles.

    Args:
        arm: Moment arm of the muscle about L5/S1, m.
        abdominal: Relief by abdominal pressure; no relief when None.
        line: Angle by which the muscle is inclined backwards from the normal of the disc, rad.
    """

    arm: float = 0.05
    abdominal: AbdominalPressure | None = None
    line: float = 0.0

    def __post_init__(self) -> None:
        low, high = MUSCLE_ARMS
        check_range("muscle arm", self.arm, low=low, high=high, unit="m")
        check_angle("line of the muscle", self.line, low=-MAX_LINE, high=MAX_LINE)

    @property
    def section(self) -> BackSection:
        """The plane of the disc."""
        return "disc"

    def forces(self, moments: Array) -> MuscleForces:
        """Return the forces of the muscles and of the abdominal pressure."""
        flexion, side, twist = np.asarray(moments, dtype=float).T
        relief = np.zeros_like(flexion)
        forward = np.maximum(0.0, flexion)
        if self.abdominal is not None:
            relief = self.abdominal.forces(flexion)
            forward = np.maximum(0.0, forward - self.abdominal.arm * relief)
        backward = np.maximum(0.0, -flexion) / load_low_back().flexor.arm
        muscle = np.hypot(np.hypot(forward, side) / self.arm, backward)
        oblique, pressing = _oblique_forces(twist)
        return MuscleForces(
            muscle + oblique,
            muscle * math.cos(self.line) + pressing,
            -muscle * math.sin(self.line),
            np.zeros_like(flexion),
            relief,
        )

    def balance(self, moment: float, *, side: float = 0.0, twist: float = 0.0) -> SpineForces:
        """Return the forces for one moment with reason and sources."""
        table = load_low_back()
        sources = [table.reference, self._source_of_arm(), table.muscle_arm.note]
        words = f"{moment:.4g} N·m"
        if self.abdominal is not None and moment >= 0:
            relief = self.abdominal.force(moment)
            words = f"({words} - {self.abdominal.arm:.3g} m of {relief:.4g} N)"
            sources.append(table.abdominal.provenance)
        reason = f"{words} over {self.arm:g} m"
        if moment < 0:
            arm = table.flexor.arm
            reason = f"{-moment:.4g} N·m backwards over {arm:g} m of the abdominal muscle"
            sources.append(table.flexor.provenance)
        if side:
            reason += f", with {abs(side):.4g} N·m to a side over {self.arm:g} m"
        if twist:
            reason += f", {abs(twist):.4g} N·m of twist by the oblique muscles"
            sources.append(table.ten_muscles.provenance)
        return _spine_forces(self, (moment, side, twist), reason, sources)

    def _source_of_arm(self) -> str:
        alternatives = load_low_back().muscle_arm.alternatives
        known = [each.words for each in alternatives if each.arm == self.arm]
        return f"muscle arm {self.arm:g} m: {known[0] if known else 'as given'}"


@dataclass(frozen=True)
class TenMuscles:
    """Ten muscles in three dimensions by linear programming [Bean1986].

    Erector spinae, latissimus dorsi, rectus abdominis, internal and external oblique of both sides
    cross a section of the trunk [Schultz1981] and balance bending in any direction and twist. The
    largest intensity (force over area) is minimised first, then the compression. Ligaments,
    co-contraction and abdominal pressure are left out.
    """

    @property
    def section(self) -> BackSection:
        """A section of the trunk, for which the arms were measured."""
        return "trunk"

    def forces(self, moments: Array) -> MuscleForces:
        """Return the forces of all muscles together."""
        muscles = load_trunk_muscles()
        flexion, side, twist = np.asarray(moments, dtype=float).T
        resisting = -np.column_stack([side, flexion, twist])
        forces = muscles.shared(resisting)
        pull = forces @ muscles.directions
        none = np.zeros(len(forces))
        return MuscleForces(forces.sum(axis=1), -pull[:, 2], pull[:, 0], pull[:, 1], none)

    def balance(self, moment: float, *, side: float = 0.0, twist: float = 0.0) -> SpineForces:
        """Return the sum of the forces of all muscles, and which of them pull most."""
        muscles = load_trunk_muscles()
        forces = muscles.shared(-np.array([[side, moment, twist]]))[0]
        highest = float((forces / muscles.areas).max()) / 1e4
        most = [k for k in np.argsort(-forces)[:3] if forces[k] > 0.0]
        words = ", ".join(f"{muscles.names[k]} {forces[k]:.0f} N" for k in most)
        reason = (
            f"{moment:.4g} N·m forward, {round(abs(side), 3):.4g} to a side, "
            f"{round(abs(twist), 3):.4g} of twist, "
            f"shared at {highest:.3g} N/cm²: {words or 'none'}"
        )
        sources = [load_low_back().ten_muscles.provenance]
        return _spine_forces(self, (moment, side, twist), reason, sources)


def _oblique_forces(twist: Array) -> tuple[Array, Array]:
    """Return force and compression of one internal and one external oblique against a twist, N."""
    table = load_low_back().ten_muscles
    arm = table.coronal_arm_cm[OBLIQUES[0]] / 100
    line = math.radians(table.line_deg[OBLIQUES[0]])
    force = abs(twist) / (arm * math.sin(line))
    return force, force * math.cos(line)


def _spine_forces(
    model: BackModel, moment: tuple[float, float, float], reason: str, sources: list[str]
) -> SpineForces:
    found = model.forces(np.array([moment]))
    return SpineForces(
        float(found.muscle_force[0]),
        float(found.compression[0]),
        float(found.forward[0]),
        float(found.left[0]),
        float(found.abdominal_force[0]),
        reason,
        tuple(sources),
    )
