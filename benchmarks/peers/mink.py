"""mink: Python task-space QP on MuJoCo, solved by DAQP."""
# mypy: disable-error-code="import-not-found"

from pathlib import Path

import mink
import mujoco
import numpy as np
from workloads import ReachWork, TickWork
from yardstick import Array, load_ruler

from peers.protocol import LOOP_DAMPING, LOOP_ITERATIONS, Reach, first_success, serve

SOLVER = "daqp"


def load_model(urdf: str, frames: tuple[str, ...], *, floating: bool) -> mujoco.MjModel:
    """Read a URDF file as an MJCF model is usually written: fixed links fused, frames as sites."""
    spec = mujoco.MjSpec.from_file(urdf)
    spec.compiler.fusestatic = True
    for name in frames:
        spec.body(name).add_site(name=name)
    if floating:
        spec.worldbody.first_body().add_freejoint()
    return spec.compile()


class MinkTicker:
    """The humanoid in mink; limits are made once and let a joint go all the way to its end."""

    def __init__(self, work: TickWork) -> None:
        self.work = work
        self.model = load_model(work.urdf, work.frames, floating=True)
        speeds = {edge.name: edge.speed for edge in load_ruler(Path(work.urdf)).moving}
        self.limits = [
            mink.ConfigurationLimit(self.model, gain=1.0),
            mink.VelocityLimit(self.model, speeds),
        ]
        costs = np.sqrt(work.frame_weights)
        self.frames = [
            mink.FrameTask(name, "site", position_cost=cost, orientation_cost=cost)
            for name, cost in zip(work.frames, costs, strict=True)
        ]
        self.com = mink.ComTask(cost=np.sqrt(work.com_weight))
        self.tasks = [*self.frames, self.com]
        self.targets = [[mink.SE3.from_matrix(pose) for pose in poses] for poses in work.poses]
        self.com_targets = list(work.com)
        self.slots = joint_slots(self.model, work.joints)
        self.configuration = mink.Configuration(self.model)
        self.postures = []
        if work.angles is not None:
            self.posture = mink.PostureTask(self.model, cost=np.sqrt(work.posture_weight))
            self.tasks.append(self.posture)
            self.postures = [self._as_configuration(row) for row in work.angles]

    def reset(self) -> None:
        """Go home."""
        q = np.empty(self.model.nq)
        q[:7] = self.work.home[:7]
        q[self.slots] = self.work.home[7:]
        self.configuration.update(q)

    def _as_configuration(self, angles: Array) -> Array:
        q: Array = self.model.qpos0.copy()
        q[self.slots] = angles
        return q

    def tick(self, k: int) -> None:
        """Solve and integrate, as mink's examples do; integrating updates the kinematics."""
        for task, target in zip(self.frames, self.targets[k], strict=True):
            task.set_target(target)
        self.com.set_target(self.com_targets[k])
        if self.postures:
            self.posture.set_target(self.postures[k])
        velocity = mink.solve_ik(
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
        return np.concatenate([q[:7], q[self.slots]])


def make_reacher(work: ReachWork) -> Reach:
    """Iterate mink from each start until the tip is there."""
    model = load_model(work.urdf, (work.tip,), floating=False)
    configuration = mink.Configuration(model)
    limits = [mink.ConfigurationLimit(model, gain=1.0)]
    task = mink.FrameTask(work.tip, "site", position_cost=1.0, orientation_cost=1.0)
    targets = [mink.SE3.from_matrix(pose) for pose in work.poses]
    slots = joint_slots(model, work.joints)

    def attempt(start: Array) -> Array | None:
        q = np.empty(model.nq)
        q[slots] = start
        configuration.update(q)
        for _ in range(LOOP_ITERATIONS):
            step = mink.solve_ik(
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


def joint_slots(model: mujoco.MjModel, joints: tuple[str, ...]) -> list[int]:
    """Return where each joint's angle stands in MuJoCo's configuration."""
    return [int(model.joint(name).qposadr[0]) for name in joints]


if __name__ == "__main__":
    serve(packages=["mink", "mujoco", "daqp"], ticker=MinkTicker, reacher=make_reacher)
