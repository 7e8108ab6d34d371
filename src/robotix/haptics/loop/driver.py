"""Drivers of force-feedback devices: the interface, its simulated twin, and the computer's side.

A driver reads joint angles and the wrench at the handle, and writes torques. `DriverLoop` is the
computer: it never sees whether the device is real. No driver of hardware is part of this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop import layout
from robotix.haptics.loop.environment import HapticElement
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.settings import LoopSettings
from robotix.model import Model

__all__ = ["DeviceReading", "DriverLoop", "HapticDriver", "SimulatedDriver"]


@dataclass(frozen=True, eq=False)
class DeviceReading:
    """One sample of a device."""

    time: float  # s, of the device's clock
    q: Array  # (n,), rad
    wrench: Array  # (6,), of the hand on the handle, in the base frame, N and N m
    reason: StopReason = StopReason.running  # why the device has stopped itself, if it has


class HapticDriver(Protocol):
    """A device that can be read and driven, sample by sample.

    A driver must stop the device by itself when no torques come: the computer may be the part that
    fails. `read` must not wait longer than one period; `close` must leave the device safe.
    """

    @property
    def model(self) -> Model:
        """Geometry and masses of the device."""
        ...

    def read(self) -> DeviceReading:
        """Return the newest sample."""
        ...

    def write(self, torques: Array) -> None:
        """Give torques to the motors, (n,), N m, until the next call."""
        ...

    def close(self) -> None:
        """Switch the motors off."""
        ...


class SimulatedDriver:
    """The twin of a device: the same calls, answered by the simulation.

    Every `write` lets one period pass. Sensors, friction, quantisation, safety circuit and the
    operator's hand are those of the loop that it is made from.
    """

    def __init__(self, loop: HapticLoop) -> None:
        self.loop = loop
        loop._p[layout.MODE] = layout.DIRECT

    @property
    def model(self) -> Model:
        """Geometry and masses of the device."""
        return self.loop.model

    def read(self) -> DeviceReading:
        """Return the newest sample."""
        joints, state = self.loop._joints, self.loop._state
        return DeviceReading(
            float(state[layout.TIME]), joints[layout.Q_SEEN].copy(), self.loop.hand_wrench,
            self.loop.outcome().reason,
        )  # fmt: skip

    def write(self, torques: Array) -> None:
        """Drive the motors for one period; torques that are no numbers stop the device."""
        tau = np.asarray(torques, dtype=float)
        if tau.shape != (self.model.n_dof,):
            raise BadField("torques", f"{self.model.n_dof} torques", tau.shape)
        joints = self.loop._joints
        if np.isfinite(tau).all():
            limits = self.loop._drives[layout.MAX_TORQUE]
            joints[layout.TORQUE] = np.clip(tau, -limits, limits)
        else:
            joints[layout.TORQUE] = 0.0
            self.loop.stop(StopReason.sensor)
        self.loop.step()

    def skip(self) -> None:
        """Let one period pass without torques: the computer is late."""
        self.loop.skip()

    def close(self) -> None:
        """Press the emergency stop."""
        self.loop.press_emergency_stop()


class DriverLoop:
    """The computer of a device: reads its driver, renders, writes torques.

    Args:
        driver: The device.
        settings: As of the simulated loop; its safety circuit is the device's own affair.
        elements: The virtual environment.
    """

    def __init__(
        self,
        driver: HapticDriver,
        *,
        settings: LoopSettings | None = None,
        elements: Sequence[HapticElement] = (),
    ) -> None:
        self.driver = driver
        first = driver.read()
        self._computer = HapticLoop(
            driver.model, first.q, settings=settings, elements=elements, is_computer=True
        )

    def step(self) -> DeviceReading:
        """Read, compute and write one sample; return what was read.

        A reading that is not finite is answered with torques of NaN, which a driver must take for
        a stop.
        """
        reading = self.driver.read()
        self.driver.write(self._computer.compute(reading.q, reading.wrench))
        return reading

    @property
    def rendered(self) -> Array:
        """f_r, (6,)."""
        return self._computer.rendered
