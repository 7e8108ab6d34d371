"""robotix itself."""

import numpy as np
from workloads import ReachWork, TickWork
from yardstick import Array

from peers.protocol import Reach, ReachAll, serve
from robotix.geometry import Pose
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.searcher import Searcher, solve_batch
from robotix.kinematics.solver import Damping, Solver
from robotix.kinematics.tasks import ComTask, PoseTask, PostureTask
from robotix.model.urdf.reader import load_urdf


class RobotixTicker:
    """The humanoid in robotix: all tasks at one priority, full steps, limits of the model."""

    def __init__(self, work: TickWork) -> None:
        model = load_urdf(work.urdf, floating=True)
        full = 1 / work.dt  # gain that asks for the whole error within one tick
        tasks = [
            PoseTask(name, Pose(), gain=full, weight=float(weight))
            for name, weight in zip(work.frames, work.frame_weights, strict=True)
        ]
        com = ComTask(np.zeros(3), gain=full, weight=work.com_weight)
        damping = Damping(k=work.damping**0.5, law="constant", reach=0.0)
        self.slots = [model.dof_index(name) for name in work.joints]
        self.home = np.concatenate([work.home[:3], rotation_vector(work.home[3:7]), work.home[7:]])
        self.home[self.slots] = work.home[7:]
        held = [] if work.angles is None else [self._posture(work, full)]
        self.solver = Solver(model, [*tasks, com, *held], dt=work.dt, method="dls", damping=damping)
        self.positions = [
            np.vstack([poses[:, :3, 3], com])
            for poses, com in zip(work.poses, work.com, strict=True)
        ]
        self.rotations = [poses[:, :3, :3].copy() for poses in work.poses]
        self.postures: list[Array] = []
        if work.angles is not None:  # in the order of the coordinates, as the task has them
            self.postures = list(work.angles[:, np.argsort(self.slots)])
            self.goals = self.solver.arena[FloatBlock.POSTURE_TARGETS][:, 0]

    def _posture(self, work: TickWork, gain: float) -> PostureTask:
        """Return the task to have given angles; the root, which is no joint, does not count."""
        counts = np.zeros(len(self.home))
        counts[self.slots] = 1.0
        return PostureTask(self.home, counts, gain=gain, weight=work.posture_weight)

    def reset(self) -> None:
        """Go home."""
        self.solver.q[:] = self.home
        self.solver.dq[:] = 0.0

    def tick(self, k: int) -> None:
        """Set the targets and advance, kinematics and all in one compiled call."""
        solver = self.solver
        solver.positions[:5] = self.positions[k]
        solver.rotations[:4] = self.rotations[k]
        if self.postures:
            self.goals[:] = self.postures[k]
        solver.tick()

    def q(self) -> Array:
        """Return the posture; the root's rotation vector becomes a quaternion."""
        q = self.solver.q
        half = q[3:6] / 2
        quaternion = [np.cos(np.linalg.norm(half)), *(np.sinc(np.linalg.norm(half) / np.pi) * half)]
        return np.concatenate([q[:3], quaternion, q[self.slots]])


def rotation_vector(quaternion: Array) -> Array:
    """Return the rotation vector of a quaternion (w, x, y, z) that turns by less than half."""
    w, xyz = quaternion[0], quaternion[1:]
    sine = float(np.linalg.norm(xyz))
    return xyz * (2 * np.arctan2(sine, w) / sine if sine > 1e-12 else 2.0)


def make_reacher(work: ReachWork) -> Reach:
    """Solve one by one, as a user would who has many to solve."""
    model = load_urdf(work.urdf)
    slots = [model.dof_index(name) for name in work.joints]
    targets = [Pose(pose[:3, :3], pose[:3, 3]) for pose in work.poses]
    starts = np.empty_like(work.starts[:, 0])
    starts[:, slots] = work.starts[:, 0]

    searcher = Searcher(model, [PoseTask(work.tip, Pose())], tolerance=work.tolerance)

    def reach(k: int) -> Array | None:
        found = searcher.solve(targets[k], q0=starts[k])
        return found.q[slots] if found.converged else None

    return reach


def make_batcher(work: ReachWork) -> ReachAll:
    """Solve all in one call, in one thread."""
    model = load_urdf(work.urdf)
    slots = [model.dof_index(name) for name in work.joints]
    places, turns = work.poses[:, :3, 3].copy(), work.poses[:, :3, :3].copy()

    def reach_all() -> Array:
        found = solve_batch(model, places, turns, point=work.tip, tolerance=work.tolerance)
        return np.where(found.converged[:, None], found.q[:, slots], np.nan)

    return reach_all


if __name__ == "__main__":
    serve(packages=["numba"], ticker=RobotixTicker, reacher=make_reacher, batcher=make_batcher)
