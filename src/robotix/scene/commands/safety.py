"""Commands that protect people from robots, and that let things fail on purpose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal

from robotix.errors import BadField
from robotix.safety.faults import Fault, FaultKind
from robotix.safety.protection import ProtectionSettings, SafetyReaction, SafetyStrategy
from robotix.safety.separation import SeparationSettings
from robotix.scene.commands.people import Perform
from robotix.scene.events.action import Action, wait
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.field_types import RobotName
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.safety_monitor import SafetyMonitor
from robotix.scene.scene import Scene

__all__ = ["SAFETY_COMMANDS", "ClearFaults", "InjectFault", "Protect", "inject"]

NOW = Event(Signal("fault"))  # on which a person starts


@dataclass(frozen=True)
class Protect:
    """Let a robot protect the people of the room by a strategy; when off, no longer.

    `ssm` keeps a protective separation distance, `pfl` limits the speed by what a contact may do,
    `both` is as fast as one of them permits, `none` only measures. The reaction is `stop`,
    `retreat`, `avoid` or `none`. `person_speed` is assumed for people; 0 means as measured.
    """

    robot: RobotName = ""
    strategy: SafetyStrategy = "ssm"
    reaction: SafetyReaction = "stop"
    reaction_time: float = SeparationSettings.reaction_time  # s
    deceleration: float = SeparationSettings.deceleration  # m/s²
    intrusion: float = SeparationSettings.intrusion  # m
    person_uncertainty: float = SeparationSettings.person_uncertainty  # m
    robot_uncertainty: float = SeparationSettings.robot_uncertainty  # m
    person_speed: float = 1.6  # m/s
    payload: float = 0.0  # kg
    robot_mass: Literal["simplified", "posture"] = "simplified"

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        self.settings()

    def settings(self) -> ProtectionSettings:
        """Return the settings of the monitor."""
        return ProtectionSettings(
            strategy=self.strategy,
            reaction=self.reaction,
            separation=SeparationSettings(
                reaction_time=self.reaction_time,
                deceleration=self.deceleration,
                intrusion=self.intrusion,
                person_uncertainty=self.person_uncertainty,
                robot_uncertainty=self.robot_uncertainty,
                person_speed=self.person_speed or None,
            ),
            robot_mass=self.robot_mass,
            payload=self.payload,
        )

    def check(self, scene: Scene) -> None:
        """Raise an error for a robot without masses, or a room without people."""
        robot = scene.robot(self.robot)
        people = _people(scene, robot)
        SafetyMonitor(robot, people, self._without_avoiding())

    def _without_avoiding(self) -> ProtectionSettings:
        """Return settings that leave the robot as it is."""
        settings = self.settings()
        return ProtectionSettings(
            settings.strategy, "stop", settings.separation, settings.robot_mass, settings.payload
        )

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the state of the event."""
        robot = scene.robot(self.robot)
        if event.state:
            robot.monitor = SafetyMonitor(robot, _people(scene, robot), self.settings())
        else:
            robot.monitor = None


def _people(scene: Scene, robot: Robot) -> list[Robot]:
    return [each.robot for each in scene.people.values() if each.robot is not robot]


@dataclass(frozen=True)
class InjectFault:
    """Let something fail: a joint, a drive, an encoder, the channel of a device; or a person come.

    The kinds are `joint_lock`, `drive_failure`, `sensor_freeze`, `delay`, `packet_loss` and
    `person_steps_in`. It begins `start` seconds after the command, up to `spread` later by chance,
    and ends after `seconds` (0: never), or when the event ends.
    """

    kind: FaultKind
    robot: RobotName = ""
    start: float = 0.0  # s
    seconds: float = 0.0  # s
    spread: float = 0.0  # s
    joint: int = 0  # from 1; 0: any
    strength: float = 0.0  # of a failing drive
    coast: float = Fault.coast  # rad/s²
    delay: float = Fault.delay  # s
    loss: float = Fault.loss
    device: str = ""
    person: str = ""
    task: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        self.fault()

    def fault(self) -> Fault:
        """Return the fault."""
        names = [each.name for each in fields(Fault) if each.name != "seconds"]
        given = {name: getattr(self, name) for name in names}
        return Fault(**given, seconds=self.seconds or math.inf)

    def check(self, scene: Scene) -> None:
        """Prepare the task of a person; raise an error for an unknown robot, joint or person."""
        robot = scene.robot(self.robot)
        _check_joint(self.fault(), robot)
        if self.kind == "person_steps_in":
            if not self.person:
                raise BadField("person", "the name of a person, and a task", "none")
            Perform(self.person, self.task).check(scene)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event triggers."""
        if not event.is_trigger:
            return None
        return inject(scene, self.fault(), robot=scene.robot(self.robot))


def inject(scene: Scene, fault: Fault, *, robot: Robot) -> Action:
    """Wait for the start of a fault, let it begin, and end it when its time is over."""
    _check_joint(fault, robot)
    drawn = scene.faults.draw(fault, robot)
    if drawn.start > 0:
        yield from wait(scene, drawn.start)
    scene.faults.begin(drawn, robot)
    if drawn.person:
        perform = Perform(drawn.person, drawn.task)(scene, NOW)
        assert perform is not None
        scene.start(perform, name=f"{drawn.person} steps in")
    try:
        if math.isinf(drawn.seconds):
            while True:
                yield
        yield from wait(scene, drawn.seconds)
    finally:
        scene.faults.end(drawn)


def _check_joint(fault: Fault, robot: Robot) -> None:
    n = robot.model.n_dof
    if fault.joint > n:
        raise ValueError(f"{robot.name!r} has joints 1 to {n}, not {fault.joint}")


@dataclass(frozen=True)
class ClearFaults:
    """End all faults."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """End them when the event triggers."""
        if event.is_trigger:
            scene.faults.clear()


SAFETY_COMMANDS = {"protect": Protect, "fault": InjectFault, "clear_faults": ClearFaults}
