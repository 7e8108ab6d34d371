"""placo: C++ task-space QP (eiquadprog) on Pinocchio."""
# mypy: disable-error-code="import-not-found"

import numpy as np
import placo
from workloads import ReachWork, TickWork
from yardstick import Array

from peers.protocol import LOOP_DAMPING, LOOP_ITERATIONS, Reach, first_success, serve


class PlacoTicker:
    """The humanoid in placo: soft frame and CoM tasks, joint and velocity limits."""

    def __init__(self, work: TickWork) -> None:
        self.work = work
        self.robot = placo.RobotWrapper(work.urdf, placo.Flags.ignore_collisions)
        self.solver = placo.KinematicsSolver(self.robot)
        self.solver.dt = work.dt
        self.solver.problem.regularization = work.damping
        self.solver.enable_joint_limits(True)
        self.solver.enable_velocity_limits(True)
        self.frames = []
        for name, weight in zip(work.frames, work.frame_weights, strict=True):
            task = self.solver.add_frame_task(name, np.eye(4))
            task.configure(name, "soft", weight, weight)
            self.frames.append(task)
        self.com = self.solver.add_com_task(np.zeros(3))
        self.com.configure("com", "soft", work.com_weight)
        self.postures = []
        if work.angles is not None:
            self.posture = self.solver.add_joints_task()
            self.posture.configure("posture", "soft", work.posture_weight)
            rows = work.angles.tolist()
            self.postures = [dict(zip(work.joints, row, strict=True)) for row in rows]
        self.targets = [list(poses) for poses in work.poses]
        self.com_targets = list(work.com)
        self.slots = [self.robot.get_joint_offset(name) for name in work.joints]

    def reset(self) -> None:
        """Go home."""
        position, (w, x, y, z), angles = np.split(self.work.home, [3, 7])
        state = self.robot.state.q.copy()
        state[:7] = *position, x, y, z, w
        state[self.slots] = angles
        self.robot.state.q = state
        self.robot.update_kinematics()

    def tick(self, k: int) -> None:
        """Solve, apply and update, as placo's examples do."""
        for task, target in zip(self.frames, self.targets[k], strict=True):
            task.T_world_frame = target
        self.com.target_world = self.com_targets[k]
        if self.postures:
            self.posture.set_joints(self.postures[k])
        self.solver.solve(True)
        self.robot.update_kinematics()

    def q(self) -> Array:
        """Return the posture."""
        state = self.robot.state.q
        return np.concatenate([state[:3], state[[6, 3, 4, 5]], state[self.slots]])


def make_reacher(work: ReachWork) -> Reach:
    """Iterate placo's solver from each start until the tip is there."""
    robot = placo.RobotWrapper(work.urdf, placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)
    solver.enable_joint_limits(True)
    solver.problem.regularization = LOOP_DAMPING
    task = solver.add_frame_task(work.tip, np.eye(4))
    task.configure("tip", "soft", 1.0, 1.0)
    position, orientation = task.position(), task.orientation()
    slots = [robot.get_joint_offset(name) for name in work.joints]

    def attempt(start: Array) -> Array | None:
        state = robot.state.q.copy()
        state[slots] = start
        robot.state.q = state
        robot.update_kinematics()
        for _ in range(LOOP_ITERATIONS):
            solver.solve(True)
            robot.update_kinematics()
            if position.error_norm() < work.tolerance and orientation.error_norm() < work.tolerance:
                return np.array(robot.state.q[slots])
        return None

    def reach(k: int) -> Array | None:
        task.T_world_frame = work.poses[k]
        return first_success(work.starts[k], attempt)

    return reach


if __name__ == "__main__":
    serve(packages=["placo", "pin"], ticker=PlacoTicker, reacher=make_reacher)
