"""Builds a room from the document of its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from robotix.authoring.load.document import NODE_SECTIONS, SceneDocument
from robotix.authoring.load.files import SceneFolder
from robotix.authoring.load.models import Models, add_robots
from robotix.authoring.load.name_resolver import NameResolver
from robotix.authoring.load.people import make_body, make_posture, read_tasks
from robotix.authoring.load.physics import make_body_properties, start_physics
from robotix.authoring.load.shapes import make_content, make_pose, make_scale, make_shapes
from robotix.authoring.schema.format import (
    ObjectEntry,
    PersonEntry,
    PlacedEntry,
    RobotEntry,
    RuleEntry,
)
from robotix.authoring.trust import ONLY_KNOWN, PluginPolicy
from robotix.errors import RobotixError, UnknownName
from robotix.files.typed.reader import AlreadyReported, Reader, field_value, refuse_error
from robotix.files.yaml.scalars import MAX_NUMBER, nearest, read_text
from robotix.files.yaml.text import YamlScalar, YamlSequence, YamlValue
from robotix.model import Visual
from robotix.scene.commands.basic import in_turn
from robotix.scene.commands.checking import check_alone
from robotix.scene.commands.moves import MOTION_SUFFIXES, Save
from robotix.scene.commands.people import Perform
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.console.console import install_console
from robotix.scene.events.events import EndOfStroke, Signal
from robotix.scene.graph.content import Attributes, Material, Region
from robotix.scene.plugins import PluginRequest, find_plugin
from robotix.scene.scene import Command, Scene

__all__ = ["START", "build_scene"]

START = Signal("robotix.start")  # sent once, in the first tick


@dataclass
class Builder:
    """Fills a room from a document; errors go to the reader's problems."""

    document: SceneDocument
    home: SceneFolder
    reader: Reader
    names: NameResolver
    scene: Scene
    models: Models
    placed: set[str] = field(default_factory=set)  # or failed
    simulated: list[str] = field(default_factory=list)  # robots
    requests: dict[str, PluginRequest] = field(default_factory=dict)  # plug-ins that were found
    callbacks: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # of plug-ins whose functions are known

    # -- things -----------------------------------------------------------------------------

    def add_materials(self) -> None:
        """Add the named materials."""
        for name, text in self.document.materials.items():
            with self.reader.collecting():
                try:
                    self.scene.assets.materials[name] = text.named(name)
                except ValueError as error:
                    refuse_error(self.document.entry("materials", name), error)

    def add_nodes(self) -> None:
        """Add all robots and objects, each after what it stands on."""
        for section, name in list(self.document.entries):
            if section in NODE_SECTIONS:
                self._add_with_parents(name)
        order = [
            n for n in (*self.document.robots, *self.document.people) if n in self.scene.robots
        ]
        self.scene.robots = {name: self.scene.robots[name] for name in order}

    def _add_with_parents(self, name: str) -> None:
        row: list[str] = []
        while name and name not in self.placed and name not in row:
            row.append(name)
            name = self._parent_entry(name)
        if name in row:
            section = self._section(name)
            self.reader.problems.append(
                self.document.place(section, name, "on").fault(
                    f"{name!r} stands on itself ({' on '.join([*row[row.index(name) :], name])})",
                    "something that does not hang on it",
                )
            )
            self.placed.update(row)
        for each in reversed(row):
            if each not in self.placed:
                self.placed.add(each)
                with self.reader.collecting():
                    self._add(each)

    def _section(self, name: str) -> str:
        sections = [s for s in NODE_SECTIONS if (s, name) in self.document.entries]
        return sections[0] if sections else "objects"

    def _text(self, name: str) -> PlacedEntry | None:
        document = self.document
        return document.robots.get(name) or document.objects.get(name) or document.people.get(name)

    def _parent_entry(self, name: str) -> str:
        """Return which entry makes the node that `name` stands on; empty for the room itself."""
        text = self._text(name)
        on = text.on if text else ""
        if self._text(on) is not None:
            return on
        jointed = (*self.document.robots, *self.document.people)
        owners = [owner for owner in jointed if on.startswith(f"{owner}/")]
        return max(owners, key=len, default="")

    def _add(self, name: str) -> None:
        match self._text(name):
            case RobotEntry() as robot:
                self._add_robot(name, robot)
            case ObjectEntry() as thing:
                self._add_object(name, thing)
            case PersonEntry() as person:
                self._add_person(name, person)

    def _add_robot(self, name: str, text: RobotEntry) -> None:
        value = self.document.entry("robots", name)
        parent = self._parent("robots", name, text)
        model, pose = self.models.load(text, value), make_pose(text, value)
        try:
            robot = self.scene.add_robot(name, model, pose=pose, parent=parent)
            robot.node.attributes = self._attributes("robots", name, text)
            robot.avoid_self()
        except ValueError as error:
            refuse_error(value, error)
        q = self.models.posture(text, model, value)
        if q is not None:
            robot.set_q(q)
        robot.postures = self.models.postures(text, model, value)
        if text.simulated:
            self.simulated.append(name)

    def _add_person(self, name: str, text: PersonEntry) -> None:
        value = self.document.entry("people", name)
        parent, pose = self._parent("people", name, text), make_pose(text, value)
        manikin = make_body(text, value)
        q = make_posture(manikin, text, value)
        try:
            person = self.scene.add_person(name, manikin, pose=pose, parent=parent)
            person.robot.node.attributes = self._attributes("people", name, text)
        except ValueError as error:
            refuse_error(value, error)
        person.robot.set_q(q)
        person.is_posed = bool(text.pose)

    def _add_object(self, name: str, text: ObjectEntry) -> None:
        value = self.document.entry("objects", name)
        shapes = make_shapes(text, value, self.home)
        content = make_content(text, value, has_shape=bool(shapes))
        pose, parent = make_pose(text, value), self._parent("objects", name, text)
        try:
            self.scene.graph.add(
                name,
                parent=parent,
                pose=pose,
                scale=make_scale(text, value),
                solids=shapes,
                visuals=() if isinstance(content, Region) else map(Visual, shapes),
                content=content,
                attributes=self._attributes("objects", name, text),
                body=make_body_properties(text, value),
            )
        except ValueError as error:
            refuse_error(value, error)

    def _parent(self, section: str, name: str, text: PlacedEntry) -> str | None:
        if not text.on or text.on in self.scene.graph:
            return text.on or None
        if self.names.is_invalid(text.on):
            raise AlreadyReported  # what it stands on could not be read
        place = self.document.place(section, name, "on")
        known = {*self.scene.graph.names, *self.document.names(*NODE_SECTIONS)} - {name}
        expected = nearest(text.on, known, what="an object, a robot or a link")
        place.refuse(f"nothing called {text.on!r} to stand on", expected)

    def _attributes(self, section: str, name: str, text: PlacedEntry) -> Attributes:
        place = self.document.place(section, name, "material")
        return Attributes(
            self._material(text, place), text.visible, text.wireframe, text.pickable,
            text.collidable,
        )  # fmt: skip

    def _material(self, text: PlacedEntry, place: YamlValue) -> Material | None:
        match text.material:
            case None:
                return None
            case str(name):
                if name in self.scene.assets.materials:
                    return self.scene.assets.materials[name]
                if ("materials", name) in self.document.entries:
                    raise AlreadyReported
                expected = nearest(name, self.scene.assets.materials, what="one of the materials")
                place.refuse(f"no material {name!r}", expected)
            case inline:
                try:
                    return inline.named()
                except ValueError as error:
                    refuse_error(place, error)

    def check_sizes(self) -> None:
        """Report scales and positions whose products are too large or too small."""
        self.scene.graph.update()
        world = self.scene.graph.world
        for node in self.scene.graph:
            row = world[node.row]
            if (
                np.isfinite(row).all()
                and abs(row).max() <= MAX_NUMBER
                and row[12] >= 1 / MAX_NUMBER
            ):
                continue
            name = node.robot or node.name
            place = self.document.place(self._section(name), name, "scale")
            found = f"{node.name!r} at {row[9:12]} in size {row[12]:g}"
            self.reader.problems.append(place.fault(found, f"no more than {MAX_NUMBER:g}"))
            return

    def start_physics(self) -> None:
        """Switch physics on; report what cannot be simulated."""
        start_physics(self.document, self.reader, self.scene, self.simulated)

    # -- what happens -----------------------------------------------------------------------

    def add_rules(self) -> None:
        """Add the rules, and what is done at the start."""
        for prefix, value in self.document.lists_with_prefix("rules"):
            self.names.prefix = prefix
            match value:
                case YamlSequence(items=items):
                    for item in items:
                        with self.reader.collecting():
                            self._add_rule(item)
                case YamlScalar(value=None):
                    pass
                case _:
                    fault = value.fault(str(value), "a list of rules, each after a '-'")
                    self.reader.problems.append(fault)
        self._add_start()
        self._check_files()

    def _add_start(self) -> None:
        """Add a rule for each entry of `start`, which runs in the first tick."""
        for prefix, value in self.document.lists_with_prefix("start"):
            self.names.prefix = prefix
            if not (isinstance(value, YamlScalar) and value.value is None):
                with self.reader.collecting():
                    for command in self.reader.read(value, tuple[Command, ...]):
                        self.scene.on(START, command, name="start")
        self.names.prefix = ""
        if self.scene.rules.of(START):
            self.scene.emit(START.name)

    def _check_files(self) -> None:
        """Report missing files, unless some rule writes them."""
        written = {command.file for command, _ in self.reader.parsed if isinstance(command, Save)}
        refused = {(each.args[0], each.line, each.column) for each in self.reader.problems}
        for file, place in self.names.files.items():
            if (place.path, place.line, place.column) in refused:
                continue
            motion = file if Path(file).suffix else file + MOTION_SUFFIXES[0]  # may be left out
            if motion in written or (self.home.folder / motion).is_file():
                continue
            with self.reader.collecting():
                self.home.find(read_text(place), place, what="a file")

    def _add_rule(self, item: YamlValue) -> None:
        rule: RuleEntry = self.reader.record(item, RuleEntry)
        if not rule.do:
            item.refuse("no commands", "something to do, such as {say: hello}")
        name = rule.name or f"{Path(item.path).name}:{item.line}"
        added = self.scene.on(rule.when, in_turn(rule.do), mode=rule.mode, name=name)
        self.document.rules.append((added, item))

    def find_plugins(self) -> None:
        """Find the plug-ins and the functions that rules may call, without running them."""
        for name, text in self.document.plugins.items():
            with self.reader.collecting():
                place = self.document.place("plugins", name, "module")
                module = self._module(text.module, place)
                try:
                    found = find_plugin(module, folder=self.home.folder)
                    callbacks = found.callbacks
                except UnknownName as error:
                    expected = nearest(module, error.args[2], what="a file beside the scene")
                    place.refuse(f"no plug-in {module!r}", expected)
                except (SyntaxError, ValueError, OSError) as error:
                    place.refuse(f"a plug-in that cannot be read ({error})", "a Python file")
                self.requests[name] = PluginRequest(name, found)
                if callbacks is not None:
                    self.callbacks[name] = callbacks

    def start_plugins(self, policy: PluginPolicy) -> None:
        """Start the plug-ins that were found and may run."""
        for name, request in self.requests.items():
            with self.reader.collecting():
                module, args = request.source.module, self.document.plugins[name].args
                try:
                    policy.add(self.scene, request, module=module, args=args)
                except ValueError as error:  # another plug-in has brought one of this name
                    refuse_error(self.document.entry("plugins", name), error)

    def check_commands(self, *, rehearse: bool) -> None:
        """Report commands that could never work; the room must be complete."""
        if set(self.document.names("robots", "people")) != set(self.scene.robots):
            return  # else commands would be blamed for what is missing
        invalid = set(self.document.names("tasks")) - set(self.scene.assets.tasks)
        acts = [
            each
            for each in self.reader.parsed
            if rehearse and isinstance(each[0], Perform) and each[0].task not in invalid
        ]
        others = [each for each in self.reader.parsed if not isinstance(each[0], Perform)]
        for command, value in (*acts, *others):  # things come into the room with acts
            with self.reader.collecting():
                self._check_names(command, value)
                try:
                    check_alone(command, self.scene)
                except (ValueError, RobotixError) as error:
                    refuse_error(value, error, cls=type(command))

    def check_things(self) -> None:
        """Report names of objects that no task of a person has added."""
        for name, place in self.names.things:
            if name not in self.scene.graph and not self.reader.problems:
                near = nearest(name, self.scene.graph.names, what="the name of a node")
                self.reader.problems.append(place.fault(f"no node {name!r}", near))

    def _check_names(self, item: Any, value: YamlValue) -> None:
        """Report unknown names of functions of plug-ins and of joints."""
        match item:
            case CallPlugin(plugin, name) if name not in self.callbacks.get(plugin, (name,)):
                expected = nearest(name, self.callbacks[plugin], what="one of its functions")
                place = field_value("callback", value, CallPlugin)
                place.refuse(f"plug-in {plugin!r} has no function {name!r} to call", expected)
            case EndOfStroke(robot, name) if name and robot in self.scene.robots:
                model = self.scene.robots[robot].model
                joints = [joint.name for joint in model.joints if joint.dof_names]
                if name not in joints:
                    place = field_value("joint", value, EndOfStroke)
                    place.refuse(f"no joint {name!r}", nearest(name, joints, what="a joint"))

    def _module(self, module: str, place: YamlValue) -> str:
        """Return a module as a path relative to the scene's folder, or as a name."""
        if "/" not in module and not (Path(place.path).parent / f"{module}.py").is_file():
            return module
        return self.home.relative(self.home.locate(module, place))


def build_scene(
    document: SceneDocument,
    home: SceneFolder,
    reader: Reader,
    *,
    is_check: bool,
    rehearse: bool = True,
    policy: PluginPolicy = ONLY_KNOWN,
) -> tuple[Scene, tuple[PluginRequest, ...]]:
    """Return the room that a document describes, and its plug-ins; leave out faulty entries."""
    scene = Scene(dt=1 / document.rate, seed=document.seed, name=document.name)
    scene.stops_with_page = document.stops_with_page
    scene.files.source = document.main.path
    scene.devices.update(document.devices)
    scene.robot_loader = add_robots
    install_console(scene)
    names = NameResolver(document, home, scene)
    reader.namespace = names
    builder = Builder(document, home, reader, names, scene, Models(home))
    builder.add_materials()
    builder.add_nodes()
    builder.check_sizes()
    builder.start_physics()
    read_tasks(document, reader, scene)
    builder.add_rules()
    builder.find_plugins()
    builder.check_commands(rehearse=rehearse)
    if rehearse:
        builder.check_things()
    if not is_check and not reader.problems:
        builder.start_plugins(policy)
        scene.physics.prepare()
    scene.files.used = home.used | {
        path for each in builder.requests.values() if (path := each.source.path) is not None
    }
    return scene, tuple(builder.requests.values())
