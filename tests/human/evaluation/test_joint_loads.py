"""Joint loads of a person: equilibrium, symmetry, and torques as Pinocchio finds them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pin_dynamics import EffortOracle
from oracles.pin_oracle import build
from support.people import SIDES, manikin, random_q

from robotix.dynamics import PointWrench, motion_rates
from robotix.geometry import Array, Box
from robotix.human import Manikin, mirrored
from robotix.human.evaluation.joint_loads import (
    JointLoads,
    SupportingContact,
    joint_loads,
    support_of,
)
from robotix.human.motion.contacts import Contact, ContactPhase, grip, seat, sole
from robotix.human.motion.loads import Load, LoadPhase, model_with_loads
from robotix.kinematics import Posture
from robotix.motion import Motion

G = 9.81
ROOT = slice(0, 6)


@cache
def man() -> Manikin:
    return manikin()


@cache
def theirs() -> Any:
    return build(man().model)


def feet() -> list[Contact]:
    return [sole(man(), side) for side in SIDES]


def standing(**offsets: float) -> Array:
    q = man().relaxed.copy()
    for name, value in offsets.items():
        q[man().model.dof_index(name)] += value
    return q


def loads_at(q: Array, **options: Any) -> JointLoads:
    return joint_loads(man(), Posture(man().model, q), **{"contacts": feet(), **options})


def box(mass: float) -> Load:
    return Load("box", mass, ("right", "left"), Box(np.ones(3)))


def swaying(seconds: float = 1.0) -> Motion:
    """Return a person who sways a little, and lifts the arms, on feet that stay roughly put."""
    times = np.arange(0, seconds, 0.01)
    q = np.tile(man().relaxed, (len(times), 1))
    for name, size in {"right_shoulder_flexion": 0.5, "left_elbow_flexion": 0.4}.items():
        q[:, man().model.dof_index(name)] += size * (1 - np.cos(3 * times))
    q[:, 1] += 0.01 * np.sin(4 * times)
    return Motion.of(man().model, times, q=q)


# -- equilibrium --------------------------------------------------------------------------------


@given(mass=st.floats(0, 25), bend=st.floats(-0.2, 0.3), lean=st.floats(-0.08, 0.08))
def test_reactions_carry_weight_and_load_and_the_root_nothing(
    mass: float, bend: float, lean: float
) -> None:
    q = standing(right_shoulder_flexion=bend, left_shoulder_flexion=bend, root_rx=lean)
    found = loads_at(q, loads=[box(mass)])
    assert found.is_balanced.all()
    assert abs(found.residual).max() < 1e-6
    whole = [0, 0, (man().model.mass + mass) * G]
    np.testing.assert_allclose(found.total_force[0], whole, atol=1e-6)
    for reaction in found.reactions.values():
        push = reaction.forces[..., 2]
        slide = np.linalg.norm(reaction.forces[..., :2], axis=-1)
        assert (push >= 0).all() and (slide <= 0.6 * push + 1e-9).all()


@given(seed=st.integers(0, 2**32 - 1))
def test_any_posture_is_carried_or_said_not_to_be(seed: int) -> None:
    found = loads_at(random_q(man().model, seed), contacts=[*feet(), grip(man(), "right")])
    is_exact = abs(found.residual).max() < 1e-6
    assert found.is_balanced.tolist() == [is_exact]
    np.testing.assert_array_equal(found.residual, found.tau[:, ROOT])
    lacking = np.array([0, 0, man().model.mass * G]) - found.total_force[0]
    np.testing.assert_allclose(found.residual[0, :3], lacking, atol=1e-6)


def test_a_pull_in_any_direction_is_supported_by_the_feet() -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        pull = np.r_[rng.uniform(-15, 15, 3), 0, 0, 0]
        found = loads_at(standing(), loads=[PointWrench("right_hand", pull)])
        assert found.is_balanced.all()
        whole = np.array([0, 0, man().model.mass * G]) - pull[:3]
        np.testing.assert_allclose(found.total_force[0], whole, atol=1e-6)


def test_the_centre_of_pressure_is_below_the_mass_centre() -> None:
    found = loads_at(standing())
    com = Posture(man().model, standing()).com
    np.testing.assert_allclose(found.ground().centre[0, :2], com[:2], atol=1e-6)


# -- torques as Pinocchio finds them ------------------------------------------------------------


def by_pinocchio(found: JointLoads, q: Array, *, row: int, dq: Array, ddq: Array) -> Array:
    """Return the torques under the same forces at the soles."""
    wrenches = [
        (name, np.r_[force, 0, 0, 0])
        for side in SIDES
        for name, force in zip(
            (*man().support_points(side), *man().toe_points(side)),
            found.reactions[f"{side}_foot"].forces[row],
            strict=True,
        )
    ]
    oracle = EffortOracle(man().model, theirs(), q=q, dq=dq)
    return oracle.efforts(ddq, wrenches=wrenches)


@given(seed=st.integers(0, 2**32 - 1))
def test_statics_as_pinocchio(seed: int) -> None:
    q = random_q(man().model, seed)
    found, still = loads_at(q), np.zeros(39)
    exact = by_pinocchio(found, q, row=0, dq=still, ddq=still)
    np.testing.assert_allclose(found.tau[0], exact, atol=1e-6)


def test_dynamics_as_pinocchio() -> None:
    motion = swaying()
    found = joint_loads(man(), motion, contacts=feet(), dynamic=True)
    rates = motion_rates(man().model, motion)
    assert found.is_balanced.all()
    assert abs(found.residual).max() < 1e-6
    for row in range(0, len(motion.times), 13):
        exact = by_pinocchio(found, motion.q[row], row=row, dq=rates.dq[row], ddq=rates.ddq[row])
        np.testing.assert_allclose(found.tau[row], exact, atol=1e-6)


def test_the_floor_gives_the_momentum_its_change() -> None:
    motion = swaying()
    found = joint_loads(man(), motion, contacts=feet(), dynamic=True, loads=[box(5.0)])
    body = model_with_loads(man().model, [box(5.0)])
    com = np.array([Posture(body, q).com for q in motion.q])
    acceleration = np.diff(com, 2, axis=0) / 0.01**2
    exact = body.mass * (acceleration + np.array([0, 0, G]))
    np.testing.assert_allclose(found.total_force[6:-6], exact[5:-5], atol=1.0)  # N
    assert np.ptp(found.total_force[:, 2]) > 20


# -- symmetry, and how load moves ---------------------------------------------------------------


def test_a_symmetric_stance_is_supported_symmetrically() -> None:
    q = standing()
    assert np.array_equal(q, mirrored(q))
    found = loads_at(q, loads=[box(12.0)])
    right, left = (found.reactions[f"{side}_foot"] for side in SIDES)
    np.testing.assert_allclose(right.forces, left.forces * (1, -1, 1), atol=1e-9)
    np.testing.assert_allclose(right.centre, left.centre * (1, -1, 1), atol=1e-9)
    np.testing.assert_allclose(found.tau[0], mirrored(found.tau[0]), atol=1e-9)


def test_load_moves_between_the_feet_as_the_weight_does() -> None:
    pulls = np.linspace(-8, 8, 9)  # N m, which move the weight sideways by up to a centimetre
    shares = []
    for pull in pulls:
        found = loads_at(standing(), loads=[PointWrench("pelvis", np.array([0, 0, 0, pull, 0, 0]))])
        shares.append(found.reactions["left_foot"].force[0, 2])
    steps = np.diff(shares)
    assert (steps < 0).all()  # a torque to the right, about x, unloads the left foot
    np.testing.assert_allclose(steps, steps[0], rtol=1e-6)


def test_a_seat_and_hands_take_their_part() -> None:
    q = standing()
    alone = loads_at(q)
    seated = loads_at(q, contacts=[*feet(), seat(man())])
    held = loads_at(q, contacts=[*feet(), grip(man(), "left")])
    rest = support_of(man(), grip(man(), "left"))
    leaning = loads_at(q, contacts=[*feet(), replace(rest, grips=False)])
    for found in (seated, held, leaning):
        assert found.is_balanced.all()
        np.testing.assert_allclose(found.total_force, alone.total_force, atol=1e-6)
        ground = found.ground().force[0, 2]
        assert ground < alone.ground().force[0, 2]
    assert seated.reactions["seat"].force[0, 2] > 100
    assert leaning.reactions["left_hand"].force[0, 2] > 0
    np.testing.assert_allclose(seated.reactions["seat"].positions[0, :, 2].std(), 0, atol=1e-9)


def test_who_leans_too_far_falls() -> None:
    found = loads_at(standing(root_ry=0.5))  # 29° forward, as stiff as a board
    assert not found.is_balanced.any()
    assert abs(found.residual).max() > 10


# -- loads and phases ---------------------------------------------------------------------------


def test_a_load_is_a_mass_in_the_hands() -> None:
    motion, heavy = swaying(0.5), box(9.0)
    found = joint_loads(man(), motion, contacts=feet(), loads=[heavy], dynamic=True)
    carrier = replace(man(), model=model_with_loads(man().model, [heavy]))
    same = joint_loads(carrier, motion, contacts=feet(), dynamic=True)
    np.testing.assert_allclose(found.tau, same.tau, atol=1e-6)


def test_phases_count_in_their_time_only() -> None:
    motion = swaying()
    times = motion.times
    right, left = feet()
    contacts: list[SupportingContact] = [
        right,
        ContactPhase(left, 0.0, 0.5),
        ContactPhase(left, 0.6, 2.0),
    ]
    found = joint_loads(man(), motion, contacts=contacts, loads=[LoadPhase(box(5.0), 0.25, 0.75)])
    carried = (times >= 0.25 - 1e-9) & (times <= 0.75 + 1e-9)
    lifted = (times > 0.5 + 1e-9) & (times < 0.6 - 1e-9)
    assert lifted.sum() == 9
    assert not found.reactions["left_foot"].force[lifted].any()
    assert (found.reactions["left_foot"].force[~lifted, 2] > 100).all()
    np.testing.assert_array_equal(found.is_balanced, ~lifted)  # the weight is between the feet
    weight = (man().model.mass + 5.0 * carried) * G
    np.testing.assert_allclose(
        found.total_force[found.is_balanced, 2], weight[found.is_balanced], atol=1e-6
    )


def test_a_motion_is_its_postures() -> None:
    motion = swaying(0.1)
    found = joint_loads(man(), motion, contacts=feet())
    assert found.tau.shape == (10, 39)
    for i, q in enumerate(motion.q):
        np.testing.assert_allclose(found.tau[i], loads_at(q).tau[0], atol=1e-9)
    joint = "right_knee_flexion"
    np.testing.assert_array_equal(found.torque(joint), found.tau[:, man().model.dof_index(joint)])


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="one posture does not move"):
        loads_at(standing(), dynamic=True)
    with pytest.raises(ValueError, match="mass of 0 kg or more, got -1"):
        loads_at(standing(), loads=[box(-1.0)])
    with pytest.raises(ValueError, match="a hand that carries it"):
        loads_at(standing(), loads=[replace(box(1.0), hands=())])
    other = Motion((("a", "rad"),), np.zeros(1), np.zeros((1, 1)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="does not fit model"):
        joint_loads(man(), other, contacts=feet())
