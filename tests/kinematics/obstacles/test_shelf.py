"""A shelf that is one concave mesh: arms reach into it, and touch it neither inside nor outside."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import coal
import numpy as np
import pytest
from oracles.coal_oracle import placed, to_coal
from support.mesh_files import write_boxes
from support.public_robots import public_urdfs

from robotix.geometry import Array, Mesh, Pose
from robotix.kinematics import Clearance, Obstacle, PointTask, Posture, Solver, solve
from robotix.model import Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf

DT, KEEP, CUT = 1 / 120, 0.015, 1e-3  # s, m, m
HEIGHTS = (-0.35, -0.02, 0.31)  # m, of the boards
WIDTH, DEPTH, BOARD = 0.8, 0.3, 0.02  # m
AT = np.array([0.65, 0.0, 0.45])  # m, of the shelf's centre, in front of the robot
SAMPLE, SOAK_DRIVES, TICKS = 6, 1000, 80
REVERSAL = 0.5  # of the speed limit, from one way to the other within a tick


def write_shelf(folder: Path) -> Mesh:
    """Write a shelf of three boards, two walls and a back, in millimetres."""
    mm = 1000.0
    boards = [((0, 0, z * mm), (DEPTH * mm, WIDTH * mm, BOARD * mm)) for z in HEIGHTS]
    height = (HEIGHTS[-1] - HEIGHTS[0] + BOARD) * mm
    middle = (HEIGHTS[-1] + HEIGHTS[0]) / 2 * mm
    walls = [
        ((0, y * mm, middle), (DEPTH * mm, BOARD * mm, height)) for y in (-WIDTH / 2, WIDTH / 2)
    ]
    back = [((DEPTH / 2 * mm, 0, middle), (BOARD * mm, WIDTH * mm, height))]
    write_boxes(folder / "shelf.obj", [*boards, *walls, *back])
    return Mesh(str(folder / "shelf.obj"), (1e-3, 1e-3, 1e-3), Pose(translation=AT))


def robots() -> list[tuple[Model, str | None]]:
    """Return one arm of meshes and one of capsules, with their tips."""
    ur5 = next(path for name, path in public_urdfs().items() if name.endswith("ur5_robot.urdf"))
    return [(load_urdf(ur5), "wrist_3_link"), (load("kuka_lwr"), None)]


class Drives:
    """Drives of one robot into a shelf and out of it again."""

    def __init__(self, model: Model, tip: str | None, shelf: Mesh) -> None:
        self.model, self.tip = model, tip
        self.clearance = Clearance(model, {"shelf": Obstacle(shelf, KEEP)})
        task = PointTask(tip, np.zeros(3), gain=6.0)
        self.solver = Solver(model, [task], dt=DT, max_inequalities=self.clearance.max_gaps)
        self.solids = [
            (index, placed(shape.pose), to_coal(shape))
            for index, body in enumerate(model.bodies)
            if any(above.joint.kind != "fixed" for above in model.chain(body.name))
            for shape in body.collision
        ]
        self.shelf, self.where = to_coal(shelf), placed(shelf.pose)
        self.q = self.start()
        self.inside = 0  # drives in which the tip came between two boards
        self.least = math.inf  # m, of the distance by Coal
        self.sharpest = 0.0  # change of speed at a reversal, as part of the limit

    def start(self) -> Array:
        """Return a posture in front of the shelf."""
        for k in range(100):
            at = AT + np.array([-DEPTH / 2 - 0.15 - 0.01 * (k % 10), 0.02 * (k // 10), 0.1])
            found = solve(self.model, at, point=self.tip, seed=k)
            if found.converged and self.clearance.slack(Posture(self.model, found.q)) > 0.01:
                return found.q
        raise AssertionError("no posture in front of the shelf")

    def target(self, rng: np.random.Generator) -> Array:
        """Return a point between two boards, in one of them, behind the shelf or before it."""
        kind = rng.integers(4)
        side = rng.uniform(-0.3, 0.3)
        if kind == 0:
            x = -DEPTH / 2 - rng.uniform(0.1, 0.3)
            return np.asarray(AT + np.array([x, side, rng.uniform(-0.2, 0.2)]))
        if kind == 1:
            return np.asarray(AT + np.array([rng.uniform(-0.1, 0.3), side, rng.choice(HEIGHTS)]))
        return np.asarray(AT + np.array([rng.uniform(-0.1, 0.1), side, rng.choice([-0.18, 0.14])]))

    def judged(self) -> float:
        """Return the distance between robot and shelf by Coal, in m."""
        bodies = Posture(self.model, self.q).body_poses
        request, least = coal.DistanceRequest(), math.inf
        for k, offset, solid in self.solids:
            at = coal.Transform3s(bodies[k, :9].reshape(3, 3), bodies[k, 9:]) * offset
            found = coal.DistanceResult()
            least = min(least, coal.distance(solid, at, self.shelf, self.where, request, found))
        return least

    def drive(self, seed: int) -> None:
        """Go to one target from wherever the last drive ended."""
        self.solver.positions[0] = self.target(np.random.default_rng(seed))
        dq, reached = np.zeros(self.model.n_dof), False
        for tick in range(TICKS):
            step = self.clearance.step(self.solver, self.q, dq)
            back = np.where(step.dq * dq < 0, np.minimum(abs(step.dq), abs(dq)), 0.0)
            self.sharpest = max(self.sharpest, float((back / self.model.velocity).max()))
            self.q, dq = step.q, step.dq
            if tick % 4 == 3:
                self.least = min(self.least, self.judged())
            tip = Posture(self.model, self.q).position(self.tip) - AT
            reached = reached or bool((abs(tip) < [DEPTH / 2, WIDTH / 2, 0.3]).all())
        self.inside += reached


def run(folder: Path, drives: int) -> list[Drives]:
    """Drive both robots, in turn; return what was seen."""
    shelf = write_shelf(folder)
    seen = [Drives(model, tip, shelf) for model, tip in robots()]
    for seed in range(drives):
        seen[seed % len(seen)].drive(seed)
    return seen


def check(seen: list[Drives], drives: int) -> None:
    for each in seen:
        assert each.least > KEEP - CUT, each.model.name
        assert each.least < KEEP + 5e-3, each.model.name  # the shelf was in the way
        assert each.inside >= drives // 6, each.model.name
        assert each.sharpest < REVERSAL, each.model.name


def test_arms_reach_into_a_shelf_and_keep_clear_of_it(tmp_path: Path) -> None:
    check(run(tmp_path, SAMPLE), SAMPLE)


@pytest.mark.soak
def test_a_thousand_drives_into_a_shelf(
    tmp_path: Path, figures: Callable[[str, str, str], None]
) -> None:
    seen = run(tmp_path, SOAK_DRIVES)
    for each in seen:
        figures(
            f"a shelf that is one mesh is kept {1e3 * KEEP:.0f} mm clear of, inside and out",
            f"{each.model.name}, {SOAK_DRIVES // len(seen)} drives, {each.inside} into it",
            f"nearest {1e3 * each.least:.2f} mm by Coal, reversal {each.sharpest:.0%} of the speed",
        )
    check(seen, SOAK_DRIVES)
