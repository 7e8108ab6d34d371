"""What bears a person and what the hands hold, at every instant of a performance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.dynamics import PointWrench
from robotix.dynamics.supports import Flags
from robotix.ergonomics.methods.owas import Stance
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.evaluation.joint_loads import AT_ONCE, JointLoads
from robotix.human.motion.contacts import ContactPhase
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.performance import Performance

__all__ = ["Circumstances", "circumstances_of", "phase_rows"]

GRAVITY = 9.81  # m/s²
EVEN = 0.25  # of the weight on the feet: less on one of them is uneven
PAUSE = 1.0  # s on both feet that do not end a walk
ARM = ("upper_arm", "forearm", "hand_segment")


@dataclass(frozen=True, eq=False)
class Circumstances:
    """What is true at every row, each (N,)."""

    sits: Flags
    walks: Flags
    stands_on: Mapping[Side, Flags]
    is_even: Flags  # both feet bear, each its part; or the person sits with both on the floor
    arm_rests: Mapping[Side, Flags]  # the hand is borne by what it rests on or holds on to
    held: Mapping[Side, Array]  # kg, of all that this hand holds
    load: Array  # kg, in both hands together

    def stance(self, row: int) -> Stance:
        """Return how the legs bear at a row, in the words of OWAS."""
        if self.sits[row]:
            return "sitting"
        if self.walks[row]:
            return "walking"
        right, left = self.stands_on["right"][row], self.stands_on["left"][row]
        if right == left:
            return "both"
        return "right" if right else "left"


def circumstances_of(
    performance: Performance, loads: JointLoads, *, forces: Sequence[PointWrench] = ()
) -> Circumstances:
    """Find out what bears and what is held; `loads` are those of the same motion."""
    times = performance.motion.times
    touching = _touching(performance.contacts, times)
    none = np.zeros(len(times), dtype=bool)
    feet = {
        side: touching.get(f"{side}_foot", none) | touching.get(f"{side}_toes", none)
        for side in SIDES
    }
    sits = touching.get("seat", none)
    shares = _foot_shares(loads)
    both = feet["right"] & feet["left"]
    held = _held(performance.loads, times, forces)
    return Circumstances(
        sits=sits,
        walks=_walking(feet, sits, times),
        stands_on=feet,
        is_even=both & (sits | (shares.min(axis=0) >= EVEN)),
        arm_rests={side: _rests(loads, side) for side in SIDES},
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
    """Tell which instants belong to a phase, both its ends included."""
    return np.asarray((phase.start - AT_ONCE <= times) & (times <= phase.end + AT_ONCE))


def _foot_shares(loads: JointLoads) -> Array:
    """Return what part of the weight on the feet each one bears, right and left, (2, N)."""
    borne = np.zeros((2, len(loads.times)))
    for k, side in enumerate(SIDES):
        for part in ("foot", "toes"):
            if (reaction := loads.reactions.get(f"{side}_{part}")) is not None:
                borne[k] += reaction.force[:, 2]
    whole = borne.sum(axis=0)
    return np.asarray(np.divide(borne, whole, out=np.zeros_like(borne), where=whole > 1e-6))


def _rests(loads: JointLoads, side: Side) -> Flags:
    """Tell whether what the hand touches bears at least the weight of the arm."""
    reaction = loads.reactions.get(f"{side}_hand")
    if reaction is None:
        return np.zeros(len(loads.times), dtype=bool)
    weight = GRAVITY * sum(loads.manikin.model.body(f"{side}_{part}").mass for part in ARM)
    return np.asarray(reaction.force[:, 2] >= weight)


def _walking(feet: Mapping[Side, Flags], sits: Flags, times: Array) -> Flags:
    """Tell where steps follow each other: two or more, on both feet for a moment only between."""
    single = (feet["right"] ^ feet["left"]) & ~sits
    walks = np.zeros(len(times), dtype=bool)
    chains: list[list[slice]] = []
    for step in _runs(single):
        if chains and times[step.start] - times[chains[-1][-1].stop - 1] <= PAUSE:
            chains[-1].append(step)
        else:
            chains.append([step])
    for chain in chains:
        if len(chain) > 1:
            walks[chain[0].start : chain[-1].stop] = True
    return walks


def _runs(flags: Flags) -> list[slice]:
    """Return the stretches of rows where a flag is set."""
    edges = np.flatnonzero(np.diff(np.r_[False, flags, False]))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _held(
    phases: Sequence[LoadPhase], times: Array, forces: Sequence[PointWrench]
) -> dict[Side, Array]:
    """Return what each hand holds; the methods do not split a load over two hands."""
    held = {side: _pushes(forces, [side], len(times)) for side in SIDES}
    for phase in phases:
        for side in phase.load.hands:
            held[side] = held[side] + phase.load.mass * phase_rows(phase, times)
    return held


def _load(phases: Sequence[LoadPhase], times: Array, forces: Sequence[PointWrench]) -> Array:
    masses = (phase.load.mass * phase_rows(phase, times) for phase in phases)
    return np.asarray(sum(masses, _pushes(forces, list(SIDES), len(times))))


def _pushes(forces: Sequence[PointWrench], sides: Sequence[Side], count: int) -> Array:
    """Return the forces at hands as the masses that weigh as much, (count,)."""
    points = [f"{side}_hand" for side in sides]
    sizes = [np.linalg.norm(f.wrench[..., :3], axis=-1) for f in forces if f.point in points]
    return np.asarray(sum(sizes, np.zeros(count))) / GRAVITY
