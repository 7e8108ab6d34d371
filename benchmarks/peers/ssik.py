"""ssik: analytic inverse kinematics in C++, made for this arm in advance, redundancy sampled."""
# mypy: disable-error-code="import-not-found"

from ssik.prebuilt.franka import panda_ik
from workloads import ReachWork
from yardstick import Array

from peers.protocol import Reach, serve


def make_reacher(work: ReachWork) -> Reach:
    """Ask for one solution within the limits; an analytic solver needs no start."""
    poses = list(work.poses)

    def reach(k: int) -> Array | None:
        solutions = panda_ik.solve(poses[k], max_solutions=1)
        return solutions[0].q if solutions else None

    return reach


if __name__ == "__main__":
    serve(packages=["ssik"], reacher=make_reacher)
