"""Faults in a scene: they are caused here, and what robots do about them is measured.

Faults of joints act between the drive of a robot and its joints, faults of channels on the readings
of devices before anything in the room sees them. A fault is over when its time is, or when it is
cleared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from robotix.geometry import Array
from robotix.inputs.readings import Inputs
from robotix.safety.faults import CHANNEL_FAULTS, JOINT_FAULTS, Fault
from robotix.safety.lossy_channel import LossyChannel
from robotix.scene.events.context import Reporter, TickClock
from robotix.scene.robots.joint_faults import JointFaults
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.safety_monitor import SafetyMonitor

__all__ = ["FaultRecord", "SceneFaults"]

REST_SPEED = 1e-3  # m/s of the end-effector; slower is at rest


class FaultContext(TickClock, Reporter, Protocol):
    """What faults need of their scene."""

    @property
    def seed(self) -> int:
        """Of the random numbers of the scene."""

    @property
    def robots(self) -> Mapping[str, Robot]:
        """The robots, by name."""


@dataclass(eq=False)
class FaultRecord:
    """What a robot did about a fault: when it began to slow down, when it rested, its way."""

    fault: Fault
    robot: str
    start: float  # s of the scene
    end: float | None = None  # s; None: not over yet
    reacted_at: float | None = None  # s; when it began to stop, or to go back
    rested_at: float | None = None
    travel: float = 0.0  # m, path of the end-effector until it rested, or until the fault was over
    min_distance: float | None = None  # m from people; None: nobody is watched
    contacts: int = 0
    force_ratio: float = 0.0

    def figures(self) -> dict[str, float]:
        """Return the figures, in SI units; what did not happen is left out."""
        out = {
            "fault_reacted": float(self.reacted_at is not None),
            "fault_travel": self.travel,
            "fault_contacts": float(self.contacts),
            "fault_force_ratio": self.force_ratio,
        }
        if self.reacted_at is not None:
            out["fault_time_to_react"] = self.reacted_at - self.start
        if self.rested_at is not None:
            out["fault_time_to_rest"] = self.rested_at - self.start
        if self.min_distance is not None:
            out["fault_min_distance"] = self.min_distance
        return out


@dataclass(eq=False)
class _Watch:
    """What is known of a robot since a fault began."""

    record: FaultRecord
    last: Array  # (3,), where its end-effector was
    contacts_before: int = 0
    is_over: bool = False


class SceneFaults:
    """The faults of a scene, and the records of those that began."""

    def __init__(self, scene: FaultContext) -> None:
        self._scene = scene
        self._channels: dict[int, LossyChannel] = {}  # by the identity of the fault
        self._joints: dict[int, Robot] = {}
        self._watches: list[_Watch] = []
        self._count = 0

    @property
    def records(self) -> tuple[FaultRecord, ...]:
        """All faults that began, in order."""
        return tuple(watch.record for watch in self._watches)

    @property
    def active(self) -> tuple[Fault, ...]:
        """The faults that are not over."""
        return tuple(each.record.fault for each in self._watches if not each.is_over)

    def draw(self, fault: Fault, robot: Robot) -> Fault:
        """Return a fault with its random parts drawn, the same for the same scene and seed."""
        self._count += 1
        rng = np.random.default_rng([self._scene.seed, self._count])
        return fault.drawn(rng, joints=robot.model.n_dof)

    def begin(self, fault: Fault, robot: Robot) -> FaultRecord:
        """Let a fault begin now."""
        scene, time = self._scene, self._scene.tick * self._scene.dt
        if fault.kind in JOINT_FAULTS:
            robot.faults = (
                JointFaults([fault], q=robot.q, dq=robot.dq, dt=scene.dt)
                if robot.faults is None
                else robot.faults.with_fault(fault, q=robot.q, dq=robot.dq)
            )
            self._joints[id(fault)] = robot
        elif fault.kind in CHANNEL_FAULTS:
            rng = np.random.default_rng([scene.seed, len(self._watches), 7])
            self._channels[id(fault)] = LossyChannel(fault, dt=scene.dt, rng=rng)
        record = FaultRecord(fault, robot.name, time)
        monitor = robot.monitor
        before = len(monitor.log.contacts) if isinstance(monitor, SafetyMonitor) else 0
        self._watches.append(_Watch(record, robot.tip_position(), before))
        scene.say(f"fault: {fault}")
        return record

    def end(self, fault: Fault) -> None:
        """End a fault; a robot that stopped for a joint may go on."""
        self._channels.pop(id(fault), None)
        robot = self._joints.pop(id(fault), None)
        if robot is not None and robot.faults is not None:
            robot.faults = robot.faults.without(fault)
            if robot.faults is None and isinstance(robot.monitor, SafetyMonitor):
                robot.monitor.follow_check.reset()
        for watch in self._watches:
            if watch.record.fault is fault and not watch.is_over:
                watch.is_over, watch.record.end = True, self._scene.tick * self._scene.dt

    def clear(self) -> None:
        """End all faults."""
        for fault in self.active:
            self.end(fault)

    def transmit(self, inputs: Inputs) -> Inputs:
        """Return the inputs as they arrive through the channels that fail."""
        for channel in self._channels.values():
            inputs = channel.transmit(inputs)
        return inputs

    def step(self) -> None:
        """Measure what the robots do about the faults; called at the end of every tick."""
        for watch in self._watches:
            if not watch.is_over and watch.record.robot in self._scene.robots:
                self._watch(watch, self._scene.robots[watch.record.robot])

    def _watch(self, watch: _Watch, robot: Robot) -> None:
        record, time = watch.record, self._scene.tick * self._scene.dt
        tip = robot.tip_position()
        step = float(np.linalg.norm(tip - watch.last))
        watch.last = tip
        if record.rested_at is None:
            record.travel += step
        monitor = robot.monitor
        is_held = isinstance(monitor, SafetyMonitor) and monitor.is_reacting
        is_silent = record.fault.kind in CHANNEL_FAULTS and robot.drive is not None
        is_at_rest = step / self._scene.dt < REST_SPEED
        if record.reacted_at is None and (is_held or (is_silent and is_at_rest)):
            record.reacted_at = time
        if record.reacted_at is not None and record.rested_at is None and is_at_rest:
            record.rested_at = time
        if isinstance(monitor, SafetyMonitor) and monitor.log.rows:
            distance = monitor.log.rows[-1][1]
            least = record.min_distance
            record.min_distance = distance if least is None else min(least, distance)
            contacts = monitor.log.contacts[watch.contacts_before :]
            record.contacts = len(contacts)
            record.force_ratio = max((each.force.ratio for each in contacts), default=0.0)
