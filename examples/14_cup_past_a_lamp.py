"""Carry a cup past a lamp, with an arm on the rail of a wheelchair.

The flange follows a straight line twice. Left alone, the elbow goes into the lamp; told to keep
its distance, it ducks, and the cup stays on its line: eight joints for six numbers.

Run it with `python examples/14_cup_past_a_lamp.py`, and with `--out cup.mcap` to keep the motion.
"""

import sys
from pathlib import Path

import numpy as np

import robotix as rx
from robotix.geometry import Array, Box, Sphere
from robotix.kinematics import Clearance, Limits, Obstacle
from robotix.kinematics.criteria import LimitDistance
from robotix.kinematics.dexterity import isotropy
from robotix.motion import PosePath, Profile, Trajectory, make_move

DT = 1 / 120  # s
KEEP = 0.05  # m
READY = np.array([0.6, -0.4, -0.6, 0.0, 1.9, 0.0, 0.6, 0.0])  # beside the chair, elbow up
LEFT, RIGHT = (rx.Pose.at(0.85, y, 0.90, rpy=(0, np.pi / 2, 0)) for y in (0.70, -0.05))
OBSTACLES = {
    "table": Obstacle(Box(np.array([0.45, 1.30, 0.04]), rx.Pose.at(1.08, 0.25, 0.72)), KEEP),
    "lamp": Obstacle(Sphere(0.10, rx.Pose.at(0.60, 0.40, 1.30)), KEEP),
}


def follow(model: rx.Model, q: Array, *, line: Trajectory, keep_clear: bool) -> rx.Motion:
    """Follow a line with the flange, clear of the obstacles or not."""
    clearance = Clearance(model, OBSTACLES)
    solver = rx.Solver(
        model,
        [rx.PoseTask(None, line.pose(0.0))],
        dt=DT,
        method="qp",
        criterion=LimitDistance(gain=0.5),
        max_inequalities=clearance.max_gaps,
        limits=Limits.of(model, accelerate=True),
    )
    times, path, dq = DT * np.arange(round(line.duration / DT) + 1), [q], np.zeros(model.n_dof)
    for t in times[:-1]:
        # The error is that of now; the feed-forward is the mean velocity until the next tick.
        solver.replace(0, rx.PoseTask(None, line.pose(t), twist=line.twist(t + DT / 2)))
        step = clearance.step(solver, path[-1], dq) if keep_clear else solver.step(path[-1], dq)
        path.append(step.q)
        dq = step.dq
    return rx.Motion.of(model, times, q=path)


def main(out: Path | None = None) -> dict[str, float]:
    """Return the least distances to the obstacles and the cup's error on the way, in m."""
    model = rx.load("kuka_lwr_rail")
    found = rx.solve(model, LEFT, q0=READY)
    line = Trajectory(PosePath.straight(LEFT, RIGHT), Profile.minimum_jerk(4.0))
    clearance, least = Clearance(model, OBSTACLES), {}
    for name, keep_clear in (("left alone", False), ("keeping clear", True)):
        motion = follow(model, found.q, line=line, keep_clear=keep_clear)
        postures = [rx.Posture(model, q) for q in motion.q]
        least[name] = min(KEEP + clearance.slack(posture) for posture in postures)
        worst = min(isotropy(posture) for posture in postures)
        print(f"{name}: {1e3 * least[name]:.1f} mm at the nearest, isotropy at least {worst:.2f}")
    wanted = np.array([line.pose(t).translation for t in motion.times])
    tips = np.array([posture.position() for posture in postures])
    least["cup off its line"] = float(np.linalg.norm(tips - wanted, axis=1).max())
    if out is not None:
        reach = make_move(READY, found.q.tolist(), model=model, dt=DT)
        rx.save_motion(out, reach.then(motion, gap=0.5))  # half a second to grasp
    return least


if __name__ == "__main__":
    where = Path(sys.argv[2]) if sys.argv[1:2] == ["--out"] else None
    print(f"the cup was at most {1e3 * main(where)['cup off its line']:.2f} mm off its line")
