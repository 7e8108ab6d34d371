"""SDF in: models of Gazebo and Drake, from version 1.0 to 1.12.

Read: links, joints, frames, nested and included models, poses with `relative_to`, limits, mimic,
inertials, collision and visual shapes with their colours. What becomes of the file's parts:

- a joint whose frame is not the link's becomes one on a massless body `LINK.JOINT`, so that `LINK`
  has the frame it has in the file;
- `universal` and `revolute2` are two hinges `JOINT_1` and `JOINT_2`, `ball` three (`JOINT_x`,
  `JOINT_y`, `JOINT_z`), `screw` a hinge and a slider `JOINT_thread` that follows it;
- frames are control points; what is in a nested model is called `MODEL::NAME`;
- links that no joint holds are held by the world, where the file puts them;
- a joint that closes a loop is left out, and `Model.notes` says so, as is a shape without
  counterpart (ellipsoid, height map);
- of a world, the models with joints are read.

Plug-ins, sensors, lights, physics and dynamics of joints are passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePath

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.files.xml_tree import Element, parse_xml
from robotix.geometry import Pose
from robotix.model.body import Body
from robotix.model.flaws import Flaws
from robotix.model.joint import Joint, JointKind
from robotix.model.mesh_files import Folder, find_meshes
from robotix.model.sdf.frames import WORLD, Scope, SdfFrames
from robotix.model.sdf.includes import Includes, check_root
from robotix.model.sdf.joints import JointReader
from robotix.model.sdf.links import read_collision, read_inertial, read_visuals
from robotix.model.sdf.values import pose_of, text_of
from robotix.model.tip import choose_tip
from robotix.model.tree import MAX_BODIES, ControlPoint, Model

__all__ = ["load_sdf"]

NEWEST = "1.12"


def load_sdf(
    path: str | os.PathLike[str],
    *,
    floating: bool = False,
    strict: bool = False,
    packages: Iterable[Folder] = (),
) -> tuple[Model, ...]:
    """Read the robots in an SDF file; of a world, the models that have joints.

    `floating` lets the only root float on a joint `root`; `strict` refuses flaws that are otherwise
    noted in `Model.notes`. Meshes and included models are looked for as `robotix.model.mesh_files`
    says, `packages` first.
    """
    data = read_source(path, what="an SDF robot description")
    root = parse_xml(data, path=os.fspath(path), keep_text=True)
    check_root(root)
    folders = tuple(map(Path, packages))
    models = []
    for element, pose in _models(root, Includes(folders)):
        reader = _ModelReader(root, Flaws(strict=strict), Includes(folders))
        model = reader.read(element, pose, floating=floating)
        models.append(find_meshes(model, path, packages=folders))
    moving = [model for model in models if model.n_dof]
    if not models:
        raise root.bad("no <model>", "at least one model with links")
    return tuple(moving if root.all("world") and moving else models)


def _models(root: Element, include: Includes) -> list[tuple[Element, Pose]]:
    """Return the models of a file, and where they stand."""
    found = [(model, pose_of(model)) for model in root.all("model") if _has_links(model)]
    for world in root.all("world"):
        found += [(model, pose_of(model)) for model in world.all("model") if _has_links(model)]
        for element in world.all("include"):
            try:
                model = include(element)
            except BadFile:
                continue  # scenery, such as the sun and a floor
            if _has_links(model):
                found.append((model, pose_of(element if element.all("pose") else model)))
    return found


def _has_links(model: Element) -> bool:
    return any(each.tag in ("link", "include") for each in model.walk())


class _ModelReader:
    """Reads one model, with all models inside it."""

    def __init__(self, root: Element, flaws: Flaws, include: Includes) -> None:
        self.flaws = flaws
        self.frames = SdfFrames(include)
        self.name = PurePath(root.path).name
        self.joints = JointReader(self.frames, flaws, _version(root))

    def read(self, model: Element, pose: Pose, *, floating: bool) -> Model:
        self.frames.add_model(model, Scope("", ""))
        if not self.frames.links:
            raise model.bad("a model without links", "at least one <link>")
        if len(self.frames.links) > MAX_BODIES:
            raise model.bad(f"{len(self.frames.links)} links", f"at most {MAX_BODIES}")
        holders = self._holders()
        bodies = self._roots(holders, pose, floating=floating)
        for link, (joint, parent) in holders.items():
            if parent:
                bodies += self.joints.bodies(self._body(link, parent), joint)
        bodies = self.joints.with_mimics(bodies)
        points = self._points()
        with model.blame():
            return Model(
                model.text("name", "") or PurePath(self.name).stem,
                tuple(bodies),
                points,
                tip=choose_tip(bodies, points).name,
                source=f"SDF {self.name}",
                notes=self.flaws.notes,
            )

    def _holders(self) -> dict[str, tuple[str, str]]:
        """Return, by link, the joint that holds it and the parent link: empty for the world."""
        holders: dict[str, tuple[str, str]] = {}
        for name, (element, scope) in self.frames.joints.items():
            child = self.frames.link_of(scope.name(text_of(element, "child")), element)
            named = text_of(element, "parent")
            parent = "" if named == WORLD else self.frames.link_of(scope.name(named), element)
            if child in holders or child == parent or self._is_above(child, parent, holders):
                fault = element.bad(
                    f"joint {name!r}, which closes a loop at link {child!r}",
                    "a tree: one joint for each link",
                )
                self.flaws.note(fault, "left out: the loop is open there")
                continue
            holders[child] = name, parent
        return holders

    def _is_above(self, link: str, other: str, holders: dict[str, tuple[str, str]]) -> bool:
        """Return whether a link carries another one."""
        while other in holders:
            other = holders[other][1]
            if other == link:
                return True
        return False

    def _roots(
        self, holders: dict[str, tuple[str, str]], pose: Pose, *, floating: bool
    ) -> list[Body]:
        """Return the links that the world holds, by a joint or by nothing, behind a `world`."""
        loose = [name for name in self.frames.links if name not in holders]
        held = {name: joint for name, (joint, parent) in holders.items() if not parent}
        if len(loose) + len(held) == 1 and (loose or not self._moves(held)):
            name = next(iter((*loose, *held)))
            kind: JointKind = "floating" if floating else "fixed"
            body = self._body(name, None, pose)
            taken = self.frames.joints if loose else {}
            joint = Joint(_free_name("root" if loose or floating else held[name], taken), kind)
            return [replace(body, joint=joint)]
        world = _free_name(WORLD, self.frames.links)
        bodies = [Body(world, Joint(_free_name(WORLD, self.frames.joints)))]
        for name in loose:
            bodies.append(self._body(name, world, pose))
        for name, joint_name in held.items():
            bodies += self.joints.bodies(self._body(name, world, pose), joint_name)
        return bodies

    def _moves(self, held: dict[str, str]) -> bool:
        return any(self.frames.joints[name][0].text("type") != "fixed" for name in held.values())

    def _body(self, name: str, parent: str | None, pose: Pose | None = None) -> Body:
        """Return a link at its place on its parent, or with `pose` in the world, held fast."""
        link = self.frames.links[name]
        place = self.frames.pose(name, link)
        if pose is None:
            assert parent is not None
            placement = self.frames.pose(parent, link).inverse() @ place
        else:
            placement = pose @ place
        mass, com, inertia = read_inertial(link, self.flaws)
        with link.blame():
            return Body(
                name,
                Joint(_free_name(f"{name}_fixed", self.frames.joints)),
                parent,
                placement,
                mass=mass,
                com=com,
                inertia=inertia,
                collision=read_collision(link, self.flaws),
                visuals=read_visuals(link, self.flaws),
            )

    def _points(self) -> dict[str, ControlPoint]:
        points = {}
        for name in self.frames.points:
            element = self.frames.element(name)
            link = self.frames.link_of(name, element)
            if link:
                pose = self.frames.pose(link, element).inverse() @ self.frames.pose(name, element)
                points[name] = ControlPoint(link, pose)
        return points


def _free_name(wish: str, taken: Iterable[str]) -> str:
    names = set(taken)
    while wish in names:
        wish += "_"
    return wish


def _version(root: Element) -> tuple[int, ...]:
    words = root.text("version", NEWEST).split(".")
    if not all(word.isdigit() for word in words):
        raise root.bad(f"version {root.text('version')!r}", "such as 1.9", attribute="version")
    return tuple(map(int, words))
