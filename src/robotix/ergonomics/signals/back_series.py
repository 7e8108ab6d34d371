"""Compression and shear of L5/S1 along a motion, from the wrench through the joint.

The muscles balance the moments about all three axes of a section of the trunk halfway between
pelvis and thorax, where the arms of the ten muscles were measured. Weight and inertia of everything
above are projected on the disc, whose inclination follows from trunk and knees as in
`sacral_angle`, or on the section of the trunk, as the model of the muscles demands; shear is that
in the plane of the disc, which is steeper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.ergonomics.methods.back.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    TenMuscles,
)
from robotix.ergonomics.methods.back.low_back import (
    band_verdict,
    compression_levels,
    sacral_angles,
    shear_levels,
)
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.verdict import ScoreArray, ScoreStep, Verdict, judge, levels_of
from robotix.ergonomics.signals.measured_angles import PostureAngles, sagittal_frames
from robotix.geometry import Array
from robotix.geometry.rotation import quaternions_from_rotations
from robotix.geometry.vectors import row_dots, unit_rows
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
    moment: Array  # about the left-right axis of the pelvis, forward positive
    moments: Array  # (N, 3): forward, to the right, twisting to the left, in the section
    weight: Array  # force through the disc, absolute
    across_disc: Array  # its component normal to the disc
    across_trunk: Array  # its component normal to the section of the trunk
    muscle_force: Array
    abdominal_force: Array
    compression: Array
    shear: Array  # in the plane of the disc, absolute
    sources: tuple[str, ...]

    @property
    def side_moment(self) -> Array:
        """Lateral bending moment, absolute, (N,), N m."""
        return np.asarray(abs(self.moments[:, 1]))

    @property
    def twist_moment(self) -> Array:
        """Axial moment, absolute, (N,), N m."""
        return np.asarray(abs(self.moments[:, 2]))

    @property
    def pressed(self) -> Array:
        """Weight and inertia across the section of the model, (N,), N."""
        return self.across_disc if self.model.section == "disc" else self.across_trunk

    @cached_property
    def band(self) -> tuple[Array, Array]:
        """Lowest and highest compression over the published models.

        These are ten muscles, and one muscle with verified arms, with and without abdominal
        pressure: compression falls as the arm grows and by relief, so the ends are enough.
        """
        arms = load_low_back().muscle_arm.verified
        models = (
            SingleMuscle(max(arms), AbdominalPressure()),
            SingleMuscle(min(arms)),
            TenMuscles(),
        )
        found = [self._compression_by(model) for model in models]
        return np.minimum.reduce(found), np.maximum.reduce(found)

    def _compression_by(self, model: BackModel) -> Array:
        forces = model.forces(self.moments)
        pressed = self.across_disc if model.section == "disc" else self.across_trunk
        return np.asarray(pressed + forces.compression - forces.abdominal_force)

    @property
    def compression_level(self) -> ScoreArray:
        """Level of the model at every row: 1 below the action limit, 2 above it, 3 the maximum."""
        return levels_of(self.compression, compression_levels())

    @property
    def shear_level(self) -> ScoreArray:
        """Level at every row, 1 to 3."""
        return levels_of(self.shear, shear_levels())

    def compression_verdict(self, row: int) -> Verdict:
        """Return the verdict on the compression at a row, by the band over the models."""
        low, high = self.band
        value = self.compression[row]  # of a model that may lie outside of the band
        return band_verdict(float(min(low[row], value)), float(max(high[row], value)))

    def shear_verdict(self, row: int) -> Verdict:
        """Return the verdict on the shear at a row."""
        return judge(float(self.shear[row]), shear_levels())

    def steps(self, row: int) -> tuple[ScoreStep, ...]:
        """Return the steps of the calculation at a row."""
        forward, side, twist = self.moments[row].tolist()
        found = self.model.balance(forward, side=side, twist=twist)
        weight = f"{self.weight[row]:.4g} N"
        how = "weight and inertia" if self.is_dynamic else "weight"
        plane = f"disc at {np.degrees(self.angle[row]):.3g}°"
        across = plane if self.model.section == "disc" else "section of the trunk"
        return (
            ScoreStep("moment, N m", forward, f"{how} of all above L5/S1, with the load"),
            ScoreStep("moment to a side, N m", abs(side), "likewise"),
            ScoreStep("twisting moment, N m", abs(twist), "likewise"),
            ScoreStep("muscle force, N", found.muscle_force, found.reason),
            ScoreStep("across, N", float(self.pressed[row]), f"{weight} on the {across}"),
            ScoreStep("abdominal force, N", found.abdominal_force, "taken off the compression"),
            ScoreStep("compression, N", float(self.compression[row]), "muscles and weight"),
            ScoreStep("shear, N", float(self.shear[row]), f"{weight} along the {plane}"),
        )


def back_series(
    loads: JointLoads, angles: PostureAngles, *, model: BackModel | None = None
) -> BackSeries:
    """Return the loads of the low back along a motion; `angles` are of the same rows.

    Without a model, ten muscles balance the moments: the model with muscles for all three axes.
    """
    model = TenMuscles() if model is None else model
    passed = loads.transmitted(LUMBOSACRAL_JOINT)
    kinematics, q = loads.manikin.model, loads.motion.q
    pelvis = forward_batch(kinematics, q, point="pelvis")[1]
    section = _halfway(pelvis, forward_batch(kinematics, q, point="thorax")[1])
    ahead, left, up = sagittal_frames(pelvis)
    angle = sacral_angles(angles.trunk, knee=np.pi - angles.knee)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    normal, along = cos * up + sin * ahead, cos * ahead - sin * up
    side, flexion, twist = -np.einsum("nij,ni->jn", section, passed.moment)
    moments = np.column_stack([flexion, side, twist])
    forces = model.forces(moments)
    across_disc = row_dots(passed.force, normal)
    across_trunk = row_dots(passed.force, section[:, :, 2])
    pressed = across_disc if model.section == "disc" else across_trunk
    limits = load_low_back().limits
    return BackSeries(
        model=model,
        is_dynamic=loads.rates is not None,
        angle=angle,
        moment=-row_dots(passed.moment, left),
        moments=moments,
        weight=np.linalg.norm(passed.force, axis=1),
        across_disc=across_disc,
        across_trunk=across_trunk,
        muscle_force=forces.muscle_force,
        abdominal_force=forces.abdominal_force,
        compression=pressed + forces.compression - forces.abdominal_force,
        shear=np.hypot(
            row_dots(passed.force, along) - forces.forward,
            row_dots(passed.force, left) - forces.left,
        ),
        sources=(
            *model.balance(0.0).sources,
            f"angle of the disc: {load_low_back().sacrum.provenance}",
            limits.compression_provenance,
            limits.shear_provenance,
        ),
    )


def _halfway(start: Array, end: Array) -> Array:
    """Return the rotations halfway between two, each (N, 3, 3)."""
    half = quaternions_from_rotations(np.swapaxes(start, 1, 2) @ end)
    half[:, 0] += 1.0  # towards no rotation, which is (1, 0, 0, 0)
    half = unit_rows(half)
    w, (x, y, z) = half[:, 0, None, None], half[:, 1:].T
    none = np.zeros_like(x)
    skew = np.moveaxis(np.array([[none, -z, y], [z, none, -x], [-y, x, none]]), 2, 0)
    return np.asarray(start @ (np.eye(3) + 2 * w * skew + 2 * skew @ skew))
