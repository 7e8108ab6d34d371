"""Values of SDF, which stand between tags: numbers, vectors, poses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from robotix.files.xml_tree import Element
from robotix.geometry import Pose

__all__ = ["flag_of", "number_of", "pose_of", "relative_to", "text_of", "vector_of"]

INFINITE = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}


def text_of(holder: Element, tag: str, default: str | None = None) -> str:
    """Return the text of the first child with a tag; without a default there must be one."""
    found = holder.all(tag)
    if not found and default is not None:
        return default
    return _plain(found[0] if found else holder.need(tag)).text(tag, default).strip()


def flag_of(holder: Element, tag: str) -> bool:
    """Return whether a child says `true` or `1`."""
    return text_of(holder, tag, "false").lower() in ("true", "1")


def number_of(holder: Element, tag: str, default: float | None = None) -> float:
    """Return the number in a child; it may be infinite."""
    found = holder.all(tag)
    if not found and default is not None:
        return default
    element = found[0] if found else holder.need(tag)
    word = element.content.strip().lower()
    if word in INFINITE:
        return INFINITE[word]
    return _plain(element).number(tag, largest=math.inf)


def vector_of(
    holder: Element, tag: str, count: int = 3, default: tuple[float, ...] | None = None
) -> tuple[float, ...]:
    """Return the numbers in a child."""
    found = holder.all(tag)
    if not found and default is not None:
        return default
    return _plain(found[0] if found else holder.need(tag)).numbers(tag, count)


def pose_of(holder: Element) -> Pose:
    """Return the pose in `<pose>`: the identity without one."""
    found = holder.all("pose")
    if not found or not found[0].content.strip():
        return Pose()
    element = _plain(found[0])
    if found[0].attributes.get("rotation_format") == "quat_xyzw":
        x, y, z, i, j, k, w = element.numbers("pose", 7)
        with found[0].blame():
            return Pose.from_quaternion(np.array([x, y, z]), np.array([w, i, j, k]))
    x, y, z, roll, pitch, yaw = element.numbers("pose", 6)
    unit = math.radians(1) if found[0].attributes.get("degrees") in ("true", "1") else 1.0
    return Pose.at(x, y, z, rpy=(roll * unit, pitch * unit, yaw * unit))


def relative_to(holder: Element) -> str:
    """Return the frame that `<pose>` names; empty when it names none."""
    found = holder.all("pose")
    if not found:
        return ""
    attributes = found[0].attributes
    return attributes.get("relative_to") or attributes.get("frame", "")  # `frame` in SDF 1.5, 1.6


def _plain(element: Element) -> Element:
    """Return an element whose text is an attribute, which has the readers of values."""
    return replace(element, attributes={element.tag: element.content})
