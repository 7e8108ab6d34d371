"""Which joint carries what: a person's joint torques and the forces that bear them.

Statics by kineto-statics duality, or inverse dynamics along a motion. Either way floor, seat and
what the hands hold on to give exactly what the six virtual joints of the root must not.
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
from robotix.human.motion.loads import Load, LoadPhase
from robotix.kinematics import Posture
from robotix.motion import Motion, model_dofs

__all__ = ["CarriedLoad", "JointLoads", "SupportingContact", "joint_loads", "support_of"]

SupportingContact: TypeAlias = Contact | ContactPhase | Support
CarriedLoad: TypeAlias = Load | LoadPhase | PointWrench

# Assumed: dry floor and shoes with rubber soles; cloth on a seat.
SOLE_FRICTION, SEAT_FRICTION = 0.6, 0.4
# Assumed: a seat is trusted with more than a foot, and hands hold on with what feet leave over.
SEAT_WEIGHT, HAND_WEIGHT = 0.25, 10.0
AT_ONCE = 1e-9  # s; times nearer than that are the same


@dataclass(frozen=True, eq=False)
class JointLoads:
    """What the joints of a person carry over time, and what bears the person."""

    manikin: Manikin
    times: Array  # (N,), s
    tau: Array  # (N, 39), N m: what the muscles give, positive along the coordinate
    reactions: Mapping[str, Reaction]  # by contact: `right_foot`, `seat`, `left_hand`, …
    residual: Array  # (N, 6), left on the virtual joints: force in N, torque in N m
    course: Motion  # what was done
    rates: MotionRates | None  # and how fast; none in statics
    wrenches: tuple[PointWrench, ...]  # all that acts but gravity: loads, then supports

    def torque(self, joint: str) -> Array:
        """Torque of one joint over time, (N,), in N m."""
        return np.asarray(self.tau[:, self.manikin.model.dof_index(joint)])

    def transmitted(self, joint: str) -> TransmittedWrench:
        """Return all that passes through a joint: what the pelvis' side exerts on the far side."""
        rates = self.rates
        return transmitted_wrench(
            self.manikin.model,
            self.course.q,
            joint=joint,
            dq=None if rates is None else rates.dq,
            ddq=None if rates is None else rates.ddq,
            wrenches=self.wrenches,
        )

    @property
    def is_balanced(self) -> Flags:
        """Whether the contacts can bear the person at all, moment by moment, (N,)."""
        return np.asarray(abs(self.residual).max(axis=1) < BALANCE_TOLERANCE)

    @property
    def total_force(self) -> Array:
        """The sum of all reactions, (N, 3), in N."""
        forces = (reaction.force for reaction in self.reactions.values())
        return np.asarray(sum(forces, np.zeros((len(self.times), 3))))

    def ground(self) -> Reaction:
        """Return what the floor exerts on feet and toes together; its centre is the CoP."""
        names = [name for side in SIDES for name in (f"{side}_foot", f"{side}_toes")]
        return joined_reaction("ground", [self.reactions[n] for n in names if n in self.reactions])


def joint_loads(
    manikin: Manikin,
    motion: Motion | Posture,
    *,
    contacts: Sequence[SupportingContact],
    loads: Sequence[CarriedLoad] = (),
    dynamic: bool = False,
    window: float = SMOOTHING_WINDOW,
    haste: ArrayLike = 1.0,
) -> JointLoads:
    """Return what a person's joints carry in one posture, or at every row of a motion.

    Contacts and loads count all the time, phases in their time only. A load that is carried is a
    mass in the hands; a `PointWrench` is any other force, such as a push. `dynamic` adds what it
    takes to accelerate body and loads, with rates from rows within `window` seconds. Of the
    accelerations the share `haste` counts, one or one a row: 1/4 is the same motion in twice the
    time.
    """
    model = manikin.model
    course = _course(manikin, motion)
    if dynamic and isinstance(motion, Posture):
        raise ValueError("one posture does not move; give a Motion, or leave out `dynamic`")
    rates = _rates(manikin, course, window=window, haste=haste) if dynamic else None
    if rates is None:
        tau = static_efforts(model, course.q)
    else:
        tau = inverse_dynamics(model, course.q, dq=rates.dq, ddq=rates.ddq)
    wrenches = [w for load in loads for w in _wrenches_of(manikin, load, course, rates)]
    if wrenches:
        tau = tau + resisting_efforts(model, course.q, wrenches=wrenches)
    supports = [_timed_support(manikin, contact, course.times) for contact in contacts]
    found = solve_reactions(model, course.q, supports=supports, tau=tau)
    for support, part in zip(supports, found.parts, strict=True):
        wrenches += _wrenches_at(support, part)
    return JointLoads(
        manikin,
        course.times,
        found.tau,
        _by_name(found.parts),
        found.residual,
        course,
        rates,
        tuple(wrenches),
    )


def _rates(manikin: Manikin, course: Motion, *, window: float, haste: ArrayLike) -> MotionRates:
    full = motion_rates(manikin.model, course, window=window)
    share = np.broadcast_to(haste, len(course.times))[:, None]
    return MotionRates(np.sqrt(share) * full.dq, share * full.ddq)


def support_of(manikin: Manikin, contact: Contact) -> Support:
    """Return how a contact bears: soles push and rub, a seat is round, hands hold on.

    Normals point up. For anything else, replace what differs and give the support as a contact.
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


def _course(manikin: Manikin, motion: Motion | Posture) -> Motion:
    """Return a motion of this manikin; a posture is one of a single row."""
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
    return np.asarray((phase.start - AT_ONCE <= times) & (times <= phase.end + AT_ONCE))


def _wrenches_of(
    manikin: Manikin, load: CarriedLoad, course: Motion, rates: MotionRates | None
) -> list[PointWrench]:
    """Return what a load does to the hands: its weight, and what resists its acceleration."""
    if isinstance(load, PointWrench):
        return [load]
    thing = load.load if isinstance(load, LoadPhase) else load
    if not 0 <= thing.mass < np.inf or not thing.hands:
        raise ValueError(
            f"load {thing.name!r} needs a mass of 0 kg or more, got {thing.mass}, "
            f"and a hand that carries it, got {thing.hands}"
        )
    points = [f"{side}_hand" for side in thing.hands]
    pull = np.tile(manikin.model.gravity, (len(course.times), len(points), 1))
    if rates is not None:
        pull -= point_accelerations(
            manikin.model, course.q, dq=rates.dq, ddq=rates.ddq, points=points
        )
    pull *= thing.mass / len(points)
    if isinstance(load, LoadPhase):
        pull *= _during(load, course.times)[:, None, None]
    still = np.zeros_like(pull[:, 0])
    return [PointWrench(p, np.hstack([pull[:, k], still])) for k, p in enumerate(points)]


def _wrenches_at(support: Support, part: Reaction) -> list[PointWrench]:
    """Return what a support does at the points that it bears."""
    arm = -support.radius * np.asarray(support.normal)
    torques = np.cross(arm, part.forces)
    return [
        PointWrench(point, np.hstack([part.forces[:, k], torques[:, k]]))
        for k, point in enumerate(support.points)
    ]


def _by_name(parts: Iterable[Reaction]) -> dict[str, Reaction]:
    """Return reactions by the name of their contact, its phases made one."""
    named: dict[str, list[Reaction]] = {}
    for part in parts:
        named.setdefault(part.name, []).append(part)
    return {name: joined_reaction(name, same) for name, same in named.items()}
