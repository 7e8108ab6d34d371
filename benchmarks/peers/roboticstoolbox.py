"""Robotics Toolbox for Python: Levenberg-Marquardt with random restarts in C++ (`ik_LM`)."""
# mypy: disable-error-code="import-not-found"

import roboticstoolbox as rtb
from workloads import ReachWork
from yardstick import Array

from peers.protocol import Reach, serve


def make_reacher(work: ReachWork) -> Reach:
    """Use the toolbox's Panda; `chan` with k = 0.1 was the fastest of its methods and gains."""
    ets = rtb.models.Panda().ets(end=work.tip)
    poses, starts = list(work.poses), list(work.starts[:, 0])
    # The toolbox stops at half the squared length of the whole error: both parts are in tolerance.
    tolerance = work.tolerance**2 / 2

    def reach(k: int) -> Array | None:
        solution = ets.ik_LM(
            poses[k], q0=starts[k], tol=tolerance, joint_limits=True, k=0.1, method="chan"
        )
        return solution.q if solution.success else None

    return reach


if __name__ == "__main__":
    serve(packages=["roboticstoolbox-python"], reacher=make_reacher)
