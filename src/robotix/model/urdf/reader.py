"""URDF in: an own reader that accepts what public robots contain and refuses what cannot be right.

Read: links, joints, limits, mimic, inertials, collision and visual shapes with their colours.
Passed over: everything that is not kinematics (transmissions, sensors, simulator settings,
damping, soft limits). Planar and ball (also `spherical`) joints, and floating ones that are not
right under the root, become chains of hinges and sliders (`robotix.model.composition`).

Where public files and the standard part ways:

- a velocity, acceleration or effort limit of zero means "not known", hence unlimited;
- a limit of 1e9 or more means unlimited, so that writing and reading lose nothing;
- a `<limit>` with neither `lower` nor `upper` sets no range (the standard would lock the joint);
- the axis and the mimic of a fixed joint mean nothing and are not looked at;
- an inertia that breaks the triangle inequality is accepted; one that is not positive
  semidefinite is rounded to the nearest that is (when it is off by 1e-6 kg m² or more, that is
  a flaw).

Flaws that leave the kinematics clear are noted in `Model.notes` and got by: a visual or collision
that cannot be read (of size 0, say) is left out; of two `<material>`, `<axis>` or `<limit>` the
first counts; left-over xacro elements are passed over; a mimic of a mimic follows the joint at
the end of the row; a hinge or slider without limits, or with the lower above the upper, is
unlimited, as is a rate below 0; an unknown parent becomes a link without mass. `strict` refuses
all of them.

Mesh addresses are kept as they stand; `load_urdf` looks for their files, and opens none of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from robotix.files.source_file import read_source
from robotix.files.xml_tree import Element, parse_xml
from robotix.geometry import Array, Pose
from robotix.model.body import Body
from robotix.model.composition import chain_of
from robotix.model.flaws import Flaws, sound_inertia
from robotix.model.joint import Joint, Mimic
from robotix.model.mesh_files import Folder, find_meshes
from robotix.model.tip import choose_tip
from robotix.model.tree import MAX_BODIES, Model
from robotix.model.urdf.joints import read_joints, read_mimics
from robotix.model.urdf.shapes import Rgba, read_colours, read_pose, read_shapes, read_visuals

__all__ = ["load_urdf", "parse_urdf"]


def load_urdf(
    path: str | os.PathLike[str],
    *,
    floating: bool = False,
    strict: bool = False,
    packages: Iterable[Folder] = (),
) -> Model:
    """Read a robot from a URDF file; `floating` lets its root link float on a joint `root`.

    `strict` refuses a file with flaws that are otherwise noted in `Model.notes`. Its meshes are
    looked for as `robotix.model.mesh_files` says, `packages` first.
    """
    data = read_source(path, what="a URDF robot description")
    model = parse_urdf(data, name=os.fspath(path), floating=floating, strict=strict)
    return find_meshes(model, path, packages=packages)


def parse_urdf(
    text: str | bytes, *, name: str, floating: bool = False, strict: bool = False
) -> Model:
    """Read a robot from URDF text; `name` is what errors call that text.

    The model's name is the robot's in the file, else `name` without folder and suffix. The tip is
    chosen by `choose_tip`.
    """
    robot, flaws = parse_xml(text, path=name), Flaws(strict=strict)
    has_xacro = _check_robot(robot, flaws)
    links, joints = _named(robot, "link"), _named(robot, "joint")
    if not links:
        expected = "plain URDF; run the file through xacro first" if has_xacro else ""
        raise robot.bad("a robot without links", expected or "at least one <link>")
    links |= _missing_parents(robot, links, joints, flaws)
    if len(links) > MAX_BODIES:
        raise robot.bad(f"{len(links)} links", f"at most {MAX_BODIES}")
    holders = _find_holders(links, joints, flaws)
    root = _find_root(links, holders)
    carrier = "" if floating else root
    reader = _BodyReader(flaws, read_colours(robot, flaws), read_mimics(joints, flaws), carrier)
    root_joint = Joint(_free_name("root", joints), "floating" if floating else "fixed")
    bodies = [reader.read_root(links[root], root_joint)]
    for key in holders:
        bodies += reader.read(links[key], holders[key])
    with robot.blame():
        return Model(
            robot.text("name", "") or PurePath(name).stem or "robot",
            tuple(bodies),
            tip=choose_tip(bodies, {}).name,
            source=f"URDF {PurePath(name).name}",
            notes=flaws.notes,
        )


# -- the tree -------------------------------------------------------------------------------


def _check_robot(robot: Element, flaws: Flaws) -> bool:
    """Raise BadFile unless it is URDF; return whether it contains xacro elements."""
    if robot.tag != "robot":
        raise robot.bad(f"<{robot.tag}>", "<robot> as the outermost element of a URDF")
    left = [element for element in robot.walk() if element.tag.startswith("xacro:")]
    for element in left:
        fault = element.bad(f"<{element.tag}>", "plain URDF; run the file through xacro first")
        flaws.note(fault, "passed over; run the file through xacro if parts are missing")
    return bool(left)


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


def _missing_parents(
    robot: Element, links: Mapping[str, Element], joints: Mapping[str, Element], flaws: Flaws
) -> dict[str, Element]:
    """Return an empty link for every parent that the file names but does not describe."""
    made: dict[str, Element] = {}
    for joint in joints.values():
        end = flaws.need(joint, "parent")
        name = end.text("link")
        if name in links or name in made:
            continue
        fault = end.bad(
            f"unknown link {name!r}", "the name of a <link> of this robot", attribute="link"
        )
        flaws.note(fault, "read as a link without mass or shape")
        made[name] = Element(
            robot.document, "link", {"name": name}, end.line, end.column, end.offset
        )
    return made


def _find_holders(
    links: Mapping[str, Element], joints: Mapping[str, Element], flaws: Flaws
) -> dict[str, Element]:
    """Return the joint that holds each link but the root."""
    holders: dict[str, Element] = {}
    for joint in joints.values():
        end = flaws.need(joint, "child")
        child = end.text("link")
        if child not in links:
            found = f"unknown link {child!r}"
            raise end.bad(found, "the name of a <link> of this robot", attribute="link")
        if child in holders:
            other = holders[child].text("name")
            raise end.bad(
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
    parents = {child: joint.all("parent")[0].text("link") for child, joint in holders.items()}
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


def _free_name(wish: str, taken: Mapping[str, object]) -> str:
    while wish in taken:
        wish += "_"
    return wish


# -- bodies and joints ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _BodyReader:
    flaws: Flaws
    colours: Mapping[str, Rgba]
    mimics: Mapping[str, Mimic]
    carrier: str  # the link on which a joint can float: a root that does not move

    def read_root(self, link: Element, joint: Joint) -> Body:
        """Return the root link on a joint made up for it."""
        return self._body(link, joint, None, Pose())

    def read(self, link: Element, holder: Element) -> list[Body]:
        """Return a link on the joint that holds it, behind a body for each further coordinate."""
        parent = holder.all("parent")[0].text("link")
        floats = parent == self.carrier
        joints = read_joints(holder, self.mimics, self.flaws, floats=floats)
        body = self._body(link, joints[-1], parent, read_pose(holder, self.flaws))
        return chain_of(body, joints)

    def _body(self, link: Element, joint: Joint, parent: str | None, placement: Pose) -> Body:
        mass, com, inertia = _read_inertial(link, self.flaws)
        with link.blame():
            return Body(
                link.text("name"),
                joint,
                parent,
                placement,
                mass=mass,
                com=com,
                inertia=inertia,
                collision=read_shapes(link, self.flaws),
                visuals=read_visuals(link, self.colours, self.flaws),
            )


def _read_inertial(link: Element, flaws: Flaws) -> tuple[float, Array, Array]:
    inertial = flaws.first(link, "inertial")
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    weight = flaws.need(inertial, "mass")
    mass = weight.number("value")
    if mass < 0:
        raise weight.bad(f"mass {mass:g}", "a mass of at least 0", attribute="value")
    element = flaws.need(inertial, "inertia")
    xx, yy, zz = (element.number(key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (_read_product(element, key, flaws) for key in ("ixy", "ixz", "iyz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    tensor = sound_inertia(tensor, element, flaws)
    frame = read_pose(inertial, flaws)
    rotated = frame.rotation @ tensor @ frame.rotation.T
    return mass, frame.translation, (rotated + rotated.T) / 2


def _read_product(inertia: Element, key: str, flaws: Flaws) -> float:
    if key not in inertia.attributes:
        flaws.note(inertia.bad(f"<inertia> without {key}=", f'{key}="…"'), "read as 0")
    return inertia.number(key, 0.0)
