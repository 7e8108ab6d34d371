"""Support of a person and loads in the hands, at every row of a performance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.dynamics import PointWrench
from robotix.dynamics.supports import Flags
from robotix.ergonomics.methods.posture.owas import Stance
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.evaluation.joint_loads import TIME_TOLERANCE, JointLoads
from robotix.human.motion.contacts import ContactPhase
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.performance import Performance

__all__ = ["Circumstances", "circumstances_of", "phase_rows"]

GRAVITY = 9.81  # m/s²
MIN_EVEN_FRACTION = 0.25  # of the weight on the feet; less on one foot counts as uneven
MAX_WALK_PAUSE = 1.0  # s on both feet that do not end a walk; longer ones do
ARM_BODIES = ("upper_arm", "forearm", "hand_segment")


@dataclass(frozen=True, eq=False)
class Circumstances:
    """Support and loads at every row, each (N,)."""

    is_sitting: Flags
    is_kneeling: Flags
    is_walking: Flags
    stands_on: Mapping[Side, Flags]
    is_even: Flags  # both feet loaded evenly, or sitting with both feet on the floor
    is_arm_supported: Mapping[Side, Flags]  # the hand rests on or holds on to something
    held: Mapping[Side, Array]  # kg, in this hand
    load: Array  # kg, in both hands together

    def stance(self, row: int) -> Stance:
        """Return the stance at a row, in the terms of OWAS."""
        if self.is_sitting[row]:
            return "sitting"
        if self.is_kneeling[row]:
            return "kneeling"
        if self.is_walking[row]:
            return "walking"
        right, left = self.stands_on["right"][row], self.stands_on["left"][row]
        if right == left:
            return "both"
        return "right" if right else "left"


def circumstances_of(
    performance: Performance, loads: JointLoads, *, forces: Sequence[PointWrench] = ()
) -> Circumstances:
    """Return support and loads of a performance; `loads` are of the same motion."""
    times = performance.motion.times
    touching = _touching(performance.contacts, times)
    none = np.zeros(len(times), dtype=bool)
    feet = {
        side: touching.get(f"{side}_foot", none) | touching.get(f"{side}_toes", none)
        for side in SIDES
    }
    sits = touching.get("seat", none)
    fractions = _foot_fractions(loads)
    both = feet["right"] & feet["left"]
    held = _held(performance.loads, times, forces)
    return Circumstances(
        is_sitting=sits,
        is_kneeling=touching.get("right_knee", none) | touching.get("left_knee", none),
        is_walking=_walking(feet, sits, times),
        stands_on=feet,
        is_even=both & (sits | (fractions.min(axis=0) >= MIN_EVEN_FRACTION)),
        is_arm_supported={side: _is_arm_supported(loads, side) for side in SIDES},
        held=held,
        load=_load(performance.loads, times, forces),
    )


def _touching(phases: Sequence[ContactPhase], times: Array) -> dict[str, Flags]:
    found: dict[str, Flags] = {}
    for phase in phases:
        name = phase.contact.name
        found[name] = found.get(name, np.zeros(len(times), dtype=bool)) | phase_rows(phase, times)
    return found


def phase_rows(phase: ContactPhase | LoadPhase, times: Array) -> Flags:
    """Return which times belong to a phase, both ends included."""
    return np.asarray(
        (phase.start - TIME_TOLERANCE <= times) & (times <= phase.end + TIME_TOLERANCE)
    )


def _foot_fractions(loads: JointLoads) -> Array:
    """Return the fraction of the weight on the right and the left foot, (2, N)."""
    forces_on_feet = np.zeros((2, len(loads.times)))
    for k, side in enumerate(SIDES):
        for part in ("foot", "toes"):
            if (reaction := loads.reactions.get(f"{side}_{part}")) is not None:
                forces_on_feet[k] += reaction.force[:, 2]
    whole = forces_on_feet.sum(axis=0)
    return np.asarray(
        np.divide(forces_on_feet, whole, out=np.zeros_like(forces_on_feet), where=whole > 1e-6)
    )


def _is_arm_supported(loads: JointLoads, side: Side) -> Flags:
    """Return whether the contact of a hand supports at least the weight of the arm."""
    reaction = loads.reactions.get(f"{side}_hand")
    if reaction is None:
        return np.zeros(len(loads.times), dtype=bool)
    weight = GRAVITY * sum(loads.manikin.model.body(f"{side}_{part}").mass for part in ARM_BODIES)
    return np.asarray(reaction.force[:, 2] >= weight)


def _walking(feet: Mapping[Side, Flags], sits: Flags, times: Array) -> Flags:
    """Return where two or more steps follow each other with short double support."""
    single = (feet["right"] ^ feet["left"]) & ~sits
    walks = np.zeros(len(times), dtype=bool)
    chains: list[list[slice]] = []
    for step in _runs(single):
        if chains and times[step.start] - times[chains[-1][-1].stop - 1] <= MAX_WALK_PAUSE:
            chains[-1].append(step)
        else:
            chains.append([step])
    for chain in chains:
        if len(chain) > 1:
            walks[chain[0].start : chain[-1].stop] = True
    return walks


def _runs(flags: Flags) -> list[slice]:
    """Return the runs of rows where a flag is set."""
    edges = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _held(
    phases: Sequence[LoadPhase], times: Array, forces: Sequence[PointWrench]
) -> dict[Side, Array]:
    """Return the load of each hand, kg; the methods do not divide a load between two hands."""
    held = {side: _force_masses(forces, [side], len(times)) for side in SIDES}
    for phase in phases:
        for side in phase.load.hands:
            held[side] = held[side] + phase.load.mass * phase_rows(phase, times)
    return held


def _load(phases: Sequence[LoadPhase], times: Array, forces: Sequence[PointWrench]) -> Array:
    masses = (phase.load.mass * phase_rows(phase, times) for phase in phases)
    return np.asarray(sum(masses, _force_masses(forces, list(SIDES), len(times))))


def _force_masses(forces: Sequence[PointWrench], sides: Sequence[Side], count: int) -> Array:
    """Return forces at the hands as equivalent masses, force over g, (count,), kg."""
    points = [f"{side}_hand" for side in sides]
    sizes = [np.linalg.norm(f.wrench[..., :3], axis=-1) for f in forces if f.point in points]
    return np.asarray(sum(sizes, np.zeros(count))) / GRAVITY
