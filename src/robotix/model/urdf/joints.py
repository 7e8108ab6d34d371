"""The joints of a URDF: kinds, axes, limits, and which joint mimics which."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from robotix.files.xml_tree import Element
from robotix.geometry import Array
from robotix.model.composition import ball_joints, free_joints, planar_joints
from robotix.model.flaws import Flaws
from robotix.model.joint import Joint, JointKind, Mimic
from robotix.model.unlimited import UNLIMITED, infinite

__all__ = ["read_joints", "read_mimics"]

_KINDS: dict[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "floating",
}
_COMPOSED = ("planar", "ball", "spherical")
_STILL = ("fixed", "floating", *_COMPOSED)  # which follow no other joint


def read_joints(
    element: Element, mimics: Mapping[str, Mimic], flaws: Flaws, *, floats: bool
) -> list[Joint]:
    """Return the joint that an element describes, or those that make it up, one after the other.

    `mimics` are those of `read_mimics`. A floating joint is one of its own if it `floats`, under
    the root; else, like planar and ball joints, it becomes several (`robotix.model.composition`).
    """
    word, name = element.text("type"), element.text("name")
    match word:
        case "planar":
            return planar_joints(name, _read_axis(element, flaws))
        case "ball" | "spherical":
            return ball_joints(name)
        case "floating" if not floats:
            return free_joints(name)
    return [_read_joint(element, mimics, flaws)]


def _read_joint(element: Element, mimics: Mapping[str, Mimic], flaws: Flaws) -> Joint:
    word, name = element.text("type"), element.text("name")
    if word not in _KINDS:
        expected = f"one of {', '.join((*_KINDS, *_COMPOSED))}"
        raise element.bad(f"joint type {word!r}", expected, attribute="type")
    kind = _KINDS[word]
    if kind in ("fixed", "floating"):
        return Joint(name, kind)
    lower, upper = _read_range(element, flaws, unlimited=word == "continuous")
    limit = flaws.first(element, "limit")
    with element.blame():
        return Joint(
            name,
            kind,
            axis=_read_axis(element, flaws),
            lower=lower,
            upper=upper,
            velocity=_read_rate(limit, "velocity", flaws),
            acceleration=_read_rate(limit, "acceleration", flaws),
            effort=_read_rate(limit, "effort", flaws),
            mimic=mimics.get(name),
        )


def _read_axis(joint: Element, flaws: Flaws) -> Array:
    axis = flaws.first(joint, "axis")
    if axis is None:
        return np.array([1.0, 0.0, 0.0])  # the standard's default
    values = np.array(axis.numbers("xyz", 3))
    if np.linalg.norm(values) < 1e-9:
        raise axis.bad("an axis without direction", "three numbers, not all zero", attribute="xyz")
    return values


def _read_range(joint: Element, flaws: Flaws, *, unlimited: bool) -> tuple[float, float]:
    if unlimited:
        return -math.inf, math.inf
    limit = flaws.first(joint, "limit")
    if limit is None:
        fault = joint.bad(f"<{joint.tag}> without <limit>", "one <limit> inside")
        flaws.note(fault, "the joint is read as unlimited")
        return -math.inf, math.inf
    if "lower" not in limit.attributes and "upper" not in limit.attributes:
        return -math.inf, math.inf
    lower = limit.number("lower", 0.0, largest=math.inf)
    upper = limit.number("upper", 0.0, largest=math.inf)
    if lower > upper:  # Bullet's way to say "no limits"
        fault = limit.bad(
            f"lower={lower:g} above upper={upper:g}", "lower ≤ upper", attribute="lower"
        )
        flaws.note(fault, "the joint is read as unlimited")
        return -math.inf, math.inf
    if lower >= UNLIMITED or upper <= -UNLIMITED:
        raise limit.bad(f"limits [{lower:g}, {upper:g}]", "limits that leave a position")
    return infinite(lower), infinite(upper)


def _read_rate(limit: Element | None, attribute: str, flaws: Flaws) -> float:
    value = 0.0 if limit is None else limit.number(attribute, 0.0, largest=math.inf)
    if value < 0:
        assert limit is not None
        fault = limit.bad(f"{attribute}={value:g}", "a number of at least 0", attribute=attribute)
        flaws.note(fault, "read as unlimited")
        return math.inf
    return infinite(value) if value else math.inf


# -- mimicking joints -----------------------------------------------------------------------


def read_mimics(joints: Mapping[str, Element], flaws: Flaws) -> dict[str, Mimic]:
    """Return what each mimicking joint follows: a joint that moves freely.

    A mimic of a mimic becomes one of the joint at the end of the row, q = r₁ (r₂ q₀ + o₂) + o₁.
    """
    found = {name: _find_mimic(joint, joints, flaws) for name, joint in joints.items()}
    elements = {name: element for name, element in found.items() if element is not None}
    return {name: _follow(name, elements, joints, flaws) for name in elements}


def _find_mimic(joint: Element, joints: Mapping[str, Element], flaws: Flaws) -> Element | None:
    """Return the `<mimic>` of a joint that has a usable one."""
    mimic = flaws.first(joint, "mimic")
    if mimic is None or joint.attributes.get("type") in _STILL:
        return None
    if mimic.text("joint") not in joints:
        fault = mimic.bad(
            f"mimic of unknown joint {mimic.text('joint')!r}",
            "the name of a <joint> of this robot",
            attribute="joint",
        )
        flaws.note(fault, f"joint {joint.text('name')!r} moves freely")
        return None
    return mimic


def _follow(
    name: str, elements: Mapping[str, Element], joints: Mapping[str, Element], flaws: Flaws
) -> Mimic:
    """Return the mimic of a joint, followed to the joint that moves freely."""
    element, source, ratio, offset = elements[name], name, 1.0, 0.0
    fault = element.bad(
        f"mimic of joint {element.text('joint')!r}, which does not move freely",
        "a revolute, continuous or prismatic joint that mimics no other",
        attribute="joint",
    )
    passed: set[str] = set()
    while source in elements:
        if source in passed:  # a row that ends in itself
            raise fault
        passed.add(source)
        step = elements[source]
        offset += ratio * step.number("offset", 0.0)
        ratio *= step.number("multiplier", 1.0)
        source = step.text("joint")
    if _KINDS.get(joints[source].text("type")) not in ("revolute", "prismatic"):
        raise fault
    if len(passed) > 1:
        flaws.note(fault, f"it follows joint {source!r} with the ratio {ratio:g}")
    return Mimic(source, ratio, offset)
