"""What happens on the tour: an arm on a wheelchair carries a cup past a lamp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array, Box, Pose, Sphere
from robotix.kinematics import (
    Clearance,
    Limits,
    Obstacle,
    PoseTask,
    Posture,
    Solution,
    Solver,
    solve,
)
from robotix.kinematics.criteria import LimitDistance
from robotix.kinematics.dexterity import isotropy
from robotix.model import Model
from robotix.model.robots import load
from robotix.motion import Marker, Motion, PosePath, Profile, Trajectory, make_move

__all__ = ["DT", "KEEP", "ROBOT", "Drive", "Tour", "drive", "take_tour"]

ROBOT = "kuka_lwr_rail"
DT = 1 / 120  # s
KEEP = 0.05  # m
GRASPING = 0.5  # s, between the reach and the line

FORWARDS = Pose.at(0, 0, 0, rpy=(0, np.pi / 2, 0)).rotation  # the flange faces forwards
LEFT, RIGHT = (
    Pose(FORWARDS, np.array([0.85, 0.70, 0.90])),
    Pose(FORWARDS, np.array([0.85, -0.05, 0.90])),
)
READY = np.array([0.6, -0.4, -0.6, 0.0, 1.9, 0.0, 0.6, 0.0])  # beside the chair, elbow up
OBSTACLES: Mapping[str, Obstacle] = {
    "table": Obstacle(Box(np.array([0.45, 1.30, 0.04]), Pose.at(1.08, 0.25, 0.72)), KEEP),
    "lamp": Obstacle(Sphere(0.10, Pose.at(0.60, 0.40, 1.30)), KEEP),
}


@dataclass(frozen=True, eq=False)
class Drive:
    """How an arm followed a trajectory, tick by tick."""

    motion: Motion
    tip: Array  # (k, 3), m
    elbow: Array  # (k, 3), m
    error: Array  # (k,), m, from the tip to where it should be
    gap: Array  # (k,), m, nearest distance to an obstacle
    isotropy: Array  # (k,)


@dataclass(frozen=True, eq=False)
class Tour:
    """All that the tour shows."""

    model: Model
    target: Pose
    solution: Solution
    reach: Motion  # from the ready posture to the target
    plain: Drive  # the line, heedless of obstacles
    clear: Drive  # the line, clear of them

    @property
    def motion(self) -> Motion:
        """The reach and the line, as one motion."""
        whole = self.reach.then(self.clear.motion, gap=GRASPING)
        grasped = self.reach.duration + GRASPING
        moments = (0.0, "ready"), (grasped, "grasped"), (whole.duration, "put down")
        markers = [Marker(time, label) for time, label in moments]
        return Motion(whole.dofs, whole.times, whole.q, tuple(markers))


def take_tour() -> Tour:
    """Solve for the target, then follow the line twice."""
    model = load(ROBOT)
    found = solve(model, LEFT, q0=READY)
    line = Trajectory(PosePath.straight(LEFT, RIGHT), Profile.minimum_jerk(4.0))
    return Tour(
        model,
        LEFT,
        found,
        make_move(READY, found.q.tolist(), model=model, dt=DT),
        drive(model, found.q, line=line, keep_clear=False),
        drive(model, found.q, line=line, keep_clear=True),
    )


def drive(model: Model, q: Array, *, line: Trajectory, keep_clear: bool) -> Drive:
    """Follow a line with closed-loop inverse kinematics, clear of the obstacles or not."""
    clearance = Clearance(model, OBSTACLES)
    solver = Solver(
        model,
        [PoseTask(None, line.pose(0.0))],
        dt=DT,
        method="qp",
        criterion=LimitDistance(gain=0.5),
        max_inequalities=clearance.max_gaps,
        limits=Limits.of(model, accelerate=True),
    )
    postures, dq = [Posture(model, q)], np.zeros(model.n_dof)
    times = DT * np.arange(round(line.duration / DT) + 1)
    for t in times[:-1]:
        # The error is that of now; the feed-forward is the mean velocity until the next tick.
        solver.replace(0, PoseTask(None, line.pose(t), twist=line.twist(t + DT / 2)))
        now = postures[-1].q
        step = clearance.step(solver, now, dq) if keep_clear else solver.step(now, dq)
        postures.append(Posture(model, step.q))
        dq = step.dq
    tip = np.array([posture.position() for posture in postures])
    wanted = np.array([line.pose(t).translation for t in times])
    return Drive(
        Motion.of(model, times, q=[posture.q for posture in postures]),
        tip,
        np.array([posture.position("elbow") for posture in postures]),
        np.linalg.norm(tip - wanted, axis=1),
        np.array([clearance.slack(posture) + KEEP for posture in postures]),
        np.array([isotropy(posture) for posture in postures]),
    )
