"""The control point that commands use when a robot's file does not name one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from robotix.model.body import Body
from robotix.model.tree import ControlPoint

__all__ = ["choose_tip"]

# What public robot files call the place where the tool goes, best first.
_WORDS = ("flange", "tool0", "tcp", "ee_link", "end_effector", "attachment_site", "eef", "ee")
_NAMES = [re.compile(rf"(?:^|[\W_]){word}$", re.IGNORECASE) for word in _WORDS]


def choose_tip(bodies: Sequence[Body], points: Mapping[str, ControlPoint]) -> str:
    """Return the name of the control point that is most likely the hand.

    A point or body whose name ends in flange, tool0, tcp, ee_link, end_effector,
    attachment_site, eef or ee, in that order; else an outermost body. Among several, the one with
    most moving joints between it and the base wins, then the first in the file.
    """
    above = _joints_above(bodies)
    carriers = {name: point.body for name, point in points.items()}
    carriers.update((body.name, body.name) for body in bodies if body.name not in carriers)
    for pattern in _NAMES:
        named = [name for name in carriers if pattern.search(name)]
        if named:
            return max(named, key=lambda name: above[carriers[name]])
    parents = {body.parent for body in bodies}
    return _most((body.name for body in bodies if body.name not in parents), above)


def _most(names: Iterable[str], above: Mapping[str, tuple[int, int]]) -> str:
    return max(names, key=lambda name: above[name])


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
