"""The control point that commands use when a robot's file does not name one, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from robotix.model.body import Body
from robotix.model.tree import ControlPoint, Model

__all__ = ["TipChoice", "choose_tip", "explain_tip"]

# What public robot files call the place where the tool goes, best first.
WORDS = (
    "flange", "tool0", "tcp", "ee_link", "end_effector", "attachment_site", "eef", "ee", "tool",
)  # fmt: skip
_NAMES = [re.compile(rf"(?:^|[\W_]){word}(?:_?link|_?frame)?$", re.IGNORECASE) for word in WORDS]
# What hangs on a robot without being its hand: for collisions only, jaws of a gripper, sensors.
_ASIDE = re.compile(
    r"(?:^|[\W_])(?:sc|coll?ision|col|com|inertia)$|(?:^|[\W_])(?:jaw|pad|claw|nail)s?(?:$|[\W_\d])"
    r"|camera|optical|lidar|laser|imu(?:$|[\W_])|sensor|force_?torque",
    re.IGNORECASE,
)
_FINGER = re.compile(
    r"finger|thumb|knuckle|(?:^|[\W_])(?:index|middle|ring|little|pinky)(?:$|[\W_\d])",
    re.IGNORECASE,
)
OUTERMOST = "the outermost body"


class TipChoice(NamedTuple):
    """A control point and the reason for which it was chosen."""

    name: str
    reason: str


def choose_tip(bodies: Sequence[Body], points: Mapping[str, ControlPoint]) -> TipChoice:
    """Return the control point that is most likely the hand.

    1. A point or body whose name ends in flange, tool0, tcp, ee_link, end_effector,
       attachment_site, eef, ee or tool, in that order; `_link` or `_frame` may follow.
    2. Otherwise the outermost body that is neither a finger (one of several), nor a moving part of
       a gripper, nor a sensor, nor there for collisions only; all by their names.
    3. The outermost body if there is no such body.

    Among several, the one with most moving joints between it and the base wins, then the one with
    most joints of any kind, then the first in the file.
    """
    above = _joints_above(bodies)
    carriers = {name: point.body for name, point in points.items()}
    carriers.update((body.name, body.name) for body in bodies if body.name not in carriers)
    for word, pattern in zip(WORDS, _NAMES, strict=True):
        named = [name for name in carriers if pattern.search(name)]
        if named:
            name = max(named, key=lambda name: above[carriers[name]])
            return TipChoice(name, f"by its name, {word}")
    aside = _bodies_aside(bodies)
    proper = [body.name for body in bodies if body.name not in aside]
    reason = "the outermost body but for fingers, sensors and the like" if aside else OUTERMOST
    if not proper:
        proper, reason = [body.name for body in bodies], OUTERMOST
    return TipChoice(max(proper, key=lambda name: above[name]), reason)


def explain_tip(model: Model) -> str:
    """Return why the tip of a model is its tip."""
    tip = model.tip
    bodies = sorted(model.bodies, key=lambda body: body.name != tip)  # first among equals
    points = dict(sorted(model.points.items(), key=lambda item: item[0] != tip))
    chosen = choose_tip(bodies, points)
    return chosen.reason if chosen.name == tip else "named by the robot's file"


def _bodies_aside(bodies: Sequence[Body]) -> set[str]:
    """Return the bodies that hang on a robot without being its hand."""
    parents = {body.parent for body in bodies}
    fingers = {body.name for body in bodies if _FINGER.search(body.name)}
    if len(fingers - parents) < 2:  # the robot is a finger, or ends in one
        fingers = set()
    grippers = {
        body.name
        for body in bodies
        if body.joint.kind != "fixed" and _is_gripper(body.name) and _is_gripper(body.parent or "")
    }
    return {
        body.name
        for body in bodies
        if body.name in fingers or body.name in grippers or _ASIDE.search(body.name)
    }


def _is_gripper(name: str) -> bool:
    return "gripper" in name.lower()


def _joints_above(bodies: Sequence[Body]) -> dict[str, tuple[int, int]]:
    """Moving joints, and all joints, from the base to each body."""
    by_name = {body.name: body for body in bodies}
    known: dict[str, tuple[int, int]] = {}
    for body in bodies:
        row: list[Body] = []
        step: Body | None = body
        while step is not None and step.name not in known:
            row.append(step)
            step = by_name[step.parent] if step.parent is not None else None
        moving, total = known[step.name] if step is not None else (0, 0)
        for link in reversed(row):
            moving, total = moving + (link.joint.kind != "fixed"), total + 1
            known[link.name] = (moving, total)
    return known
