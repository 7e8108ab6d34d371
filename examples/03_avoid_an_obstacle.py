"""Keep clear of an obstacle, whatever the hand is told to do.

The target runs straight through a ball. The arm keeps its distance, and follows as well as it can.

Run it with `python examples/03_avoid_an_obstacle.py`.
"""

import numpy as np

import robotix as rx
from robotix.geometry import Sphere
from robotix.kinematics import Clearance, Obstacle
from robotix.motion import Line, PosePath, Profile, Trajectory

DT = 1 / 120  # s
KEEP = 0.05  # m


def main() -> float:
    """Return the least distance between arm and ball on the way, in m."""
    model = rx.load("kuka_lwr")
    ball = Obstacle(Sphere(0.08, rx.Pose.at(0.5, 0.0, 0.5)), distance=KEEP)
    clearance = Clearance(model, {"ball": ball})

    line = Trajectory(
        PosePath(Line(np.array([0.5, 0.35, 0.5]), np.array([0.5, -0.35, 0.5]))),
        Profile.minimum_jerk(3.0),
    )
    target = rx.PointTask(None, line.pose(0.0).translation)
    solver = rx.Solver(model, [target], dt=DT, max_inequalities=clearance.max_gaps)

    q = rx.solve(model, target, q0=[0.5, -0.6, 0.0, 1.4, 0.0, 0.8, 0.0]).q
    least, farthest = np.inf, 0.0
    for tick in range(round(line.duration / DT)):
        solver.positions[0] = line.pose(tick * DT).translation
        q = clearance.step(solver, q).q
        posture = rx.Posture(model, q)
        least = min(least, KEEP + clearance.slack(posture))
        miss = posture.position() - line.pose(tick * DT).translation
        farthest = max(farthest, float(np.linalg.norm(miss)))
    print(
        f"the flange was at most {farthest:.3f} m behind, and is {np.linalg.norm(miss):.3f} m off"
    )
    return least


if __name__ == "__main__":
    print(f"the arm came no nearer than {1e3 * main():.1f} mm; {1e3 * KEEP:.0f} mm were asked for")
