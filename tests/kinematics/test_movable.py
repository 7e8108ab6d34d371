"""A search moves the joints that can help its tasks, and no other."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.public_robots import public_urdfs
from support.random_trees import make_random_tree, random_posture

from robotix.errors import UnknownName
from robotix.kinematics import (
    ComTask,
    PointTask,
    Posture,
    PostureTask,
    RelativeTask,
    Searcher,
    solve,
    solve_batch,
)
from robotix.kinematics.movable import helpful_dofs
from robotix.kinematics.point_location import moving_dofs
from robotix.model import Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf

TIPS = {  # well-known robots with more joints than one hand needs
    "talos_full_v2.urdf": "gripper_left_base_link",
    "baxter.urdf": "left_gripper",
    "tiago.urdf": "wrist_ft_tool_link",
    "pr2.urdf": "l_gripper_palm_link",
    "panda.urdf": "panda_hand",
}
TARGETS, SOAK_TARGETS = 40, 1000


def robot(name: str) -> Model:
    """Return a robot of example-robot-data by the name of its file."""
    found = [path for path in public_urdfs().values() if Path(path).name == name]
    return load_urdf(found[0])


def check_one_hand(name: str, targets: int) -> float:
    """Solve for one hand of a robot; return the CPU time of one `solve`, in s."""
    model, point = robot(name), TIPS[name]
    others = np.setdiff1d(np.arange(model.n_dof), moving_dofs(model, point))
    assert len(others)
    rng = np.random.default_rng(1)
    goals = [Posture(model, random_posture(model, rng)).pose(point) for _ in range(targets)]
    q0 = random_posture(model, rng)
    start = time.process_time()
    found = [solve(model, goal, point=point, q0=q0) for goal in goals]
    taken = time.process_time() - start
    for each, goal in zip(found, goals, strict=True):
        assert each.converged
        assert (each.q[others] == q0[others]).all()
        reached = Posture(model, each.q).pose(point)
        assert np.abs(reached.matrix - goal.matrix).max() < 1e-4
    batch = solve_batch(
        model, [g.translation for g in goals], [g.rotation for g in goals], point=point, q0=q0
    )
    assert batch.converged.all()
    assert (batch.q[:, others] == q0[others]).all()
    return taken / targets


@pytest.mark.parametrize("name", TIPS)
def test_joints_off_the_chain_stay_where_they_were(name: str) -> None:
    check_one_hand(name, TARGETS)


@pytest.mark.soak
@pytest.mark.parametrize("name", TIPS)
def test_joints_off_the_chain_stay_where_they_were_in_a_thousand_targets(
    name: str, figures: Callable[[str, str, str], None]
) -> None:
    taken = check_one_hand(name, SOAK_TARGETS)
    figures(
        "solving for one hand moves nothing else, and always succeeds",
        f"{name}, {SOAK_TARGETS} targets",
        f"{1e3 * taken:.2f} ms of CPU each",
    )


def test_chosen_joints_move_and_locked_ones_rest() -> None:
    model = load("kuka_lwr")
    names = model.dof_names
    q0 = random_posture(model, np.random.default_rng(3))
    goal = Posture(model, random_posture(model, np.random.default_rng(4))).position()
    found = solve(model, goal, q0=q0, locked=[names[1]])
    assert found.converged
    assert found.q[1] == q0[1]
    chosen = solve(model, goal, q0=q0, joints=names[:4])
    assert (chosen.q[4:] == q0[4:]).all()
    many = solve_batch(model, [goal] * 3, q0=q0, locked=names[2])
    assert (many.q[:, 2] == q0[2]).all()
    with pytest.raises(UnknownName, match="moving joint"):
        solve(model, goal, joints=["elbow"])


def test_a_posture_task_moves_only_its_own_joints() -> None:
    model = load("kuka_lwr")
    weights = np.zeros(model.n_dof)
    weights[2] = 1.0
    task = PostureTask(np.full(model.n_dof, 0.5), joint_weights=weights)
    q0 = np.full(model.n_dof, 0.1)
    found = solve(model, [task], q0=q0)
    assert np.allclose(found.q, [0.1, 0.1, 0.5, 0.1, 0.1, 0.1, 0.1], atol=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_the_helpful_coordinates_are_those_with_a_column(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng)
    postures = [Posture(model, random_posture(model, rng)) for _ in range(4)]
    ends = [body.name for body in model.bodies]
    first, second = rng.choice(ends), rng.choice(ends)
    pose = postures[0].pose(first)
    for task in (
        PointTask(first, pose.translation),
        ComTask(postures[0].com),
        RelativeTask(first, second, pose),
    ):
        helpful = helpful_dofs(model, [task])
        idle = np.setdiff1d(np.arange(model.n_dof), helpful)
        for posture in postures:
            assert np.abs(task.jacobian(posture)[:, idle]).max(initial=0.0) < 1e-12


def test_a_kept_searcher_answers_as_a_new_one() -> None:
    model = load("kuka_lwr")
    rng = np.random.default_rng(5)
    for _ in range(5):
        pose = Posture(model, random_posture(model, rng)).pose()
        again = [solve(model, pose), solve(model, pose.translation), solve(model, pose.matrix)]
        fresh = Searcher(model, [PointTask(None, pose.translation)]).solve()
        assert (again[0].q == again[2].q).all()
        assert (again[1].q == fresh.q).all()
