"""pink: Python task-space QP on Pinocchio, solved by DAQP."""
# mypy: disable-error-code="import-not-found"

import numpy as np
import pink
import pinocchio as pin
from pink.limits import ConfigurationLimit, VelocityLimit
from pink.tasks import ComTask, FrameTask, PostureTask
from workloads import ReachWork, TickWork
from yardstick import Array

from peers.protocol import LOOP_DAMPING, LOOP_ITERATIONS, Reach, first_success, serve

SOLVER = "daqp"


class PinkTicker:
    """The humanoid in pink; limits are made once and let a joint go all the way to its end."""

    def __init__(self, work: TickWork) -> None:
        self.work = work
        self.model = pin.buildModelFromUrdf(work.urdf, pin.JointModelFreeFlyer())
        self.limits = [
            ConfigurationLimit(self.model, config_limit_gain=1.0),
            VelocityLimit(self.model),
        ]
        costs = np.sqrt(work.frame_weights)
        self.frames = [
            FrameTask(name, position_cost=cost, orientation_cost=cost)
            for name, cost in zip(work.frames, costs, strict=True)
        ]
        self.com = ComTask(cost=float(np.sqrt(work.com_weight)))
        self.tasks = [*self.frames, self.com]
        self.targets = [[pin.SE3(pose) for pose in poses] for poses in work.poses]
        self.com_targets = list(work.com)
        self.slots = joint_slots(self.model, work.joints)
        self.reset()
        self.postures = []
        if work.angles is not None:
            self.posture = PostureTask(cost=float(np.sqrt(work.posture_weight)))
            self.tasks.append(self.posture)
            self.postures = [self._as_configuration(row) for row in work.angles]

    def reset(self) -> None:
        """Go home."""
        position, (w, x, y, z), angles = np.split(self.work.home, [3, 7])
        q = pin.neutral(self.model)
        q[:7] = *position, x, y, z, w
        q[self.slots] = angles
        self.configuration = pink.Configuration(self.model, self.model.createData(), q)

    def _as_configuration(self, angles: Array) -> Array:
        q: Array = pin.neutral(self.model)
        q[self.slots] = angles
        return q

    def tick(self, k: int) -> None:
        """Solve and integrate, as pink's examples do; integrating updates the kinematics."""
        for task, target in zip(self.frames, self.targets[k], strict=True):
            task.set_target(target)
        self.com.set_target(self.com_targets[k])
        if self.postures:
            self.posture.set_target(self.postures[k])
        velocity = pink.solve_ik(
            self.configuration,
            self.tasks,
            self.work.dt,
            solver=SOLVER,
            damping=self.work.damping,
            limits=self.limits,
        )
        self.configuration.integrate_inplace(velocity, self.work.dt)

    def q(self) -> Array:
        """Return the posture."""
        q = self.configuration.q
        return np.concatenate([q[:3], q[[6, 3, 4, 5]], q[self.slots]])


def make_reacher(work: ReachWork) -> Reach:
    """Iterate pink from each start until the tip is there."""
    model = pin.buildModelFromUrdf(work.urdf)
    configuration = pink.Configuration(model, model.createData(), pin.neutral(model))
    limits = [ConfigurationLimit(model, config_limit_gain=1.0)]
    task = FrameTask(work.tip, position_cost=1.0, orientation_cost=1.0)
    targets = [pin.SE3(pose) for pose in work.poses]
    slots = joint_slots(model, work.joints)

    def attempt(start: Array) -> Array | None:
        q = np.empty(model.nq)
        q[slots] = start
        configuration.update(q)
        for _ in range(LOOP_ITERATIONS):
            step = pink.solve_ik(
                configuration, [task], 1.0, solver=SOLVER, damping=LOOP_DAMPING, limits=limits
            )
            configuration.integrate_inplace(step, 1.0)
            error = task.compute_error(configuration)
            if max(error[:3] @ error[:3], error[3:] @ error[3:]) < work.tolerance**2:
                return np.array(configuration.q[slots])
        return None

    def reach(k: int) -> Array | None:
        task.set_target(targets[k])
        return first_success(work.starts[k], attempt)

    return reach


def joint_slots(model: pin.Model, joints: tuple[str, ...]) -> list[int]:
    """Return where each joint's angle stands in Pinocchio's configuration."""
    return [model.joints[model.getJointId(name)].idx_q for name in joints]


if __name__ == "__main__":
    serve(packages=["pin-pink", "pin", "daqp"], ticker=PinkTicker, reacher=make_reacher)
