"""What physics says of a performance: zero-moment point, contact forces, accelerations, overlap.

The motion counts, not only its postures: the zero-moment point, which is the centre of pressure of
a possible motion, must lie inside the support polygon, feasible contact forces must exist, joints
must not accelerate beyond their limits, and the body must not pass through itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.human.evaluation.joint_loads import JointLoads, joint_loads
from robotix.human.evaluation.self_overlap import deepest_self_overlap
from robotix.human.evaluation.stepping import step_figures
from robotix.human.motion.performance import Performance
from robotix.human.motion.zero_moment import zmp_margins

__all__ = ["DynamicReport", "measure_dynamics"]

MAX_OUTSIDE = 0.01  # fraction of the time; contact changes last an instant
ZMP_TOLERANCE = 1e-3  # m
MAX_SELF_PENETRATION = 0.005  # m
SELF_RATE = 20.0  # Hz, at which the body is compared with itself


@dataclass(frozen=True)
class DynamicReport:
    """Dynamic figures of a performance."""

    task: str
    body: str
    cop_margin: float  # m, smallest, of the centre of pressure inside the support polygon
    zmp_outside: float  # fraction of the time on feet, toes and seat with it outside
    infeasible: float  # fraction of the time without feasible contact forces
    acceleration: float  # rad/s² or m/s², where it exceeds its limit most
    acceleration_ratio: float  # over the limit of the joint
    acceleration_joint: str
    self_penetration: float  # m, deepest overlap of the body with itself
    self_pair: str
    speed: float | None  # m/s, of the fastest stride; None without strides
    sway: float | None  # m, of the centre of mass from side to side in a stride
    inertial_problems: tuple[str, ...]  # of balance, contact forces and accelerations
    overlaps: tuple[str, ...]  # of the body with itself

    @property
    def problems(self) -> tuple[str, ...]:
        """All that a person could not do."""
        return (*self.inertial_problems, *self.overlaps)

    @property
    def is_feasible(self) -> bool:
        """Whether a person could move like this."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, for JSON."""
        found = asdict(self)
        del found["inertial_problems"], found["overlaps"]
        return {**found, "problems": self.problems, "is_feasible": self.is_feasible}


def measure_dynamics(performance: Performance) -> DynamicReport:
    """Measure a performance with its inertia."""
    loads = joint_loads(
        performance.manikin,
        performance.motion,
        contacts=performance.contacts,
        loads=[*performance.loads, *performance.hand_forces],
        dynamic=True,
    )
    margins = zmp_margins(performance, loads.rates)
    on_floor = margins[np.isfinite(margins)]
    margin = float(on_floor.min(initial=np.inf))
    outside = float(np.mean(on_floor < -ZMP_TOLERANCE)) if len(on_floor) else 0.0
    infeasible = float(np.mean(~loads.is_balanced))
    value, ratio, joint = _worst_acceleration(loads)
    depth, pair = deepest_self_overlap(performance.manikin, _sampled(performance))
    steps = step_figures(performance)
    faults = {
        f"the zero-moment point is outside in {100 * outside:.1f} % of the time, by up to "
        f"{-100 * margin:.1f} cm": outside > MAX_OUTSIDE,
        f"no contact forces exist in {100 * infeasible:.1f} % of the time": infeasible
        > MAX_OUTSIDE,
        f"{joint} accelerates with {ratio:.2f} times its limit": ratio > 1.0,
    }
    return DynamicReport(
        performance.task,
        performance.manikin.anthropometry.label,
        margin,
        outside,
        infeasible,
        value,
        ratio,
        joint,
        depth,
        pair,
        steps.speed,
        steps.sway,
        tuple(text for text, is_so in faults.items() if is_so),
        (f"{pair} overlap by {1000 * depth:.0f} mm",) if depth > MAX_SELF_PENETRATION else (),
    )


def _worst_acceleration(loads: JointLoads) -> tuple[float, float, str]:
    """Return the acceleration that exceeds its limit most, the ratio, and the coordinate."""
    model = loads.manikin.model
    assert loads.rates is not None
    ratios = abs(loads.rates.ddq) / model.acceleration
    row, dof = np.unravel_index(int(np.argmax(ratios)), ratios.shape)
    value = float(abs(loads.rates.ddq[row, dof]))
    return value, float(ratios[row, dof]), model.dof_names[int(dof)]


def _sampled(performance: Performance) -> Array:
    """Return the postures in which the body is compared with itself."""
    motion = performance.motion
    spacing = float(np.median(np.diff(motion.times))) if len(motion.times) > 1 else 1.0
    return motion.q[:: max(round(1 / (SELF_RATE * spacing)), 1)]
