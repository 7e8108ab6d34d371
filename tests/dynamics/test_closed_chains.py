"""Closed chains: against the open chain, by forward simulation, and by what the laws promise."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics import (
    EffortLaw,
    LeastEffort,
    LeastLoad,
    LoopClosure,
    closed_chain_efforts,
    inverse_dynamics,
    loop_jacobian,
)
from robotix.dynamics.closed_chains import ClosureKind
from robotix.dynamics.simulation import (
    EXACT,
    HingeJoint,
    Mechanism,
    Servo,
    Simulation,
    World,
)
from robotix.errors import BadField, BadModel, UnknownName
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load

AXIS = np.array([0.0, 1.0, 0.0])
LAWS: list[EffortLaw] = [LeastEffort(), LeastEffort({"a": 100.0}), LeastLoad(), LeastLoad(0.1)]


def bar(name: str, joint: str, parent: str | None, at: float, length: float) -> Body:
    return Body(
        name,
        Joint(joint, "revolute", AXIS),
        parent,
        Pose.at(at, 0, 0),
        mass=1.0 + length,
        com=np.array([length / 2, 0, 0]),
        inertia=0.02 * np.eye(3),
    )


def four_bar() -> Model:
    bodies = (
        bar("crank", "a", None, 0.0, 0.2),
        bar("coupler", "b", "crank", 0.2, 0.5),
        bar("rocker", "c", None, 0.45, 0.4),
    )
    points = {
        "tip": ControlPoint("coupler", Pose.at(0.5, 0, 0)),
        "pin": ControlPoint("rocker", Pose.at(0.4, 0, 0)),
    }
    return Model("four-bar", bodies, points=points)


def closed(model: Model, loops: list[LoopClosure], q: Array) -> Array:
    """Return the nearest posture whose loops are closed, by Newton's method."""
    for _ in range(50):
        posture = Posture(model, q)
        gaps = np.concatenate([
            posture.position(loop.first) - posture.position(loop.second) for loop in loops
        ])  # fmt: skip
        J = np.vstack([
            (posture.jacobian(loop.first) - posture.jacobian(loop.second))[:3] for loop in loops
        ])  # fmt: skip
        q = q - np.linalg.pinv(J) @ gaps
    return q


def moving(
    model: Model, loops: list[LoopClosure], q: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return velocities and accelerations that keep loops closed."""
    J = loop_jacobian(Posture(model, q), loops)
    inverse = np.linalg.pinv(J, rcond=1e-9)
    keep = np.eye(model.n_dof) - inverse @ J
    dq, h = keep @ rng.normal(size=model.n_dof), 1e-6
    moved = [loop_jacobian(Posture(model, q).moved(sign * h * dq), loops) for sign in (1, -1)]
    bias = (moved[0] - moved[1]) @ dq / (2 * h)
    return dq, keep @ rng.normal(size=model.n_dof) - inverse @ bias


def forward(model: Model, loops: list[LoopClosure], q: Array, dq: Array, tau: Array) -> Array:
    """Return accelerations under efforts, with the loops closed rigidly by multipliers."""
    M, J = Posture(model, q).mass_matrix, loop_jacobian(Posture(model, q), loops)
    bias, h = np.zeros(len(J)), 1e-6
    for sign in (1, -1):
        moved = Posture(model, q).moved(sign * h * dq)
        bias += sign * loop_jacobian(moved, loops) @ dq / (2 * h)
    mobility = J @ np.linalg.solve(M, J.T)
    free = np.linalg.solve(M, tau - inverse_dynamics(model, q, dq=dq))
    loads = np.linalg.pinv(mobility, rcond=1e-10) @ (-bias - J @ free)
    return np.asarray(free + np.linalg.solve(M, J.T @ loads))


HINGE = LoopClosure("tip", "pin", "hinge", AXIS)
START = np.array([-0.5, -0.6, -1.8])


def test_without_loops_it_is_the_open_chain() -> None:
    model, rng = load("panda"), np.random.default_rng(1)
    q = rng.uniform(model.lower, model.upper, (4, 7))
    dq, ddq = rng.normal(size=(2, 4, 7))
    found = closed_chain_efforts(model, q, loops=(), actuated=model.dof_names, dq=dq, ddq=ddq)
    np.testing.assert_allclose(found.tau, inverse_dynamics(model, q, dq=dq, ddq=ddq), atol=1e-12)
    assert found.is_possible
    assert found.loads.shape == (4, 0, 6)


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("actuated", [("a",), ("c",), ("a", "c"), ("a", "b", "c")], ids="".join)
def test_efforts_drive_the_motion_in_a_simulation(law: EffortLaw, actuated: tuple[str]) -> None:
    if isinstance(law, LeastEffort) and not set(law.weights) <= set(actuated):
        law = LeastEffort()
    model, rng = four_bar(), np.random.default_rng(2)
    q = closed(model, [HINGE], START)
    dq, ddq = moving(model, [HINGE], q, rng)
    found = closed_chain_efforts(
        model, q, loops=[HINGE], actuated=actuated, dq=dq, ddq=ddq, law=law
    )
    assert found.is_possible
    assert all(found.tau[[name not in actuated for name in model.dof_names]] == 0)
    part = Mechanism("m", model, servos={name: Servo() for name in actuated})
    simulation = Simulation(World(mechanisms=(part,)), EXACT)
    simulation.set_state("m", q, dq)
    at = simulation.pose("m/coupler").apply(np.array([0.5, 0, 0]))
    simulation.connect("m/coupler", "m/rocker", HingeJoint(at, AXIS))
    simulation.command("m", effort=found.tau)
    simulation.forward()
    np.testing.assert_allclose(simulation.dq("m"), dq, atol=1e-9)
    # a connection is a stiff spring: at its first instant the loads are almost there
    np.testing.assert_allclose(simulation.accelerations("m"), ddq, rtol=5e-3, atol=2e-3)
    np.testing.assert_allclose(forward(model, [HINGE], q, dq, found.tau), ddq, atol=1e-7)


def test_efforts_do_the_work_of_the_open_chain() -> None:
    model, rng = four_bar(), np.random.default_rng(3)
    q = closed(model, [HINGE], START)
    dq, ddq = moving(model, [HINGE], q, rng)
    tree = inverse_dynamics(model, q, dq=dq, ddq=ddq)
    for law in LAWS:
        tau = closed_chain_efforts(
            model, q, loops=[HINGE], actuated="abc", dq=dq, ddq=ddq, law=law
        ).tau
        assert tau @ dq == pytest.approx(tree @ dq, rel=1e-9)


def test_each_law_is_best_at_what_it_promises() -> None:
    model = four_bar()
    q = closed(model, [HINGE], START)
    found = [
        closed_chain_efforts(model, q, loops=[HINGE], actuated="abc", law=law)
        for law in (LeastEffort(), LeastEffort({"a": 100.0}), LeastLoad())
    ]
    norms = [float(np.linalg.norm(each.tau)) for each in found]
    loads = [float(np.linalg.norm(each.loads)) for each in found]
    assert norms[0] < min(norms[1:]) - 1e-6
    assert loads[2] < min(loads[:2]) - 1e-6
    assert abs(found[1].tau[0]) < 0.2 * abs(found[0].tau[0])
    rng = np.random.default_rng(4)  # no other share of the work is smaller
    J = loop_jacobian(Posture(model, q), [HINGE])
    for _ in range(20):
        other = found[0].tau + J.T @ rng.normal(size=len(J))
        assert np.linalg.norm(other) >= norms[0] - 1e-9


def test_too_few_actuators_are_told() -> None:
    model = four_bar()
    q = closed(model, [HINGE], START)
    found = closed_chain_efforts(model, q, loops=[HINGE], actuated=())
    assert not found.is_possible
    assert np.abs(found.residual).max() > 0.1


@pytest.mark.parametrize("kind", ["weld", "slider", "hinge", "ball"])
def test_a_panda_held_by_the_ground_shares_its_weight(kind: ClosureKind) -> None:
    model, rng = load("panda"), np.random.default_rng(5)
    q = 0.5 * (model.lower + model.upper)
    held = Posture(model, q).pose()
    loop = LoopClosure(model.tip, None, kind, np.array([1.0, 0.0, 0.0]), held)
    dq, ddq = moving(model, [loop], q, rng)
    found = closed_chain_efforts(model, q, loops=[loop], actuated=model.dof_names, dq=dq, ddq=ddq)
    tree = inverse_dynamics(model, q, dq=dq, ddq=ddq)
    assert np.linalg.norm(found.tau) < 0.9 * np.linalg.norm(tree)
    np.testing.assert_allclose(forward(model, [loop], q, dq, found.tau), ddq, atol=1e-6)
    load_ = found.loads[0, 0]
    carried = Posture(model, q).jacobian(model.tip).T @ load_
    np.testing.assert_allclose(found.tau + carried, tree, atol=1e-9)


def test_what_makes_no_sense_is_told() -> None:
    model = four_bar()
    q = closed(model, [HINGE], START)
    with pytest.raises(BadModel, match="open by"):
        closed_chain_efforts(model, q + 0.1, loops=[HINGE], actuated="a")
    with pytest.raises(BadField, match="keeps the loops closed"):
        closed_chain_efforts(model, q, loops=[HINGE], actuated="a", dq=np.ones(3))
    with pytest.raises(UnknownName, match="actuated"):
        closed_chain_efforts(model, q, loops=[HINGE], actuated="a", law=LeastEffort({"b": 1.0}))
    with pytest.raises(BadField, match="weight"):
        LeastEffort({"a": 0.0})
    with pytest.raises(BadField, match="length"):
        LeastLoad(0.0)
    with pytest.raises(BadField, match="kind"):
        LoopClosure("tip", "pin", "rope")  # type: ignore[arg-type]
    with pytest.raises(BadField, match="axis"):
        LoopClosure("tip", "pin", "hinge", np.zeros(3))
