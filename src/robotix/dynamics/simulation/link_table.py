"""The structure of a simulation at one instant, as a table of links.

Every link has a parent, its first child and its next brother (of the same parent), as in
[Nakamura2000]. A connection closes a loop, and appears as a virtual link: a child of its first body
whose `real` is the second, with which it coincides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import mujoco

from robotix.dynamics.simulation.compile import slider_names
from robotix.dynamics.simulation.connections import Connection
from robotix.dynamics.simulation.settings import Settings
from robotix.errors import UnknownName

__all__ = ["LinkRow", "LinkTable", "make_link_table"]

COLUMNS = ("link", "joint", "parent", "child", "brother", "real")
JOINT_WORDS = {
    int(mujoco.mjtJoint.mjJNT_FREE): "free",
    int(mujoco.mjtJoint.mjJNT_SLIDE): "slider",
    int(mujoco.mjtJoint.mjJNT_HINGE): "hinge",
}


@dataclass(frozen=True)
class LinkRow:
    """One link; an empty name stands for none."""

    name: str
    joint: str  # to its parent: free, hinge, slider, fixed; or the kind of a connection
    parent: str = ""
    child: str = ""
    brother: str = ""
    real: str = ""  # of a virtual link: the link that it coincides with


@dataclass(frozen=True)
class LinkTable:
    """The links of a world, parents first; `print` shows them in columns."""

    rows: tuple[LinkRow, ...]

    def row(self, name: str) -> LinkRow:
        """Return the link of a name."""
        for each in self.rows:
            if each.name == name:
                return each
        raise UnknownName("link", name, [each.name for each in self.rows])

    def __str__(self) -> str:
        lines = [COLUMNS, *(tuple(word or "-" for word in astuple(row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )


def make_link_table(
    model: mujoco.MjModel, settings: Settings, connections: Iterable[Connection]
) -> LinkTable:
    """Return the links of a compiled world and of its connections."""
    inside = {name for k in range(settings.sliders) for name in slider_names(k)}
    bodies = [model.body(k) for k in range(model.nbody)]
    links = [  # name, joint, parent, real
        (body.name, _joint_word(model, body.id), bodies[int(body.parentid[0])].name, "")
        for body in bodies[1:]
        if body.name not in inside
    ]
    links += [(each.name, each.joint.kind, each.first, each.second) for each in connections]
    children: dict[str, list[str]] = {}
    for name, _, parent, _ in links:
        children.setdefault(parent, []).append(name)
    rows = [LinkRow("world", "", child=children.get("world", [""])[0])]
    for name, joint, parent, real in links:
        after = children[parent][children[parent].index(name) + 1 :]
        own = children.get(name, [""])
        rows.append(LinkRow(name, joint, parent, own[0], after[0] if after else "", real))
    return LinkTable(tuple(rows))


def _joint_word(model: mujoco.MjModel, body: int) -> str:
    joint = int(model.body_jntadr[body])
    return "fixed" if joint < 0 else JOINT_WORDS[int(model.jnt_type[joint])]
