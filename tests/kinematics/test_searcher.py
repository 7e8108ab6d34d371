"""Global search: what can be reached is found, what cannot is neared, and the result says which."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.library_arms import ARMS
from support.public_robots import public_urdfs
from support.random_trees import make_random_tree, random_posture

from robotix.geometry import Array, Pose, rotation_about
from robotix.kinematics import (
    ComTask,
    Limits,
    OrientationTask,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    Searcher,
    Task,
    solve,
    solve_batch,
)
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf


def reachable(model: Model, count: int, *, seed: int = 0) -> tuple[Array, Array]:
    """Return positions and rotations of random postures."""
    rng = np.random.default_rng(seed)
    poses = [Posture(model, random_posture(model, rng)).pose() for _ in range(count)]
    return np.array([p.translation for p in poses]), np.array([p.rotation for p in poses])


def planar_arm(*lengths: float, **limits: Any) -> Model:
    """Return hinges about z with links along x."""
    bodies: list[Body] = []
    at = 0.0
    for i, length in enumerate(lengths):
        joint = Joint(f"hinge{i}", "revolute", **limits)
        parent = bodies[-1].name if bodies else None
        bodies.append(Body(f"link{i}", joint, parent, Pose(translation=np.array([at, 0.0, 0.0]))))
        at = length
    tip = ControlPoint(bodies[-1].name, Pose(translation=np.array([at, 0.0, 0.0])))
    return Model("planar", tuple(bodies), points={"tip": tip}, tip="tip")


# -- reachable ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_reachable_poses_are_found_by_every_library_robot(name: str) -> None:
    model = load(name)
    positions, rotations = reachable(model, 1000)
    found = solve_batch(model, positions, rotations, tolerance=1e-5)
    assert found.converged.sum() >= 999
    assert (found.q >= model.lower).all() and (found.q <= model.upper).all()
    for q, place, turn in zip(found.q[:50], positions, rotations, strict=False):
        task = PoseTask(None, Pose(turn, place))
        assert np.linalg.norm(task.error(Posture(model, q))) <= 1e-5 + 1e-9


@pytest.mark.parametrize("name", ARMS)
def test_reachable_places_are_found_with_the_rotation_free(name: str) -> None:
    model = load(name)
    positions, _ = reachable(model, 300, seed=1)
    found = solve_batch(model, positions)
    assert found.converged.all()
    assert (found.error <= 1e-6).all()
    assert (found.q >= model.lower).all() and (found.q <= model.upper).all()


def test_a_start_at_the_answer_needs_no_iteration() -> None:
    model = load("panda")
    q = random_posture(model, np.random.default_rng(2))
    solution = solve(model, Posture(model, q).pose(), q0=q)
    assert solution.converged and solution.iterations == 0 and solution.restarts == 0
    np.testing.assert_array_equal(solution.q, q)
    assert 0 <= solution.seconds < 1


def test_a_start_outside_the_limits_ends_inside() -> None:
    model = load("panda")
    target = Posture(model, random_posture(model, np.random.default_rng(3))).pose()
    solution = solve(model, target, q0=np.full(7, 9.0))
    assert solution.converged
    assert (solution.q >= model.lower).all() and (solution.q <= model.upper).all()


def test_own_limits_are_kept() -> None:
    model = load("panda")
    tight = Limits(model.lower / 2 - 0.5, model.upper / 2, model.velocity, np.full(7, np.inf))
    rng = np.random.default_rng(4)
    for _ in range(20):
        target = Posture(model, rng.uniform(tight.lower, tight.upper)).pose()
        solution = solve(model, target, limits=tight)
        assert solution.converged
        assert (solution.q >= tight.lower).all() and (solution.q <= tight.upper).all()


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_reach_what_they_can(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, most=8, floating=seed % 3 == 0)
    target = Posture(model, random_posture(model, rng)).position()
    solution = solve(model, target)
    assert solution.converged
    assert np.linalg.norm(Posture(model, solution.q).position() - target) <= 1e-6 + 1e-12


def test_a_humanoid_meets_hands_feet_and_balance_at_once() -> None:
    model = load_urdf(public_urdfs()["talos_data/robots/talos_reduced.urdf"], floating=True)
    rng, points = np.random.default_rng(5), [
        "left_sole_link", "right_sole_link", "gripper_left_base_link", "gripper_right_base_link",
    ]  # fmt: skip
    good = 0
    for _ in range(10):
        q = np.clip(model.neutral + 0.2 * rng.normal(size=model.n_dof), model.lower, model.upper)
        goal = Posture(model, q)
        tasks: list[Task] = [PoseTask(point, goal.pose(point)) for point in points]
        tasks.append(ComTask(goal.com))
        solution = solve(model, tasks, restarts=20)
        at = Posture(model, solution.q)
        error = np.linalg.norm(np.concatenate([task.error(at) for task in tasks]))
        assert solution.error == pytest.approx(error, rel=1e-6, abs=1e-12)
        assert solution.converged == (error <= 1e-6)
        assert (solution.q >= model.lower).all() and (solution.q <= model.upper).all()
        good += solution.converged
    assert good == 10


# -- unreachable ----------------------------------------------------------------------------


def test_a_place_out_of_reach_is_pointed_at() -> None:
    model, rng = planar_arm(0.5, 0.4, 0.3), np.random.default_rng(6)
    for _ in range(20):
        angle, far, height = rng.uniform(-3, 3), rng.uniform(1.21, 9), rng.normal()
        target = np.array([far * math.cos(angle), far * math.sin(angle), height])
        solution = solve(model, target, restarts=5)
        assert not solution.converged
        assert solution.error == pytest.approx(math.hypot(far - 1.2, height), rel=1e-6)


def test_a_place_off_the_plane_is_met_in_the_plane() -> None:
    model = planar_arm(0.5, 0.4, 0.3)
    solution = solve(model, [0.6, 0.5, 0.25], restarts=5)
    assert not solution.converged
    assert solution.error == pytest.approx(0.25, rel=1e-9)


def test_a_place_too_near_is_neared_as_far_as_a_long_link_allows() -> None:
    model = planar_arm(1.0, 0.4)  # never nearer to the base than 0.6
    solution = solve(model, [0.2, 0.1, 0.0], restarts=10)
    assert not solution.converged
    assert solution.error == pytest.approx(0.6 - math.hypot(0.2, 0.1), rel=1e-6)


def test_joint_limits_decide_what_is_nearest() -> None:
    model = planar_arm(1.0, lower=-0.5, upper=0.5)
    solution = solve(model, [0.0, 1.0, 0.0], restarts=5)
    assert not solution.converged
    np.testing.assert_allclose(solution.q, [0.5], atol=1e-9)
    assert solution.error == pytest.approx(math.dist([0, 1], [math.cos(0.5), math.sin(0.5)]))


def test_weights_decide_between_tasks_that_exclude_each_other() -> None:
    model = planar_arm(1.0)
    tasks = [PostureTask(np.array([0.0]), weight=1.0), PostureTask(np.array([1.0]), weight=3.0)]
    solution = solve(model, tasks, restarts=2)
    assert not solution.converged
    np.testing.assert_allclose(solution.q, [0.75], atol=1e-6)
    assert solution.error == pytest.approx(math.sqrt(0.75**2 + 3 * 0.25**2))


def test_partial_rotations_leave_the_rest_free() -> None:
    model = load("panda")
    upright = OrientationTask(None, rotation_about([1, 0, 0], math.pi), "xy")
    place = PointTask(None, np.array([0.4, 0.2, 0.4]))
    tasks: list[Task] = [place, upright]
    solution = solve(model, tasks)
    assert solution.converged


# -- the same every time --------------------------------------------------------------------


def test_a_batch_does_not_depend_on_threads() -> None:
    model = load("panda")
    positions, rotations = reachable(model, 700)
    positions[::7] *= 5  # some that need every restart
    runs = [solve_batch(model, positions, rotations, threads=n, restarts=5) for n in (1, 2, 3, 16)]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.q, runs[0].q)
        np.testing.assert_array_equal(run.error, runs[0].error)
        np.testing.assert_array_equal(run.iterations, runs[0].iterations)
    assert 550 < runs[0].converged.sum() <= 600


def test_seeds_decide() -> None:
    model, target = load("panda"), np.array([3.0, 1.0, 2.0])
    one, again, other = (solve(model, target, restarts=3, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.q, again.q)
    assert one.iterations == again.iterations
    assert one.iterations != other.iterations


def test_a_searcher_is_as_good_the_second_time() -> None:
    model = load("panda")
    positions, rotations = reachable(model, 10)
    searcher = Searcher(model, [PoseTask(None, Pose())])
    for place, turn in zip(positions, rotations, strict=True):
        target = Pose(turn, place)
        fresh = solve(model, target)
        used = searcher.solve(target)
        np.testing.assert_array_equal(used.q, fresh.q)
        assert used.converged


def test_an_empty_batch_is_empty() -> None:
    found = solve_batch(load("panda"), np.zeros((0, 3)))
    assert found.q.shape == (0, 7) and found.converged.shape == (0,)


# -- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [[1.0, 2.0], [math.nan, 0, 0], [], "up"])
def test_targets_that_are_none_are_refused(target: Any) -> None:
    with pytest.raises(ValueError):
        solve(load("panda"), target)


@pytest.mark.parametrize(
    "options",
    [{"tolerance": 0.0}, {"tolerance": math.nan}, {"iterations": 0}, {"restarts": -1},
     {"q0": np.zeros(6)}, {"q0": np.full(7, math.nan)}, {"limits": Limits.of(load("ur5"))}],
)  # fmt: skip
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        solve(load("panda"), [0.4, 0.0, 0.4], **options)


@pytest.mark.parametrize(
    ("positions", "rotations"),
    [
        (np.zeros((3, 4)), None),
        (np.zeros((2, 2, 3)), None),
        (np.full((2, 3), math.inf), None),
        (np.zeros((4, 3)), np.zeros((3, 3, 3))),
        (np.zeros((4, 3)), np.zeros((4, 9))),
        (np.zeros((1, 3)), np.full((1, 3, 3), math.nan)),
    ],
)
def test_batches_of_the_wrong_shape_are_refused(positions: Array, rotations: Array | None) -> None:
    with pytest.raises(ValueError):
        solve_batch(load("panda"), positions, rotations)
