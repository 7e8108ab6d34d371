"""Joint torques of a person, and the contact forces that support the body.

Statics by kineto-statics duality (tau = -J^T f), or inverse dynamics along a motion. Floor, seat
and handholds provide the wrench that the six virtual joints of the floating root must not transmit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics import (
    MotionRates,
    PointWrench,
    Reaction,
    Support,
    TransmittedWrench,
    inverse_dynamics,
    joined_reaction,
    motion_rates,
    point_accelerations,
    resisting_efforts,
    solve_reactions,
    static_efforts,
    transmitted_wrench,
)
from robotix.dynamics.motion_rates import SMOOTHING_WINDOW
from robotix.dynamics.reactions import BALANCE_TOLERANCE
from robotix.dynamics.supports import Flags
from robotix.geometry import Array, Capsule
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import Contact, ContactPhase
from robotix.human.motion.loads import HandForce, Load, LoadPhase
from robotix.kinematics import Posture
from robotix.motion import Motion, model_dofs

__all__ = [
    "CarriedLoad",
    "JointLoads",
    "SupportingContact",
    "hand_wrench",
    "joint_loads",
    "support_of",
]

SupportingContact: TypeAlias = Contact | ContactPhase | Support
CarriedLoad: TypeAlias = Load | LoadPhase | HandForce | PointWrench

# Assumed: dry floor and shoes with rubber soles; cloth on a seat.
SOLE_FRICTION, SEAT_FRICTION = 0.6, 0.4
# Assumed: a seat carries more than a foot, and hands carry what the feet leave over.
SEAT_WEIGHT, HAND_WEIGHT = 0.25, 10.0
TIME_TOLERANCE = 1e-9  # s; times that differ by less are equal


@dataclass(frozen=True, eq=False)
class JointLoads:
    """Joint torques of a person over time, and the reactions of all contacts."""

    manikin: Manikin
    times: Array  # (N,), s
    tau: Array  # (N, 39), N m: muscle torque, positive along the coordinate
    reactions: Mapping[str, Reaction]  # by contact: `right_foot`, `seat`, `left_hand`, …
    residual: Array  # (N, 6), on the virtual joints of the root: force in N, torque in N m
    motion: Motion
    rates: MotionRates | None  # velocities and accelerations; None in statics
    wrenches: tuple[PointWrench, ...]  # external wrenches except gravity: loads, then supports
    free: Array  # (N, 39), N m: torques if nothing supported the body
    supports: tuple[Support, ...]

    def torque(self, joint: str) -> Array:
        """Torque of one joint over time, (N,), in N m."""
        return np.asarray(self.tau[:, self.manikin.model.dof_index(joint)])

    def transmitted(self, joint: str) -> TransmittedWrench:
        """Return the wrench through a joint: what the side of the pelvis exerts on the far side."""
        rates = self.rates
        return transmitted_wrench(
            self.manikin.model,
            self.motion.q,
            joint=joint,
            dq=None if rates is None else rates.dq,
            ddq=None if rates is None else rates.ddq,
            wrenches=self.wrenches,
        )

    @property
    def is_balanced(self) -> Flags:
        """Whether feasible contact forces balance the body at each row, (N,)."""
        return np.asarray(abs(self.residual).max(axis=1) < BALANCE_TOLERANCE)

    @property
    def total_force(self) -> Array:
        """The sum of all reactions, (N, 3), in N."""
        forces = (reaction.force for reaction in self.reactions.values())
        return np.asarray(sum(forces, np.zeros((len(self.times), 3))))

    def ground(self) -> Reaction:
        """Return the reaction of the floor on heels, soles and toes; its centre is the CoP."""
        parts = ("heel", "foot", "toes")
        names = [f"{side}_{part}" for side in SIDES for part in parts]
        return joined_reaction("ground", [self.reactions[n] for n in names if n in self.reactions])


def joint_loads(
    manikin: Manikin,
    motion: Motion | Posture,
    *,
    contacts: Sequence[SupportingContact],
    loads: Sequence[CarriedLoad] = (),
    dynamic: bool = False,
    window: float = SMOOTHING_WINDOW,
    acceleration_scale: ArrayLike = 1.0,
) -> JointLoads:
    """Return the joint torques and contact forces in one posture, or at every row of a motion.

    Args:
        manikin: The body.
        motion: A motion of the manikin, or one posture.
        contacts: Contacts act at all rows, phases only within their time.
        loads: Masses in the hands; a `PointWrench` is any other force, such as a push.
        dynamic: Include the inertia of body and loads.
        window: Time over which velocities and accelerations are fitted, s.
        acceleration_scale: Factor of the accelerations, one number or (N,); velocities scale with
            its square root. A factor of 1/4 is the same motion in twice the time.
    """
    rows = _motion_of(manikin, motion)
    if dynamic and isinstance(motion, Posture):
        raise ValueError("one posture does not move; give a Motion, or leave out `dynamic`")
    rates = _rates(manikin, rows, window=window, scale=acceleration_scale) if dynamic else None
    carried = [w for load in loads for w in _wrenches_of(manikin, load, rows, rates)]
    tau = _torques(manikin, rows, rates, carried)
    supports = [_timed_support(manikin, contact, rows.times) for contact in contacts]
    found = solve_reactions(manikin.model, rows.q, supports=supports, tau=tau)
    pairs = zip(supports, found.parts, strict=True)
    wrenches = (*carried, *(w for support, part in pairs for w in _wrenches_at(support, part)))
    parts = _by_name(found.parts)
    return JointLoads(
        manikin, rows.times, found.tau, parts, found.residual, rows, rates, wrenches, tau,
        tuple(supports),
    )  # fmt: skip


def _rates(manikin: Manikin, rows: Motion, *, window: float, scale: ArrayLike) -> MotionRates:
    full = motion_rates(manikin.model, rows, window=window)
    factor = np.broadcast_to(scale, len(rows.times))[:, None]
    return MotionRates(np.sqrt(factor) * full.dq, factor * full.ddq)


def _torques(
    manikin: Manikin, rows: Motion, rates: MotionRates | None, wrenches: Sequence[PointWrench]
) -> Array:
    """Return the torques for weight, inertia and wrenches, before any contact, (N, 39)."""
    model = manikin.model
    if rates is None:
        tau = static_efforts(model, rows.q)
    else:
        tau = inverse_dynamics(model, rows.q, dq=rates.dq, ddq=rates.ddq)
    if wrenches:
        tau = tau + resisting_efforts(model, rows.q, wrenches=wrenches)
    return tau


def support_of(manikin: Manikin, contact: Contact) -> Support:
    """Return the force model of a contact: friction cone of a sole, round seat, gripping hand.

    Normals point up. For other contacts modify the result and pass the support as a contact.
    """
    if contact.name == "seat":
        solid = manikin.model.body("pelvis").collision[0]
        radius = solid.radius if isinstance(solid, Capsule) else 0.0
        return Support(
            contact.name,
            contact.points,
            friction=SEAT_FRICTION,
            weight=SEAT_WEIGHT,
            radius=radius,
        )
    if contact.name.endswith("_hand"):
        return Support(contact.name, contact.points, grips=True, weight=HAND_WEIGHT)
    return Support(contact.name, contact.points, friction=SOLE_FRICTION)


def _motion_of(manikin: Manikin, motion: Motion | Posture) -> Motion:
    """Return a motion of this manikin; a posture becomes a motion of one row."""
    if isinstance(motion, Posture):
        motion = Motion(model_dofs(motion.model), np.zeros(1), motion.q[None])
    motion.check_model(manikin.model)
    return motion


def _timed_support(manikin: Manikin, contact: SupportingContact, times: Array) -> Support:
    if isinstance(contact, Support):
        return contact
    if isinstance(contact, Contact):
        return support_of(manikin, contact)
    return replace(support_of(manikin, contact.contact), when=_during(contact, times))


def _during(phase: ContactPhase | LoadPhase, times: Array) -> Flags:
    return np.asarray(
        (phase.start - TIME_TOLERANCE <= times) & (times <= phase.end + TIME_TOLERANCE)
    )


def _wrenches_of(
    manikin: Manikin, load: CarriedLoad, rows: Motion, rates: MotionRates | None
) -> list[PointWrench]:
    """Return the wrenches of a load on the hands: its weight and its inertia."""
    if isinstance(load, PointWrench):
        return [load]
    if isinstance(load, HandForce):
        return [hand_wrench(load, rows.times)]
    thing = load.load if isinstance(load, LoadPhase) else load
    if not 0 <= thing.mass < np.inf or not thing.hands:
        raise ValueError(
            f"load {thing.name!r} needs a mass of 0 kg or more, got {thing.mass}, "
            f"and a hand that carries it, got {thing.hands}"
        )
    points = [f"{side}_hand" for side in thing.hands]
    pull = np.tile(manikin.model.gravity, (len(rows.times), len(points), 1))
    if rates is not None:
        pull -= point_accelerations(
            manikin.model, rows.q, dq=rates.dq, ddq=rates.ddq, points=points
        )
    pull *= thing.mass / len(points)
    if isinstance(load, LoadPhase):
        pull *= _during(load, rows.times)[:, None, None]
    still = np.zeros_like(pull[:, 0])
    return [PointWrench(p, np.hstack([pull[:, k], still])) for k, p in enumerate(points)]


def hand_wrench(force: HandForce, times: Array) -> PointWrench:
    """Return a force on a hand at some times as a wrench."""
    forces = force.at(times)
    return PointWrench(f"{force.side}_hand", np.hstack([forces, np.zeros_like(forces)]))


def _wrenches_at(support: Support, part: Reaction) -> list[PointWrench]:
    """Return the wrenches of a support at its contact points."""
    arm = -support.radius * np.asarray(support.normal)
    torques = np.cross(arm, part.forces)
    return [
        PointWrench(point, np.hstack([part.forces[:, k], torques[:, k]]))
        for k, point in enumerate(support.points)
    ]


def _by_name(parts: Iterable[Reaction]) -> dict[str, Reaction]:
    """Return reactions by the name of their contact; phases of one contact are joined."""
    named: dict[str, list[Reaction]] = {}
    for part in parts:
        named.setdefault(part.name, []).append(part)
    return {name: joined_reaction(name, same) for name, same in named.items()}
