"""Faults in the rooms of the laboratory's tasks, where an operator drives the arm."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.errors import UnknownName
from robotix.geometry import Pose
from robotix.human import make_anthropometry, make_manikin
from robotix.safety.faults import parse_fault
from robotix.safety.protection import ProtectionSettings, SafetyReaction
from robotix.scene.commands.safety import inject
from robotix.scene.events.action import Action, wait
from robotix.scene.people.play import play_act
from robotix.scene.people.prepare import make_act, perform_cached
from robotix.scene.robots.safety_monitor import SafetyMonitor
from robotix.scene.scene import Scene

__all__ = ["OPERATOR_REACTIONS", "cause_faults", "fault_figures"]

OPERATOR_REACTIONS: tuple[SafetyReaction, ...] = ("none", "stop", "retreat", "avoid")
GUEST = "guest"
WAY = Pose.at(0.95, -1.9, 0.0, rpy=(0.0, 0.0, 1.5708))  # across the workspace, from the right
WAY_LENGTH = 3.6  # m


def cause_faults(scene: Scene, arm: str, levels: Mapping[str, str]) -> None:
    """Let what the levels `fault` and `reaction` say happen in a room.

    A person who steps in is added to the room, and crosses the space in front of the chair. The
    rider, who sits beside the arm, is not watched.
    """
    fault, reaction = parse_fault(levels.get("fault", "none")), levels.get("reaction", "none")
    if reaction not in OPERATOR_REACTIONS:
        raise UnknownName("level of reaction", reaction, OPERATOR_REACTIONS)
    if fault is None:
        return
    manikin = make_manikin(make_anthropometry(sex="male"))
    guest = scene.add_person(GUEST, manikin, pose=WAY)
    robot = scene.robots[arm]
    comes = fault.kind == "person_steps_in"
    settings = ProtectionSettings(
        strategy="ssm" if comes and reaction != "none" else "none",
        reaction=reaction,
    )
    robot.monitor = SafetyMonitor(robot, [guest.robot], settings)
    drawn = scene.faults.draw(fault, robot)
    scene.start(inject(scene, drawn, robot=robot), name="fault")
    if comes:
        walk = perform_cached("walk", manikin, "natural", (("distance", WAY_LENGTH),))
        act = make_act(scene.graph, guest, walk)
        guest.assume_first_posture(act)

        def come() -> Action:
            yield from wait(scene, max(drawn.start, scene.dt))
            yield from play_act(scene, guest, act)

        scene.start(come(), name="a person steps in")


def fault_figures(scene: Scene) -> dict[str, float]:
    """Return what the robot did about the fault; nothing without one."""
    return scene.faults.records[0].figures() if scene.faults.records else {}
