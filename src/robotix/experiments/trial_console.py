"""What a participant may do in a room while a trial runs in it.

The study says how the arm is led, and the arm does the work: a page can engage and disengage the
device that the room has bound, drag the arm, and stop it. Lines that would bind another device are
answered and left out, since pages send them whenever somebody begins to drive; all others are
refused. Deflecting a stick engages it; no key is needed for that.
"""

from __future__ import annotations

from robotix.errors import RobotixError
from robotix.scene.console.console import parse_line
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["NotInTrial", "engage_when_used", "guard_console"]

ALLOWED = frozenset({"stop", "let_go"})
DRAGGING = frozenset({"drag", "drag_pose"})
MIN_DEFLECTION = 0.02  # of an axis that is used


class NotInTrial(RobotixError):
    """A command that is not possible during a trial."""

    def __init__(self, name: str) -> None:
        super().__init__(name)

    def __str__(self) -> str:
        return f"{self.args[0]!r} is not possible during a trial, in which the arm does the work"


def guard_console(scene: Scene, *, may_drag: bool = True) -> None:
    """Let the console of a scene run only what a participant may do."""
    console, allowed = scene.console, ALLOWED | DRAGGING if may_drag else ALLOWED
    if console is None:
        return

    def run(line: str) -> None:
        try:
            command, argument = parse_line(line)
        except (ValueError, RobotixError):
            console(line)  # says what is wrong with it
            return
        name, is_off = command.name, argument.lower() == "off"
        if name in allowed:
            console(line)
        elif name in ("track_toggle", "track_exit"):
            is_on = name == "track_toggle" and not is_off
            is_led = scene.robot().tracking is not None  # not where people use their own hands
            if is_led and is_on != _is_engaged(scene.robot()):
                console("track_toggle" if is_on else "track_toggle off")
        elif name != "track_init":
            scene.fail(f"command {line[:60]!r}", NotInTrial(name))

    scene.console = run


def engage_when_used(scene: Scene, robot: Robot) -> None:
    """Let the robot follow its stick as soon as that is deflected, in every tick from now on.

    After a stop the stick has to come back to its middle first.
    """
    was_still = True

    def follow(dt: float) -> None:
        nonlocal was_still
        tracking = robot.tracking
        if tracking is None or robot.drive is not None:
            was_still = False
            return
        reading = scene.inputs.devices.get(tracking.device)
        if reading is None or not reading.live or reading.position is not None:
            return
        is_used = any(abs(axis) > MIN_DEFLECTION for axis in reading.axes)
        if is_used and was_still:
            tracking.engage(robot)
        was_still = was_still or not is_used

    scene.add_hook("take the hand", follow)


def _is_engaged(robot: Robot) -> bool:
    return robot.tracking is not None and robot.tracking.is_engaged(robot)
