"""Reactions: equilibrium, cones, the least sum of squares, and honesty where nothing helps."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, nnls
from support.random_trees import make_random_tree, random_posture

from robotix.dynamics import PointWrench, Reactions, Support, solve_reactions, static_efforts
from robotix.geometry import Array, Pose, exp_rotation
from robotix.model import Body, ControlPoint, Joint, Model

SEEDS = st.integers(0, 2**32 - 1)
WEIGHT = 40 * 9.81


def table(com: tuple[float, float, float] = (0.0, 0.0, 0.5), mass: float = 40.0) -> Model:
    """Return a thing that floats, its frame on the floor; feet are control points of it."""
    top = Body("top", Joint("root", "floating"), mass=mass, com=np.array(com))
    return Model("table", (top,))


def foot(x: float, y: float, z: float = 0.0) -> ControlPoint:
    return ControlPoint("top", Pose.at(x, y, z))


def four_feet() -> list[Support]:
    return [
        Support(f"{x} {y}", (foot(x, y),), friction=0.5)
        for x, y in product((-0.4, 0.4), (-0.3, 0.3))
    ]


def forces_of(reactions: Reactions) -> Array:
    return np.concatenate([part.forces for part in reactions.parts], axis=1)


def test_a_table_stands_on_its_four_feet() -> None:
    found = solve_reactions(table(), np.zeros((1, 6)), supports=four_feet())
    for part in found.parts:
        np.testing.assert_allclose(part.force, [[0, 0, WEIGHT / 4]], atol=1e-9)
    assert found.is_balanced.all()
    assert abs(found.residual).max() < 1e-9
    np.testing.assert_allclose(found.tau, 0.0, atol=1e-9)


@given(x=st.floats(-0.1, 0.1), y=st.floats(-0.2, 0.2))
def test_load_moves_between_feet_as_the_mass_centre_does(x: float, y: float) -> None:
    left, right = (
        Support(side, tuple(foot(a, b + off) for a in (-0.5, 0.5) for off in (-0.05, 0.05)))
        for side, b in (("left", 0.4), ("right", -0.4))
    )
    found = solve_reactions(table((x, y, 0.9)), np.zeros((1, 6)), supports=[left, right])
    reach = sum(b**2 for b in (0.35, 0.45)) / 2 / 0.4  # of the springs side by side
    np.testing.assert_allclose(
        [part.force[0, 2] for part in found.parts],
        [WEIGHT / 2 * (1 + y / reach), WEIGHT / 2 * (1 - y / reach)],
        rtol=1e-9,
    )


def test_how_many_points_a_support_has_makes_no_difference() -> None:
    few = Support("few", (foot(-0.3, 0.0),), grips=True)
    many = Support("many", tuple(foot(0.3, 0.0) for _ in range(7)), grips=True)
    found = solve_reactions(table(), np.zeros((1, 6)), supports=[few, many])
    np.testing.assert_allclose(found.parts[0].force, found.parts[1].force, atol=1e-9)


def test_a_heavier_support_bears_less() -> None:
    ends = [Support(name, (foot(x, 0, 0.5),), grips=True) for name, x in (("a", 0.0), ("b", 0.0))]
    found = solve_reactions(
        table(), np.zeros((1, 6)), supports=[ends[0], replace(ends[1], weight=3.0)]
    )
    np.testing.assert_allclose([part.force[0, 2] / WEIGHT for part in found.parts], [0.75, 0.25])


def test_the_centre_of_pressure_is_below_the_mass_centre() -> None:
    feet = Support("feet", tuple(foot(x, y) for x in (-0.4, 0.4) for y in (-0.3, 0.3)))
    found = solve_reactions(table((0.1, -0.2, 0.7)), np.zeros((1, 6)), supports=[feet])
    np.testing.assert_allclose(found.parts[0].centre, [[0.1, -0.2, 0.0]], atol=1e-12)
    np.testing.assert_allclose(found.parts[0].moment([0.1, -0.2, 0.0]), 0.0, atol=1e-9)


# -- any wrench, any points ---------------------------------------------------------------------


def random_supports(rng: np.random.Generator, count: int, *, grips: float) -> list[Support]:
    return [
        Support(
            f"support {i}",
            tuple(foot(*rng.uniform(-0.5, 0.5, 3)) for _ in range(rng.integers(1, 4))),
            normal=rng.normal(size=3) * 0.4 + (0, 0, 1),
            friction=float(rng.choice([0.0, rng.uniform(0, 1.5)], p=[0.2, 0.8])),
            grips=bool(rng.random() < grips),
            weight=float(rng.uniform(0.3, 3.0)),
            radius=float(rng.choice([0.0, 0.1])),
        )
        for i in range(count)
    ]


def made(supports: list[Support], found: Reactions) -> Array:
    """Return the wrench at the origin that the reactions make, (N, 6)."""
    origin = np.zeros(3)
    return np.asarray(
        sum(np.hstack([part.force, part.moment(origin)]) for part in found.parts)
        if supports
        else np.zeros((1, 6))
    )


@given(seed=SEEDS, count=st.integers(1, 5), grips=st.sampled_from([0.0, 0.3]))
def test_cones_hold_and_the_residual_is_what_is_missing(
    seed: int, count: int, grips: float
) -> None:
    rng = np.random.default_rng(seed)
    model, q = table(), np.r_[rng.normal(size=6)][None]
    supports = random_supports(rng, count, grips=grips)
    tau = rng.normal(size=(1, 6)) * 300
    found = solve_reactions(model, q, supports=supports, tau=tau)
    for support, part in zip(supports, found.parts, strict=True):
        if support.grips:
            continue
        normal = np.asarray(support.normal)
        push = part.forces[0] @ normal
        slide = np.linalg.norm(part.forces[0] - push[:, None] * normal, axis=1)
        assert (push >= -1e-9).all()
        assert (slide <= support.friction * push + 1e-9).all()
        np.testing.assert_allclose(part.pressures[0], push, atol=1e-9)
    wrench = made(supports, found)[0]
    wrench[3:] -= np.cross(q[0, :3], wrench[:3])  # to the root
    np.testing.assert_allclose(tau[0] - wrench, found.residual[0], atol=1e-8)


@given(seed=SEEDS)
def test_what_cones_can_make_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    supports = random_supports(rng, 4, grips=0.0)
    tau = np.zeros(6)
    for support in supports:  # any forces inside the cones
        normal = np.asarray(support.normal)
        for point in support.points:
            assert isinstance(point, ControlPoint)
            side = np.cross(normal, rng.normal(size=3))
            side *= rng.uniform(0, 0.9) * support.friction / np.linalg.norm(side)
            force = rng.uniform(1, 100) * (normal + side)
            place = point.pose.translation - support.radius * normal
            tau += np.r_[force, np.cross(place, force)]
    found = solve_reactions(table(), np.zeros((1, 6)), supports=supports, tau=tau[None])
    assert found.is_balanced.all()


@pytest.mark.parametrize("seed", range(8))
def test_forces_are_the_least_as_scipy_finds_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2)
    model, supports = table((x, y, 0.3)), four_feet()
    push = PointWrench("top", np.r_[rng.normal(size=2) * 40, 0, 0, 0, 0])
    tau = static_efforts(model, np.zeros((1, 6)), wrenches=[push])
    found = solve_reactions(model, np.zeros((1, 6)), supports=supports, tau=tau)
    assert found.is_balanced.all()
    places = np.concatenate([part.positions[0] for part in found.parts])

    def balance(f: Array) -> Array:
        f = f.reshape(-1, 3)
        return np.asarray(np.r_[f.sum(axis=0), np.cross(places, f).sum(axis=0)] - tau[0])

    def room(f: Array) -> Array:
        f = f.reshape(-1, 3)
        return np.asarray(np.r_[f[:, 2], (0.5 * f[:, 2]) ** 2 - f[:, 0] ** 2 - f[:, 1] ** 2])

    best = minimize(
        lambda f: f @ f / 1e4,
        np.tile([0.0, 0.0, 100.0], 4),
        constraints=[{"type": "eq", "fun": balance}, {"type": "ineq", "fun": room}],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    np.testing.assert_allclose(forces_of(found)[0].ravel(), best.x, atol=0.2)
    assert (forces_of(found) ** 2).sum() <= best.x @ best.x * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_where_nothing_helps_the_least_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tau = np.r_[rng.normal(size=3) * 300, rng.normal(size=3) * 200]
    found = solve_reactions(table(), np.zeros((1, 6)), supports=four_feet(), tau=tau[None])
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    edges = np.column_stack([0.5 * np.cos(angles), 0.5 * np.sin(angles), np.ones(90)])
    columns = [
        np.vstack([edges.T, np.cross(part.positions[0, 0], edges).T]) for part in found.parts
    ]
    _, least = nnls(np.hstack(columns), tau)
    assert not found.is_balanced.any()
    np.testing.assert_allclose(np.linalg.norm(found.residual), least, rtol=1e-3)


# -- what bears, and what does not --------------------------------------------------------------


def test_a_slope_holds_what_friction_holds() -> None:
    for degrees, holds in ((20.0, True), (26.0, True), (27.0, False), (45.0, False)):
        tilt = exp_rotation([0, np.deg2rad(degrees), 0])
        q = np.r_[np.zeros(4), np.deg2rad(degrees), 0][None]
        feet = [replace(each, normal=tilt @ [0, 0, 1]) for each in four_feet()]
        found = solve_reactions(table((0, 0, 0.1)), q, supports=feet)  # tan 26.6° = 0.5
        assert found.is_balanced.all() == holds, degrees


def test_a_foot_pushes_and_a_grip_pulls() -> None:
    hook = Support("hook", (foot(0, 0, 1.0),))
    q = np.zeros((1, 6))
    hung = solve_reactions(table(), q, supports=[replace(hook, grips=True)])
    pushed = solve_reactions(table(), q, supports=[replace(hook, normal=(0, 0, -1))])
    assert hung.is_balanced.all()
    assert not pushed.is_balanced.any()
    assert not forces_of(pushed).any()
    np.testing.assert_allclose(pushed.residual[0, :3], [0, 0, WEIGHT])


def test_a_table_beyond_its_feet_tips() -> None:
    found = solve_reactions(table((0.5, 0, 0.5)), np.zeros((1, 6)), supports=four_feet())
    assert not found.is_balanced.any()
    assert found.residual[0, 4] < -20  # N m about y, which nothing gives


def test_supports_bear_when_they_are_there() -> None:
    early = np.array([True, True, False])
    feet = four_feet()
    supports = [replace(feet[0], when=early), *feet[1:3], replace(feet[3], when=~early)]
    q = np.zeros((3, 6))
    first, last = (  # three feet each: at the corner where the mass is
        solve_reactions(table((x, x / 2, 0.5)), q, supports=supports) for x in (-0.1, 0.1)
    )
    np.testing.assert_array_equal(first.is_balanced, early)
    np.testing.assert_array_equal(last.is_balanced, ~early)
    np.testing.assert_array_equal(first.parts[0].force.any(axis=1), early)
    np.testing.assert_array_equal(np.isnan(first.parts[0].centre[:, 0]), ~early)
    assert not first.parts[3].force[early].any()


def test_without_supports_all_is_missing() -> None:
    found = solve_reactions(table(), np.zeros((2, 6)), supports=[])
    assert found.parts == ()
    np.testing.assert_allclose(found.residual[:, :3], [[0, 0, WEIGHT]] * 2)


def test_a_round_part_is_touched_at_its_surface() -> None:
    ball = Support("ball", (foot(-0.2, 0, 0.3), foot(0.2, 0, 0.3)), radius=0.3, grips=True)
    push = PointWrench("top", np.array([30.0, 0, 0, 0, 0, 0]))
    tau = static_efforts(table(), np.zeros((1, 6)), wrenches=[push])
    found = solve_reactions(table(), np.zeros((1, 6)), supports=[ball], tau=tau)
    np.testing.assert_allclose(found.parts[0].positions[0, :, 2], 0.0, atol=1e-15)
    assert found.is_balanced.all()  # the push is level with the floor, so nothing tilts


@pytest.mark.parametrize("seed", range(10))
def test_a_root_may_be_placed_and_turned_anyhow(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, floating=True)
    q = random_posture(model, rng)[None]
    feet = Support("feet", tuple(ControlPoint("base", Pose.at(*p)) for p in np.eye(3)), grips=True)
    found = solve_reactions(model, q, supports=[feet])
    assert found.is_balanced.all()
    mass = sum(
        body.mass for body in model.bodies if any(b.name == "base" for b in model.chain(body.name))
    )
    np.testing.assert_allclose(found.parts[0].force[0], [0, 0, mass * 9.81], atol=1e-6)


def test_wrong_arguments_are_refused() -> None:
    arm = Model("arm", (Body("link", Joint("hinge", "revolute")),))
    with pytest.raises(ValueError, match="arm has 0 floating roots"):
        solve_reactions(arm, [[0.0]], supports=[])
    other = Body("pillar", Joint("bolts"))
    both = replace(table(), bodies=(*table().bodies, other))
    with pytest.raises(ValueError, match="does not move with the floating root"):
        solve_reactions(both, np.zeros((1, 6)), supports=[Support("a", ("pillar",))])
    with pytest.raises(ValueError, match=r"`when` has shape \(3,\) for 1 postures"):
        solve_reactions(
            table(), np.zeros((1, 6)), supports=[replace(four_feet()[0], when=np.ones(3, bool))]
        )
    cases: list[dict[str, Any]] = [
        {"normal": (0, 0, 0)},
        {"friction": -0.1},
        {"weight": 0.0},
        {"radius": np.nan},
    ]
    for wrong in cases:
        with pytest.raises(ValueError, match="support 'a'"):
            Support("a", ("top",), **wrong)
    with pytest.raises(ValueError, match="needs at least one point"):
        Support("a", ())
