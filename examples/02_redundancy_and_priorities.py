"""Redundancy: what an arm does with the joints that its task leaves over.

The flange is to stay at one place while the elbow is to go to another, which it cannot reach. The
four methods settle that quarrel differently, and choosing one is one argument.

Run it with `python examples/02_redundancy_and_priorities.py`.
"""

from collections.abc import Sequence
from typing import get_args

import numpy as np

import robotix as rx
from robotix.kinematics import Task
from robotix.kinematics.solver import Method

DT = 1 / 120  # s


def main(ticks: int = 400) -> dict[str, tuple[float, float]]:
    """Return for each method how far flange and elbow end from their targets, in m."""
    start = rx.Posture(rx.load("kuka_lwr"), [0.3, -0.6, 0.0, 1.4, 0.0, 0.8, 0.0])
    far_aside = start.position("elbow") + np.array([0.0, 0.3, 0.0])
    tasks = (
        rx.PointTask("flange", start.position(), priority=0),
        rx.PointTask("elbow", far_aside, priority=1, gain=5.0),
    )
    return {method: settle(start, tasks, method=method, ticks=ticks) for method in get_args(Method)}


def settle(
    start: rx.Posture, tasks: Sequence[Task], *, method: Method, ticks: int
) -> tuple[float, float]:
    """Run one method until nothing moves any more; return what is missing."""
    solver = rx.Solver(start.model, tasks, dt=DT, method=method)
    solver.q[:] = start.q
    for _ in range(ticks):
        solver.tick()
    end = rx.Posture(start.model, solver.q)
    flange, elbow = (float(np.linalg.norm(task.error(end))) for task in tasks)
    return flange, elbow


if __name__ == "__main__":
    for name, (flange, elbow) in main().items():
        print(f"{name:>6}: flange {1e3 * flange:7.3f} mm off, elbow {1e3 * elbow:7.3f} mm off")
