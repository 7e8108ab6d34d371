"""Standing balance by the ankles alone, while all other joints follow anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.balance.estimate import BodyState, MomentumEstimator
from robotix.dynamics.balance.law import AnkleLaw
from robotix.dynamics.simulation import Mechanism, Simulation
from robotix.dynamics.simulation.sensors import (
    AttitudeSensor,
    FootForceSensor,
    Gyroscope,
    JointEncoders,
)
from robotix.errors import BadField
from robotix.geometry import Array

__all__ = ["Ankle", "BalanceSensors", "StandingBalance"]

MOMENT_LOOP = 40.0  # 1/s, integral gain of the sensed ankle moment
MAX_CORRECTION = 0.5  # of the largest moment that the foot can take


@dataclass(frozen=True)
class Ankle:
    """A foot and the joints that move it; its origin is where their axes meet."""

    foot: str
    pitch: str
    roll: str
    heel: float  # m, how far the sole reaches behind the ankle
    toe: float  # m, ahead of it
    half_width: float  # m, to both sides


@dataclass(frozen=True)
class BalanceSensors:
    """Deviations of the sensors' noise, and the resolution of encoders; all exact by default."""

    attitude: float = 0.0  # rad
    rate: float = 0.0  # rad/s
    encoder: float = 0.0  # rad, resolution
    force: float = 0.0  # N
    moment: float = 0.0  # N m

    @staticmethod
    def usual(factor: float = 1.0) -> BalanceSensors:
        """Return the noise assumed of small sensors, multiplied by a factor."""
        return BalanceSensors(
            attitude=factor * math.radians(0.1),
            rate=factor * math.radians(0.5),
            encoder=factor * math.radians(0.02),
            force=factor * 0.1,
            moment=factor * 0.01,
        )


class StandingBalance:
    """Computes the efforts of the ankles' joints from sensors; see `AnkleLaw`.

    The wanted moment is shared equally by the supporting feet and kept inside what a flat foot can
    pass on to the ground. Each foot's sensor closes the loop: an integrator removes what friction
    and inertia of the joint take away.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        root: str,
        supports: Sequence[Ankle],
        law: AnkleLaw | None = None,
        sensors: BalanceSensors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        """`root` carries attitude sensor and gyroscope; `supports` are the standing feet."""
        if not supports:
            raise BadField("supports", "at least one ankle", 0)
        self.law = AnkleLaw() if law is None else law
        self.supports = tuple(supports)
        self.rng = rng
        noise = BalanceSensors() if sensors is None else sensors
        body = mechanism.body(root)
        self.attitude = AttitudeSensor(body, noise.attitude)
        self.gyroscope = Gyroscope(body, noise.rate)
        self.encoders = JointEncoders(mechanism.name, noise.encoder)
        self.feet = [
            FootForceSensor(mechanism.body(each.foot), noise=noise.force, moment_noise=noise.moment)
            for each in self.supports
        ]
        model = mechanism.model
        self._estimator = MomentumEstimator(model, root=root)
        self._n_dof = model.n_dof
        self._pitch = [model.dof_index(each.pitch) for each in self.supports]
        self._roll = [model.dof_index(each.roll) for each in self.supports]
        self._correction = np.zeros((len(self.supports), 2))
        self.gravity = float(np.linalg.norm(model.gravity))
        self.state: BodyState | None = None  # of the last call of `efforts`
        self.wanted = np.zeros(2)  # (τ_x, τ_y), N m, of the last call

    def efforts(self, simulation: Simulation) -> Array:
        """Return the efforts of all joints, (n_dof,), zero but at the supporting ankles."""
        self.state = self._estimate(simulation)
        self.wanted = self.law.moment(
            self.state.momentum, self.state.com, mass=self._estimator.mass, gravity=self.gravity
        )
        tau = np.zeros(self._n_dof)
        for k, ankle in enumerate(self.supports):
            reading = self.feet[k].read(simulation, self.rng)
            largest, smallest = _moment_range(ankle, max(float(reading.force[2]), 0.0))
            wanted = np.clip(self.wanted / len(self.supports), smallest, largest)
            room = MAX_CORRECTION * (largest - smallest) / 2
            self._correction[k] += (
                MOMENT_LOOP * simulation.settings.dt * (wanted - reading.moment[:2])
            )
            self._correction[k] = np.clip(self._correction[k], -room, room)
            moment = wanted + self._correction[k]
            tau[self._roll[k]], tau[self._pitch[k]] = -moment  # the joint turns the foot
        return tau

    def _estimate(self, simulation: Simulation) -> BodyState:
        """Return the state about the middle of the supporting ankles, in the world's directions."""
        q, dq = self.encoders.read(simulation, self.rng)
        self._estimator.update(
            self.attitude.read(simulation, self.rng),
            self.gyroscope.read(simulation, self.rng),
            q,
            dq,
        )
        states = [self._estimator.about(each.foot) for each in self.supports]
        return BodyState(
            np.mean([each.com for each in states], axis=0),
            np.mean([each.momentum for each in states], axis=0),
            states[0].rotation,
        )


def _moment_range(ankle: Ankle, load: float) -> tuple[Array, Array]:
    """Return the largest and smallest (τ_x, τ_y) that a flat foot under a load can pass on."""
    side = load * ankle.half_width
    return np.array([side, load * ankle.heel]), np.array([-side, -load * ankle.toe])
