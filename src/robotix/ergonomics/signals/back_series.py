"""Compression and shear of L5/S1 along a motion, from the wrench through the joint.

The muscles balance the moment about the left-right axis of the pelvis, which is the torque of the
joint L5S1_flexion of the manikin. Weight and inertia of everything above are projected on the disc,
whose inclination follows from trunk and knees as in `sacral_angle`. The model has no muscles
against lateral bending and twisting; these moments are only reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.ergonomics.methods.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    load_low_back,
)
from robotix.ergonomics.methods.low_back import compression_levels, sacral_angles, shear_levels
from robotix.ergonomics.methods.verdict import ScoreArray, ScoreStep, Verdict, judge, levels_of
from robotix.ergonomics.signals.measured_angles import PostureAngles, sagittal_frames
from robotix.geometry import Array
from robotix.geometry.vectors import row_dots
from robotix.human.evaluation.joint_loads import JointLoads
from robotix.kinematics.batch import forward_batch

__all__ = ["BackSeries", "back_series"]

LUMBOSACRAL_JOINT = "L5S1_flexion"


@dataclass(frozen=True, eq=False)
class BackSeries:
    """Loads of the low back at every row; forces in N, moments in N m, each (N,)."""

    model: BackModel
    is_dynamic: bool
    angle: Array  # of the plane of the disc from the horizontal, rad
    moment: Array  # flexion moment, forward positive
    side_moment: Array  # lateral bending moment, absolute
    twist_moment: Array  # axial moment, absolute
    weight: Array  # force through the disc, absolute
    pressed: Array  # its component normal to the disc
    muscle_force: Array
    abdominal_force: Array
    compression: Array
    shear: Array  # component in the plane of the disc, absolute
    sources: tuple[str, ...]

    @cached_property
    def band(self) -> tuple[Array, Array]:
        """Lowest and highest compression over verified muscle arms and abdominal pressure.

        Compression falls as the arm grows and by relief, so the ends of both are enough.
        """
        arms = load_low_back().muscle_arm.verified
        ends = (SingleMuscle(max(arms), AbdominalPressure()), SingleMuscle(min(arms)))
        low, high = (self.pressed + _compressing(model, self.moment) for model in ends)
        return low, high

    @property
    def compression_level(self) -> ScoreArray:
        """Level at every row: 1 below the action limit, 2 above it, 3 above the maximum."""
        return levels_of(self.compression, compression_levels())

    @property
    def shear_level(self) -> ScoreArray:
        """Level at every row, 1 to 3."""
        return levels_of(self.shear, shear_levels())

    def compression_verdict(self, row: int) -> Verdict:
        """Return the verdict on the compression at a row."""
        return judge(float(self.compression[row]), compression_levels())

    def shear_verdict(self, row: int) -> Verdict:
        """Return the verdict on the shear at a row."""
        return judge(float(self.shear[row]), shear_levels())

    def steps(self, row: int) -> tuple[ScoreStep, ...]:
        """Return the steps of the calculation at a row."""
        found = self.model.balance(float(self.moment[row]))
        angle, weight = float(np.degrees(self.angle[row])), float(self.weight[row])
        how = "weight and inertia" if self.is_dynamic else "weight"
        return (
            ScoreStep(
                "moment, N m", float(self.moment[row]), f"{how} of all above L5/S1, with the load"
            ),
            ScoreStep("muscle force, N", found.muscle_force, found.reason),
            ScoreStep(
                "across the disc, N", float(self.pressed[row]), f"{weight:.4g} N at {angle:.3g}°"
            ),
            ScoreStep("abdominal force, N", found.abdominal_force, "taken off the compression"),
            ScoreStep("compression, N", float(self.compression[row]), "muscles and weight"),
            ScoreStep("shear, N", float(self.shear[row]), f"{weight:.4g} N along the disc"),
        )


def back_series(
    loads: JointLoads, angles: PostureAngles, *, model: BackModel | None = None
) -> BackSeries:
    """Return the loads of the low back along a motion; `angles` are of the same rows.

    Without a model, one muscle 5 cm behind the disc balances the moment.
    """
    model = SingleMuscle() if model is None else model
    passed = loads.transmitted(LUMBOSACRAL_JOINT)
    _, rotation = forward_batch(loads.manikin.model, loads.motion.q, point="pelvis")
    ahead, left, up = sagittal_frames(rotation)
    angle = sacral_angles(angles.trunk, knee=np.pi - angles.knee)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    normal, along = cos * up + sin * ahead, cos * ahead - sin * up
    moment = -row_dots(passed.moment, left)
    pressed = row_dots(passed.force, normal)
    muscles = [model.balance(m) for m in moment.tolist()]
    muscle_compression = np.array([b.muscle_compression for b in muscles])
    relief = np.array([b.abdominal_force for b in muscles])
    limits = load_low_back().limits
    return BackSeries(
        model=model,
        is_dynamic=loads.rates is not None,
        angle=angle,
        moment=moment,
        side_moment=abs(row_dots(passed.moment, along)),
        twist_moment=abs(row_dots(passed.moment, normal)),
        weight=np.linalg.norm(passed.force, axis=1),
        pressed=pressed,
        muscle_force=np.array([b.muscle_force for b in muscles]),
        abdominal_force=relief,
        compression=pressed + muscle_compression - relief,
        shear=np.hypot(row_dots(passed.force, along), row_dots(passed.force, left)),
        sources=(
            *muscles[0].sources,
            f"angle of the disc: {load_low_back().sacrum.provenance}",
            limits.compression_provenance,
            limits.shear_provenance,
        ),
    )


def _compressing(model: BackModel, moment: Array) -> Array:
    found = (model.balance(m) for m in moment.tolist())
    return np.array([balance.muscle_compression - balance.abdominal_force for balance in found])
