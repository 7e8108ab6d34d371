"""The commands of a log, given to a simulated robot with assumed servos and delays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from mujoco.rollout import rollout as native_rollout

from robotix.dynamics.simulation import Mechanism, RigidObject, Servo, Simulation, World
from robotix.dynamics.simulation.drop import on_floor_pose
from robotix.dynamics.simulation.holding import holding_servos
from robotix.dynamics.simulation.settings import CONTROL
from robotix.dynamics.testbed.log import ATTITUDE, FORCE, RobotLog
from robotix.errors import BadField
from robotix.geometry import Array, Halfspace, Pose, rotation_from_quaternion
from robotix.model import Model

__all__ = ["JointResponse", "LogPlayback"]

ROBOT = "robot"
MAX_SECONDS = 600.0


@dataclass(frozen=True)
class JointResponse:
    """How a joint answers its commands."""

    delay: float = 0.0  # s
    stiffness: float = 0.0  # N m/rad or N/m
    damping: float = 0.0  # N m s/rad or N s/m

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= 10:
            raise BadField("delay", "in 0..10 s", self.delay)


class LogPlayback:
    """Simulates what a log commands, for any number of assumed responses at once.

    The robot starts at its first measured posture, at rest: with a floating root on a floor, with
    a fixed one without. Joints without a command hold their first position. Responses are those of
    `holding_servos` where none is given.
    """

    def __init__(self, model: Model, log: RobotLog) -> None:
        log.check_model(model)
        self.model, self.log = model, log
        span = float(log.times[-1] - log.times[0])
        if not span <= MAX_SECONDS:
            raise BadField("log", f"at most {MAX_SECONDS:g} s long", span)
        q = model.neutral.copy()
        for name in model.dof_names:
            first = log.signals.get(name, log.commands.get(name))
            if first is not None:
                q[model.dof_index(name)] = first[0]
        self.start = q
        self.servos = holding_servos(model, q)
        self.root = next((b.name for b in model.bodies if b.joint.kind == "floating"), None)
        self.simulation = self._make()
        self.steps = max(round(span / CONTROL.dt), 1)
        self._nominal = self.nominal()

    def nominal(self) -> dict[str, JointResponse]:
        """Return the responses that hold where none is given."""
        return {
            name: JointResponse(0.0, servo.stiffness, servo.damping)
            for name, servo in self.servos.items()
        }

    def play(self, responses: Sequence[Mapping[str, JointResponse]]) -> list[dict[str, Array]]:
        """Return joints, roll and pitch of each run at the times of the log, by name."""
        simulation, runs = self.simulation, [{**self._nominal, **each} for each in responses]
        models = [self._with(run) for run in runs]
        controls = np.stack([self._controls(run) for run in runs])
        state = _full_state(simulation)
        data = [mujoco.MjData(simulation.model) for _ in range(min(2, len(runs)))]
        found, _ = native_rollout(
            models, data, np.tile(state, (len(runs), 1)), controls, nstep=self.steps
        )
        return [self._signals(np.vstack([state, run])) for run in found]

    def forces(self, responses: Mapping[str, JointResponse]) -> dict[str, Array]:
        """Return the vertical floor forces of the log's feet in one run, N, by name."""
        names = [name for name in self.log.signals if name.endswith(FORCE)]
        if not names:
            return {}
        from robotix.dynamics.simulation.sensors import outer_wrench

        run = {**self._nominal, **responses}
        simulation = self._make()
        mujoco_model, controls = self._with(run), self._controls(run)
        simulation.model.actuator_biasprm[:] = mujoco_model.actuator_biasprm
        out = np.empty((self.steps + 1, len(names)))
        for k in range(self.steps + 1):
            simulation.data.ctrl[:] = controls[min(k, self.steps - 1)]
            simulation.step()
            for i, name in enumerate(names):
                body = f"{ROBOT}/{name.removesuffix(FORCE)}"
                out[k, i] = outer_wrench(simulation, body)[0][2]
        times = self.log.times[0] + CONTROL.dt * np.arange(self.steps + 1)
        return {name: np.interp(self.log.times, times, out[:, i]) for i, name in enumerate(names)}

    # -- inside -----------------------------------------------------------------------------

    def _make(self) -> Simulation:
        parts: tuple[RigidObject, ...] = ()
        pose = Pose()
        if self.root is not None:
            parts = (RigidObject("floor", (Halfspace(),), mobility="static"),)
            pose = on_floor_pose(self.model, self.start)
        servos: dict[str, Servo] = self.servos
        mechanism = Mechanism(ROBOT, self.model, pose, servos=servos)
        simulation = Simulation(World(parts, (mechanism,), self.model.gravity))
        simulation.set_state(ROBOT, self.start)
        simulation.command(ROBOT, q=self.start)
        return simulation

    def _with(self, run: Mapping[str, JointResponse]) -> mujoco.MjModel:
        native = self.simulation.model.__copy__()
        for name, response in run.items():
            k = native.actuator(f"{ROBOT}/{name}").id
            native.actuator_biasprm[k, 1:3] = (-response.stiffness, -response.damping)
        return native

    def _controls(self, run: Mapping[str, JointResponse]) -> Array:
        """Return the controls of every step, (steps, nu)."""
        native, log = self.simulation.model, self.log
        out = np.empty((self.steps, native.nu))
        out[:] = self.simulation.data.ctrl
        times = log.times[0] + CONTROL.dt * np.arange(self.steps)
        for name, response in run.items():
            k = native.actuator(f"{ROBOT}/{name}").id
            if name in log.commands:
                wanted = np.interp(times - response.delay, log.times, log.commands[name])
            else:
                wanted = np.full(self.steps, self.start[self.model.dof_index(name)])
            out[:, k] = response.stiffness * wanted
        return out

    def _signals(self, states: Array) -> dict[str, Array]:
        native, log = self.simulation.model, self.log
        times = log.times[0] + CONTROL.dt * np.arange(len(states))
        out = {}
        for name in log.signals:
            if name in self.model.dof_names:
                k = 1 + int(native.joint(f"{ROBOT}/{name}").qposadr[0])
                out[name] = np.interp(log.times, times, states[:, k])
        if self.root is not None and any(name in log.signals for name in ATTITUDE):
            joint = self.model.body(self.root).joint.name
            k = 1 + int(native.joint(f"{ROBOT}/{joint}").qposadr[0]) + 3
            angles = np.array([_roll_pitch(row[k : k + 4]) for row in states])
            for i, name in enumerate(ATTITUDE):
                if name in log.signals:
                    out[name] = np.interp(log.times, times, angles[:, i])
        return out


def _roll_pitch(quaternion: Array) -> tuple[float, float]:
    rpy = Pose(rotation_from_quaternion(quaternion)).rpy
    return float(rpy[0]), float(rpy[1])


def _full_state(simulation: Simulation) -> Array:
    kind = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.empty(mujoco.mj_stateSize(simulation.model, kind))
    mujoco.mj_getState(simulation.model, simulation.data, state, kind)
    return state
