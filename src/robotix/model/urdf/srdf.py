"""SRDF in: the pairs of links whose collisions are disabled, as MoveIt writes them."""

from __future__ import annotations

import os

from robotix.files.source_file import read_source
from robotix.files.xml_tree import parse_xml

__all__ = ["load_disabled_pairs"]


def load_disabled_pairs(path: str | os.PathLike[str]) -> frozenset[frozenset[str]]:
    """Return the pairs of links in `<disable_collisions>`, by name; other elements are ignored."""
    data = read_source(path, what="an SRDF file")
    robot = parse_xml(data, path=os.fspath(path))
    if robot.tag != "robot":
        raise robot.bad(f"<{robot.tag}>", "<robot> as the outermost element of an SRDF file")
    return frozenset(
        frozenset((element.text("link1"), element.text("link2")))
        for element in robot.all("disable_collisions")
    )
