"""URDF in: an own reader that accepts what public robots contain and refuses what cannot be right.

Read: links, joints (revolute, continuous, prismatic, fixed, and floating right under the root),
limits, mimic, inertials, collision and visual shapes with their colours. Passed over: everything
that is not kinematics (transmissions, sensors, simulator settings, damping, soft limits).

Where public files and the standard part ways:

- a velocity, acceleration or effort limit of zero means "not known", hence unlimited;
- a limit of 1e9 or more means unlimited, so that writing and reading lose nothing;
- a `<limit>` with neither `lower` nor `upper` sets no range (the standard would lock the joint);
- the axis and the mimic of a fixed joint mean nothing and are not looked at;
- an inertia that breaks the triangle inequality is accepted; one that is not positive
  semidefinite is rounded to the nearest that is when it is off by less than 1e-6 kg m²
  (placeholders on tiny parts), and refused otherwise.

`package://` and other mesh addresses are kept as they stand; no mesh is opened.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import PurePath

import numpy as np

from robotix.files.source_file import read_source
from robotix.files.xml_tree import Element, parse_xml
from robotix.geometry import Array, Pose
from robotix.model.body import Body
from robotix.model.joint import Joint, JointKind, Mimic
from robotix.model.tip import choose_tip
from robotix.model.tree import MAX_BODIES, Model
from robotix.model.unlimited import UNLIMITED, infinite
from robotix.model.urdf.shapes import Rgba, read_colours, read_pose, read_shapes, read_visuals

__all__ = ["load_urdf", "parse_urdf"]

ROUNDED_INERTIA = 1e-6  # kg m²

_KINDS: dict[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "floating",
}
_INSTEAD = {
    "planar": "two prismatic joints and a revolute one in its place",
    "ball": "three revolute joints in its place",
    "spherical": "three revolute joints in its place",
}


def load_urdf(path: str | os.PathLike[str], *, floating: bool = False) -> Model:
    """Read a robot from a URDF file; `floating` lets its root link float on a joint `root`."""
    data = read_source(path, what="a URDF robot description")
    return parse_urdf(data, name=os.fspath(path), floating=floating)


def parse_urdf(text: str | bytes, *, name: str, floating: bool = False) -> Model:
    """Read a robot from URDF text; `name` is what errors call that text.

    The model's name is the robot's in the file, else `name` without folder and suffix. The tip is
    chosen by `choose_tip`.
    """
    robot = parse_xml(text, path=name)
    _check_robot(robot)
    links, joints = _named(robot, "link"), _named(robot, "joint")
    if not links:
        raise robot.bad("a robot without links", "at least one <link>")
    if len(links) > MAX_BODIES:
        raise robot.bad(f"{len(links)} links", f"at most {MAX_BODIES}")
    holders = _find_holders(links, joints)
    root = _find_root(links, holders)
    _check_floating(joints, root=root, floating=floating)
    _check_mimics(joints)
    colours = read_colours(robot)
    root_joint = Joint(_free_name("root", joints), "floating" if floating else "fixed")
    bodies = [
        _read_body(links[root], colours=colours, joint=root_joint),
        *(_read_body(links[key], colours=colours, holder=holders[key]) for key in holders),
    ]
    with robot.blame():
        return Model(
            robot.text("name", "") or PurePath(name).stem or "robot",
            tuple(bodies),
            tip=choose_tip(bodies, {}),
            source=f"URDF {PurePath(name).name}",
        )


# -- the tree -------------------------------------------------------------------------------


def _check_robot(robot: Element) -> None:
    if robot.tag != "robot":
        raise robot.bad(f"<{robot.tag}>", "<robot> as the outermost element of a URDF")
    for element in robot.walk():
        if element.tag.startswith("xacro:"):
            raise element.bad(f"<{element.tag}>", "plain URDF; run the file through xacro first")


def _named(robot: Element, tag: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in robot.all(tag):
        name = element.text("name")
        if name in found:
            first = f"line {found[name].line}"
            raise element.bad(
                f"a second {tag} {name!r}", f"another name than on {first}", attribute="name"
            )
        found[name] = element
    return found


def _find_holders(
    links: Mapping[str, Element], joints: Mapping[str, Element]
) -> dict[str, Element]:
    """Return the joint that holds each link but the root."""
    holders: dict[str, Element] = {}
    for joint in joints.values():
        for end in (joint.need("parent"), joint.need("child")):
            if end.text("link") not in links:
                found = f"unknown link {end.text('link')!r}"
                raise end.bad(found, "the name of a <link> of this robot", attribute="link")
        child = joint.need("child").text("link")
        if child in holders:
            other = holders[child].text("name")
            raise joint.need("child").bad(
                f"a second parent for link {child!r}, already held by joint {other!r}",
                "a tree: one joint for each link",
                attribute="link",
            )
        holders[child] = joint
    return holders


def _find_root(links: Mapping[str, Element], holders: Mapping[str, Element]) -> str:
    roots = [name for name in links if name not in holders]
    if len(roots) > 1:
        raise links[roots[1]].bad(
            f"several roots: {', '.join(map(repr, roots[:4]))}",
            "one link that no joint holds; join the others to it",
        )
    parents = {child: joint.need("parent").text("link") for child, joint in holders.items()}
    sound = set(roots)
    for start in links:
        name, row = start, set[str]()
        while name not in sound:
            if name in row:
                found = f"a closed loop through link {name!r}"
                raise holders[name].bad(found, "a tree of links")
            row.add(name)
            name = parents[name]
        sound |= row
    return roots[0]


def _check_floating(joints: Mapping[str, Element], *, root: str, floating: bool) -> None:
    for joint in joints.values():
        if joint.attributes.get("type") != "floating":
            continue
        if floating or joint.need("parent").text("link") != root:
            expected = f"a floating joint only between the root {root!r} and another link"
            raise joint.bad(f"floating joint {joint.text('name')!r}", expected, attribute="type")


def _check_mimics(joints: Mapping[str, Element]) -> None:
    for joint in joints.values():
        mimic = joint.only("mimic")
        if mimic is None or joint.attributes.get("type") == "fixed":
            continue
        source = joints.get(mimic.text("joint"))
        if source is None:
            found = f"mimic of unknown joint {mimic.text('joint')!r}"
            raise mimic.bad(found, "the name of a <joint> of this robot", attribute="joint")
        kind = _KINDS.get(source.text("type"))
        if source.only("mimic") is not None or kind not in ("revolute", "prismatic"):
            raise mimic.bad(
                f"mimic of joint {mimic.text('joint')!r}, which does not move freely",
                "a revolute, continuous or prismatic joint that mimics no other",
                attribute="joint",
            )


def _free_name(wish: str, taken: Mapping[str, object]) -> str:
    while wish in taken:
        wish += "_"
    return wish


# -- bodies and joints ----------------------------------------------------------------------


def _read_body(
    link: Element,
    *,
    colours: Mapping[str, Rgba],
    holder: Element | None = None,
    joint: Joint | None = None,
) -> Body:
    """Return a link on the joint that holds it: an element, or for the root one made up."""
    if holder is not None:
        joint = _read_joint(holder)
    assert joint is not None
    mass, com, inertia = _read_inertial(link)
    with link.blame():
        return Body(
            link.text("name"),
            joint,
            None if holder is None else holder.need("parent").text("link"),
            Pose() if holder is None else read_pose(holder),
            mass=mass,
            com=com,
            inertia=inertia,
            collision=read_shapes(link),
            visuals=read_visuals(link, colours),
        )


def _read_joint(element: Element) -> Joint:
    word = element.text("type")
    if word not in _KINDS:
        instead = _INSTEAD.get(word, f"one of {', '.join(_KINDS)}")
        raise element.bad(f"joint type {word!r}", instead, attribute="type")
    kind, name = _KINDS[word], element.text("name")
    if kind in ("fixed", "floating"):
        return Joint(name, kind)
    lower, upper = _read_range(element, unlimited=word == "continuous")
    limit = element.only("limit")
    mimic = element.only("mimic")
    with element.blame():
        return Joint(
            name,
            kind,
            axis=_read_axis(element),
            lower=lower,
            upper=upper,
            velocity=_read_rate(limit, "velocity"),
            acceleration=_read_rate(limit, "acceleration"),
            effort=_read_rate(limit, "effort"),
            mimic=None if mimic is None else _read_mimic(mimic),
        )


def _read_axis(joint: Element) -> Array:
    axis = joint.only("axis")
    if axis is None:
        return np.array([1.0, 0.0, 0.0])  # the standard's default
    values = np.array(axis.numbers("xyz", 3))
    if np.linalg.norm(values) < 1e-9:
        raise axis.bad("an axis without direction", "three numbers, not all zero", attribute="xyz")
    return values


def _read_range(joint: Element, *, unlimited: bool) -> tuple[float, float]:
    if unlimited:
        return -math.inf, math.inf
    limit = joint.need("limit")
    if "lower" not in limit.attributes and "upper" not in limit.attributes:
        return -math.inf, math.inf
    lower = limit.number("lower", 0.0, largest=math.inf)
    upper = limit.number("upper", 0.0, largest=math.inf)
    if lower > upper:
        raise limit.bad(
            f"lower={lower:g} above upper={upper:g}", "lower ≤ upper", attribute="lower"
        )
    if lower >= UNLIMITED or upper <= -UNLIMITED:
        raise limit.bad(f"limits [{lower:g}, {upper:g}]", "limits that leave a position")
    return infinite(lower), infinite(upper)


def _read_rate(limit: Element | None, attribute: str) -> float:
    value = 0.0 if limit is None else limit.number(attribute, 0.0, largest=math.inf)
    if value < 0:
        assert limit is not None
        raise limit.bad(f"{attribute}={value:g}", "a number of at least 0", attribute=attribute)
    return infinite(value) if value else math.inf


def _read_mimic(element: Element) -> Mimic:
    ratio, offset = element.number("multiplier", 1.0), element.number("offset", 0.0)
    return Mimic(element.text("joint"), ratio, offset)


def _read_inertial(link: Element) -> tuple[float, Array, Array]:
    inertial = link.only("inertial")
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    mass = inertial.need("mass").number("value")
    if mass < 0:
        raise inertial.need("mass").bad(f"mass {mass:g}", "a mass of at least 0", attribute="value")
    element = inertial.need("inertia")
    xx, yy, zz, xy, xz, yz = (
        element.number(key) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    )
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    values, vectors = np.linalg.eigh(tensor)
    if values[0] < -max(ROUNDED_INERTIA, 1e-9 * abs(values).max()):
        found = f"an inertia with the negative principal moment {values[0]:.3g} kg m²"
        raise element.bad(found, "a positive semidefinite inertia")
    if values[0] < 0:
        tensor = (vectors * values.clip(0.0)) @ vectors.T
    frame = read_pose(inertial)
    rotated = frame.rotation @ tensor @ frame.rotation.T
    return mass, frame.translation, (rotated + rotated.T) / 2
