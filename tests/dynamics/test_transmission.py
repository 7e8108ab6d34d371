"""What passes through a joint: against Pinocchio, free bodies and the efforts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pin_dynamics import EffortOracle
from oracles.pin_oracle import build
from support.people import manikin, random_q

from robotix.dynamics import PointWrench, inverse_dynamics, static_efforts, transmitted_wrench
from robotix.errors import UnknownName
from robotix.geometry import Array, Box
from robotix.human.evaluation.joint_loads import joint_loads
from robotix.human.motion.contacts import grip, sole
from robotix.human.motion.loads import Load
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.motion import Motion

SEEDS = st.integers(0, 2**32 - 1)
JOINTS = ("L5S1_flexion", "T12L1_flexion", "right_knee_flexion", "left_shoulder_abduction")
EXACT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-6}  # N m, N


@cache
def person() -> tuple[Model, Any]:
    model = manikin("f").model
    return model, build(model)


class TransmissionOracle(EffortOracle):
    """What Pinocchio finds to pass through a joint."""

    def wrench(self, joint: str, ddq: Array) -> tuple[Array, Array]:
        v, a = self._map @ self._dq, self._map @ ddq + self._map_rate
        data = self.theirs.createData()
        pin.rnea(self.theirs, data, self._q, v, a)
        pin.forwardKinematics(self.theirs, data, self._q)
        index = self.theirs.getJointId(joint)
        turn = data.oMi[index].rotation
        return turn @ data.f[index].linear, turn @ data.f[index].angular


@given(seed=SEEDS, joint=st.sampled_from(JOINTS))
def test_a_moving_person_as_pinocchio(seed: int, joint: str) -> None:
    (model, theirs), rng = person(), np.random.default_rng(seed)
    q, (dq, ddq) = random_q(model, seed), rng.normal(size=(2, model.n_dof))
    found = transmitted_wrench(model, q, joint=joint, dq=dq, ddq=ddq)
    force, moment = TransmissionOracle(model, theirs, q=q, dq=dq).wrench(joint, ddq)
    np.testing.assert_allclose(found.force[0], force, **EXACT)
    np.testing.assert_allclose(found.moment[0], moment, **EXACT)


@given(seed=SEEDS, joint=st.sampled_from(JOINTS))
def test_the_moment_along_the_axis_is_the_effort(seed: int, joint: str) -> None:
    (model, _), rng = person(), np.random.default_rng(seed)
    q, (dq, ddq) = random_q(model, seed), rng.normal(size=(2, model.n_dof))
    wrenches = [
        PointWrench(name, rng.normal(size=6) * 50) for name in ("right_hand", "left_foot", "head")
    ]
    found = transmitted_wrench(model, q, joint=joint, dq=dq, ddq=ddq, wrenches=wrenches)
    tau = inverse_dynamics(model, q, dq=dq, ddq=ddq, wrenches=wrenches)
    body = next(body for body in model.bodies if body.joint.name == joint)
    axis = Posture(model, q).pose(body.name).rotation @ body.joint.axis
    assert axis @ found.moment[0] == pytest.approx(tau[model.dof_index(joint)], abs=1e-6)


@given(seed=SEEDS)
def test_at_rest_it_is_the_sum_over_the_free_body(seed: int) -> None:
    (model, _), q = person(), random_q(person()[0], seed)
    posture, pull = Posture(model, q), np.array([10.0, -20.0, -30.0])
    found = transmitted_wrench(
        model, q, joint="L5S1_flexion", wrenches=[PointWrench("left_hand", np.r_[pull, 0, 0, 0])]
    )
    above = {"lumbar", "thorax", "head_segment"} | {
        f"{side}_{part}"
        for side in ("right", "left")
        for part in ("upper_arm", "forearm", "hand_segment")
    }
    force, moment = -pull, -np.cross(posture.position("left_hand") - found.centre[0], pull)
    for body in model.bodies:
        if body.name in above:
            weight = body.mass * model.gravity
            force = force - weight
            place = posture.pose(body.name).apply(body.com)
            moment = moment - np.cross(place - found.centre[0], weight)
    np.testing.assert_allclose(found.force[0], force, **EXACT)
    np.testing.assert_allclose(found.moment[0], moment, **EXACT)


def test_wrenches_on_the_near_side_pass_by() -> None:
    model, _ = person()
    q = random_q(model, 1)
    kick = [PointWrench("right_foot", np.full(6, 100.0)), PointWrench("pelvis", np.full(6, 9.0))]
    bare = transmitted_wrench(model, q, joint="L5S1_flexion")
    found = transmitted_wrench(model, q, joint="L5S1_flexion", wrenches=kick)
    np.testing.assert_array_equal(found.force, bare.force)
    np.testing.assert_array_equal(found.moment, bare.moment)


def test_the_root_gets_everything() -> None:
    model, _ = person()
    q = np.array([random_q(model, seed) for seed in range(3)])
    found = transmitted_wrench(model, q, joint="root")
    np.testing.assert_allclose(found.force, [[0, 0, model.mass * 9.81]] * 3, atol=1e-9)
    np.testing.assert_allclose(static_efforts(model, q)[:, 3:6], found.moment, atol=1e-9)


def test_an_unknown_or_fixed_joint_is_refused() -> None:
    model, _ = person()
    with pytest.raises(UnknownName, match="did you mean 'L5S1_flexion'"):
        transmitted_wrench(model, np.zeros(39), joint="L5S1_flexio")
    with pytest.raises(UnknownName, match="no moving joint 'neck_fixed'"):
        transmitted_wrench(model, np.zeros(39), joint="neck_fixed")


def test_what_passes_through_a_person_adds_up() -> None:
    who = manikin("f")
    times = np.arange(0, 0.5, 0.01)
    q = np.tile(who.relaxed, (len(times), 1))
    q[:, who.model.dof_index("right_elbow_flexion")] += 0.3 * (1 - np.cos(4 * times))
    contacts = [sole(who, "right"), sole(who, "left"), grip(who, "left")]
    box = Load("box", 6.0, ("right",), Box(np.ones(3)))
    for dynamic in (False, True):
        found = joint_loads(
            who, Motion.of(who.model, times, q=q), contacts=contacts, loads=[box], dynamic=dynamic
        )
        assert found.is_balanced.all()
        whole = found.transmitted("root")  # nothing holds the pelvis but what it carries
        np.testing.assert_allclose(whole.force, 0, atol=1e-6)
        np.testing.assert_allclose(whole.moment, 0, atol=1e-6)
        back = found.transmitted("L5S1_flexion")
        left = np.array([Posture(who.model, row).pose("pelvis").rotation[:, 1] for row in q])
        np.testing.assert_allclose(
            (back.moment * left).sum(axis=1), found.torque("L5S1_flexion"), atol=1e-6
        )
