"""Console commands for protection and faults."""

from __future__ import annotations

import math
from typing import get_args

from robotix.safety.faults import parse_fault
from robotix.safety.protection import SafetyReaction, SafetyStrategy
from robotix.scene.commands.safety import ClearFaults, InjectFault, Protect
from robotix.scene.console.line_parts import ConsoleCommand, no_argument
from robotix.scene.events.events import Event
from robotix.scene.scene import Command, Scene

__all__ = ["SAFETY_LINES"]


def _fault(text: str) -> Command:
    fault = parse_fault(text) if text else None
    if fault is None:
        return _clear
    seconds = 0.0 if math.isinf(fault.seconds) else fault.seconds
    command = InjectFault(
        fault.kind, "", fault.start, seconds, fault.spread, fault.joint, fault.strength,
        fault.coast, fault.delay, fault.loss, fault.device, fault.person, fault.task,
    )  # fmt: skip

    def run(scene: Scene, event: Event) -> object:
        command.check(scene)
        return command(scene, event)

    return run  # type: ignore[return-value]


def _clear(scene: Scene, event: Event) -> None:
    scene.faults.clear()


def _protect(text: str) -> Command:
    strategy, _, reaction = (part.strip() for part in (text or "ssm").partition(";"))
    chosen = next((each for each in get_args(SafetyStrategy) if each == strategy), None)
    wanted = next((each for each in get_args(SafetyReaction) if each == (reaction or "stop")), None)
    if chosen is None or wanted is None:
        raise ValueError(text)
    return Protect(strategy=chosen, reaction=wanted)


SAFETY_LINES = {
    command.name: command
    for command in (
        ConsoleCommand(
            "fault",
            "a fault, such as joint_lock joint=3 seconds=2 or packet_loss loss=0.6; off ends all",
            _fault,
        ),
        ConsoleCommand("clear_faults", "", no_argument(ClearFaults)),
        ConsoleCommand(
            "protect",
            "a strategy and a reaction, such as ssm; retreat (ssm, pfl, both or none; stop, "
            "retreat, avoid or none); off ends it",
            _protect,
        ),
    )
}
