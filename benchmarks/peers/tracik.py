"""TRAC-IK (pytracik): two searches at once, each in a thread of its own, in C++."""
# mypy: disable-error-code="import-not-found"

from trac_ik import TracIK
from workloads import ReachWork
from yardstick import Array

from peers.protocol import Reach, serve

TIMEOUT = 0.1  # s; it restarts until then, and stops at the first solution


def make_reacher(work: ReachWork) -> Reach:
    """Solve for speed; TRAC-IK bounds each component of the error, so that a third is its share."""
    solver = TracIK(
        work.base, work.tip, work.urdf, timeout=TIMEOUT, epsilon=work.tolerance / 3**0.5
    )
    positions, rotations = list(work.poses[:, :3, 3]), list(work.poses[:, :3, :3])
    starts = list(work.starts[:, 0])

    def reach(k: int) -> Array | None:
        q: Array | None = solver.ik(positions[k], rotations[k], starts[k])
        return q

    return reach


if __name__ == "__main__":
    serve(packages=["pytracik"], reacher=make_reacher)
