"""Roots of robots, and of branches that were cut off, which float: those that are lost stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import mujoco
import numpy as np

from robotix.dynamics.simulation import Mechanism, Simulation
from robotix.geometry import Array

__all__ = ["FloatingRoots"]


class FloatingRoots:
    """The free joints of mechanisms; `stopped` are the bodies that stay where they are."""

    def __init__(self, simulation: Simulation, mechanisms: Sequence[Mechanism]) -> None:
        self._simulation = simulation
        self._joints = {name: _addresses(simulation, name) for name in _floating(mechanisms)}
        self.stopped: dict[str, Array] = {}  # with their poses, (7,)

    def resume(self, other: FloatingRoots) -> None:
        """Take over what another simulation has stopped."""
        self.stopped = {n: pose for n, pose in other.stopped.items() if n in self._joints}

    def hold(self) -> None:
        """Put what is stopped where it was; call before every tick."""
        data = self._simulation.data
        for name, pose in self.stopped.items():
            qpos, qvel = self._joints[name]
            data.qpos[qpos : qpos + 7] = pose
            data.qvel[qvel : qvel + 6] = 0.0

    def stop_outside(self, bounds: Array) -> list[str]:
        """Stop what is outside of a box, (2, 3); return the names of those that were not yet."""
        data, lost = self._simulation.data, []
        for name, (qpos, _) in self._joints.items():
            at = data.qpos[qpos : qpos + 3]
            if name not in self.stopped and ((at < bounds[0]) | (at > bounds[1])).any():
                self.stopped[name] = np.array(data.qpos[qpos : qpos + 7])
                lost.append(name)
        return lost

    def state(self) -> bytes:
        """Return the names of what is stopped."""
        return "\0".join(sorted(self.stopped)).encode()


def _floating(mechanisms: Sequence[Mechanism]) -> Iterator[str]:
    for part in mechanisms:
        for body in part.model.bodies:
            if body.joint.kind == "floating" or body.joint.name in part.cut:
                yield part.body(body.name)


def _addresses(simulation: Simulation, body: str) -> tuple[int, int]:
    """Return where the pose and the velocity of a body with a free joint begin."""
    model = simulation.model
    joint = int(model.body_jntadr[model.body(body).id])
    assert model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    return int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
