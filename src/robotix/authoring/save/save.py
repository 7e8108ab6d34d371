"""Saves a scene into its files: changes what differs, keeps everything else as written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robotix.authoring.load.document import NODE_SECTIONS
from robotix.authoring.load.load import NATIVE_SUFFIXES, NativeScene, read_native
from robotix.authoring.load.used_devices import written_devices
from robotix.authoring.save.comparing import (
    POSE_KEYS,
    differences,
    is_same_place,
    written_objects,
    written_robots,
    written_rules,
)
from robotix.authoring.save.entries import (
    attribute_entry,
    material_entry,
    object_entry,
    physics_entry,
    rule_entry,
    standing,
    start_entry,
    task_entry,
    written_posture,
)
from robotix.authoring.save.new_file import (
    joints_entry,
    person_entry,
    plugin_entry,
    robot_entry,
    write_new,
)
from robotix.authoring.save.replacing import replace_all
from robotix.authoring.save.text_edit import TextEdit
from robotix.files.backup import write_backup
from robotix.files.yaml.rounding import TOLERANCE, is_same, write_point, write_rotation
from robotix.files.yaml.text import YamlMapping, YamlSequence, YamlValue
from robotix.files.yaml.write import Plain
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["save_room", "save_scene"]

# The values of keys that the room no longer has.
DEFAULT_VALUES: Mapping[str, Plain] = {
    "on": "world", "at": [0, 0, 0], "rpy_deg": [0, 0, 0], "rpy": [0, 0, 0],
    "quaternion": [1, 0, 0, 0], "scale": 1, "visible": True, "wireframe": False, "pickable": True,
    "collidable": True, "plane": False, "region": False, "parts": [], "simulated": False,
    "postures_deg": {},
}  # fmt: skip
ROTATIONS = ("rpy_deg", "rpy", "quaternion")


def save_scene(scene: Scene, path: str | os.PathLike[str] | None = None) -> None:
    """Write a room as it is now into the file it came from, or into another.

    Comments, order and layout of the file stay; only what differs is changed, also in files that it
    includes. A room made by a program becomes a new file. Raises ValueError, and writes nothing, if
    a file cannot say it, as a rule that calls a function. The first backup is NAME.bak.

    Examples:
        >>> rx.save_scene(rx.Scene(), "room.yaml")
    """
    target = _target(scene, path)
    source = scene.files.source
    if source is not None and source.suffix.lower() in NATIVE_SUFFIXES and source.is_file():
        texts = _edited(scene, source, target)
    else:
        texts = {target: write_new(scene, target.parent)}
    _check(scene, target, texts)
    replace_all(texts, lambda: _back_up(scene, texts))
    scene.files.source = target


def save_room(scene: Scene, file: str = "", *, robot: str = "") -> Path:
    """Write a room into its own file, or into another of the folder where it saves its files.

    With `robot`, only that robot is added to the file; all else stays as it is there.
    """
    from robotix.authoring.rooms import is_built_in

    source = scene.files.source
    if source is not None and is_built_in(source):
        raise ValueError(
            f"{source.stem!r} is part of robotix; `robotix examples --copy DIR` makes a copy that "
            f"can be saved: robotix run DIR/rooms/{source.name}"
        )
    if robot:
        _add_robot(scene, robot)
    elif file:
        path = scene.files.outputs / file
        save_scene(scene, path if path.suffix else path.with_suffix(".yaml"))
    else:
        save_scene(scene)
    assert scene.files.source is not None
    return scene.files.source


def _add_robot(scene: Scene, name: str) -> None:
    """Add the entry of a robot to the file of a room."""
    source = _target(scene, None)
    native, problems = read_native(source, is_check=True, rehearse=False)
    if problems:
        raise problems[0]
    assert native is not None
    main = TextEdit(native.document.main)
    if name in native.document.names(*NODE_SECTIONS):
        raise ValueError(f"{source.name} has {name!r} already; rename it there, or save the room")
    main.add_to_section("robots", name, robot_entry(scene, scene.robots[name]))
    texts = {source: main.result}
    _, problems = read_native(source, is_check=True, changed=texts, rehearse=False)
    if problems:
        raise problems[0]
    replace_all(texts, lambda: _back_up(scene, texts))


def _target(scene: Scene, path: str | os.PathLike[str] | None) -> Path:
    target = Path(path) if path is not None else scene.files.source
    if target is None:
        raise ValueError("this room came from no file; say where to save it")
    if target.suffix.lower() not in NATIVE_SUFFIXES:
        raise ValueError(f"a scene is saved as {' or '.join(NATIVE_SUFFIXES)}, got {target.name!r}")
    return target


def _check(scene: Scene, target: Path, texts: Mapping[Path, str]) -> None:
    """Load the new texts, and raise ValueError unless they describe the same room."""
    native, problems = read_native(target, is_check=True, changed=texts, rehearse=False)
    if problems:
        raise problems[0]
    assert native is not None
    for difference in differences(scene, native.scene, target.parent):
        raise ValueError(f"a scene file cannot say all of this room ({difference} would differ)")


def _back_up(scene: Scene, texts: Mapping[Path, str]) -> None:
    """Keep every file that is about to change, as it was before this room changed it."""
    for path, text in texts.items():
        own = path.resolve()
        if own in scene.files.saved:
            continue
        if own.is_file() and own.read_bytes() != text.encode("utf-8"):
            write_backup(own)
        scene.files.saved.add(own)


# -- changes --------------------------------------------------------------------------------


def _edited(scene: Scene, source: Path, target: Path) -> dict[Path, str]:
    """Return the texts of all files that change; that of the first one belongs to `target`."""
    native, problems = read_native(source, is_check=True, rehearse=False)
    if problems:
        raise problems[0]
    assert native is not None
    changes = _Changes(scene, native, {str(f.path): TextEdit(f) for f in native.document.files})
    changes.settings()
    changes.robots()
    changes.people()
    changes.objects()
    changes.rules()
    main = native.document.main.path
    return {
        target if edit.file.path == main else edit.file.path: edit.result
        for edit in changes.edits.values()
        if edit.file.path == main or edit.result != edit.file.text
    }


@dataclass
class _Changes:
    """The changes that make the files describe the room."""

    scene: Scene
    native: NativeScene
    edits: dict[str, TextEdit]  # by path

    @property
    def _main(self) -> TextEdit:
        return self.edits[str(self.native.document.main.path)]

    @property
    def _folder(self) -> Path:
        return self.native.document.main.path.parent

    def settings(self) -> None:
        """Change name, rate, seed, materials and devices; add plug-ins."""
        old, root = self.native.scene, self._main.file.root
        if old.name != self.scene.name:
            self._main.set(root, "name", self.scene.name)
        if abs(old.dt - self.scene.dt) > 1e-12:
            self._main.set(root, "rate", round(1 / self.scene.dt, 9))
        if old.seed != self.scene.seed:
            self._main.set(root, "seed", self.scene.seed)
        if old.stops_with_page != self.scene.stops_with_page:
            self._main.set(root, "stops_with_page", self.scene.stops_with_page)
        if (physics := physics_entry(self.scene)) != physics_entry(old):
            self._main.set(root, "physics", {"on": False} if physics is None else physics)
        looks = {name: material_entry(look) for name, look in self.scene.assets.materials.items()}
        unchanged = _unchanged(old.assets.materials, self.scene.assets.materials)
        self._section("materials", looks, unchanged)
        devices = written_devices(self.scene)
        self._section("devices", devices, _unchanged(old.devices, devices))
        self._add_missing("plugins", {p.name: plugin_entry(p) for p in self.scene.plugins})

    def _section(self, section: str, entries: Mapping[str, Plain], kept: set[str]) -> None:
        """Rewrite the entries of a section, except unchanged ones."""
        for name in self.native.document.names(section):
            if name not in entries:
                self._remove(section, name)
            elif name not in kept:
                self._replace(section, name, entries[name])
        self._add_missing(section, entries)

    def robots(self) -> None:
        """Change where robots are, how they look and how they stand."""
        there = written_robots(self.scene)
        for name in self.native.document.names("robots"):
            if name not in there:
                self._remove("robots", name)
            else:
                self._robot(name)
        known = set(self.native.document.names("robots"))
        fresh = {n: r for n, r in there.items() if n not in known}
        self._add_missing("robots", {n: robot_entry(self.scene, r) for n, r in fresh.items()})

    def _robot(self, name: str) -> None:
        old, new = self.native.scene.robots[name], self.scene.robots[name]
        model = self.native.document.robots[name].model
        before = robot_entry(self.native.scene, old, model=model)
        after = robot_entry(self.scene, new, model=model)
        if not isinstance(self.native.document.entry("robots", name), YamlMapping):
            if not is_same(before, after):
                self._replace("robots", name, after)
            return
        edit, table = self._table("robots", name)
        self._place(edit, table, (self.native.scene, old.node), (self.scene, new.node))
        self._keys(edit, table, _looks(before), _looks(after))
        posture = written_posture(new)
        if np.abs(written_posture(old) - posture).max(initial=0.0) > TOLERANCE:
            key = "q" if "q" in table else "q_deg"
            edit.set(table, key, joints_entry(new, posture, in_degrees=key == "q_deg"))

    def people(self) -> None:
        """Change where people are and how they look, and what they can do."""
        for name in self.native.document.names("people"):
            if name not in self.scene.people:
                self._remove("people", name)
            else:
                self._person(name)
        self._add_missing(
            "people", {n: person_entry(self.scene, p) for n, p in self.scene.people.items()}
        )
        tasks = {name: task_entry(steps) for name, steps in self.scene.assets.tasks.items()}
        unchanged = _unchanged(self.native.scene.assets.tasks, self.scene.assets.tasks)
        self._section("tasks", tasks, unchanged)

    def _person(self, name: str) -> None:
        old, new = self.native.scene.people[name], self.scene.people[name]
        if not isinstance(self.native.document.entry("people", name), YamlMapping):
            before = person_entry(self.native.scene, old)
            if not is_same(before, after := person_entry(self.scene, new)):
                self._replace("people", name, after)
            return
        edit, table = self._table("people", name)
        nodes = old.robot.node, new.robot.node
        self._place(edit, table, (self.native.scene, nodes[0]), (self.scene, nodes[1]))
        looks = [
            attribute_entry(scene, node)
            for scene, node in zip((self.native.scene, self.scene), nodes, strict=True)
        ]
        self._keys(edit, table, *looks)

    def objects(self) -> None:
        """Change, remove and add objects."""
        there = {node.name: node for node in written_objects(self.scene)}
        names = self.native.document.names("objects")
        for name in names:
            if name not in there:
                self._remove("objects", name)
            else:
                self._object(name, there[name])
        fresh = [node for name, node in there.items() if name not in names]
        self._add_missing(
            "objects", {n.name: object_entry(self.scene, n, self._folder) for n in fresh}
        )

    def _object(self, name: str, node: Node) -> None:
        before = self.native.scene.graph[name]
        old = object_entry(self.native.scene, before, self._folder)
        new = object_entry(self.scene, node, self._folder)
        if not isinstance(self.native.document.entry("objects", name), YamlMapping):
            if not is_same(old, new):
                self._replace("objects", name, new)
            return
        edit, table = self._table("objects", name)
        if isinstance(table.get("scale"), YamlSequence) and not is_same(
            old.get("scale"), new.get("scale")
        ):
            old = {key: value for key, value in old.items() if key not in ("box", "mesh")}
            new.setdefault("scale", 1)
        self._place(edit, table, (self.native.scene, before), (self.scene, node))
        self._keys(edit, table, _looks(old), _looks(new))

    def _place(
        self, edit: TextEdit, table: YamlMapping, old: tuple[Scene, Node], new: tuple[Scene, Node]
    ) -> None:
        if is_same_place(old, new):
            return
        (was_on, was), (on, pose) = standing(*old), standing(*new)
        if on != was_on:
            edit.set(table, "on", on or DEFAULT_VALUES["on"])
        if not is_same(was.translation.tolist(), pose.translation.tolist()):
            edit.set(table, "at", write_point(pose.translation) or DEFAULT_VALUES["at"])
        if np.abs(was.rotation - pose.rotation).max() > TOLERANCE:
            key = next((key for key in ROTATIONS if key in table), "rpy_deg")
            written = write_rotation(pose, key=key) or {key: DEFAULT_VALUES[key]}
            ((new_key, value),) = written.items()
            edit.set(table, key, value, new_key=new_key)

    def _keys(
        self, edit: TextEdit, table: YamlMapping, old: Mapping[str, Plain], new: Mapping[str, Plain]
    ) -> None:
        for key in (*old, *(key for key in new if key not in old)):
            if not is_same(old.get(key), new.get(key)):
                edit.set(table, key, new.get(key, DEFAULT_VALUES.get(key)))

    # -- entries of sections ----------------------------------------------------------------

    def _edit_of(self, section: str, name: str) -> tuple[TextEdit, YamlMapping]:
        """Return the file that has an entry, and the section there."""
        edit = self.edits[self.native.document.entries[section, name].key.path]
        table = edit.file.root.get(section)
        assert isinstance(table, YamlMapping)
        return edit, table

    def _table(self, section: str, name: str) -> tuple[TextEdit, YamlMapping]:
        edit, _ = self._edit_of(section, name)
        table = self.native.document.entry(section, name)
        assert isinstance(table, YamlMapping)
        return edit, table

    def _written_name(self, section: str, name: str) -> str:
        """Return the key of an entry; copies share one, and a prefix is not part of it."""
        return self.native.document.entries[section, name].key.text

    def _remove(self, section: str, name: str) -> None:
        edit, table = self._edit_of(section, name)
        edit.remove(table, self._written_name(section, name))

    def _replace(self, section: str, name: str, value: Plain) -> None:
        edit, table = self._edit_of(section, name)
        edit.set(table, self._written_name(section, name), value)

    def _add_missing(self, section: str, entries: Mapping[str, Plain]) -> None:
        known = self.native.document.names(section)
        for name, value in entries.items():
            if name not in known:
                self._main.add_to_section(section, name, value)

    # -- rules ------------------------------------------------------------------------------

    def rules(self) -> None:
        """Remove rules that are gone, add those that are new, and write the start if it changed."""
        left = written_rules(self.scene)
        for rule, item in self.native.document.rules:
            entry = rule_entry(rule)
            if entry in left:
                left.remove(entry)
            else:
                self._remove_rule(item)
        for entry in left:
            self._main.add_to_section("rules", None, entry)
        if (now := start_entry(self.scene)) != start_entry(self.native.scene):
            for edit in self.edits.values():
                if "start" in edit.file.root and edit is not self._main:
                    edit.set(edit.file.root, "start", [])
            self._main.set(self._main.file.root, "start", now)

    def _remove_rule(self, item: YamlValue) -> None:
        edit = self.edits[item.path]
        rules = edit.file.root.get("rules")
        assert isinstance(rules, YamlSequence)
        edit.remove_item(rules, item)


def _unchanged(old: Mapping[str, object], new: Mapping[str, object]) -> set[str]:
    return {name for name, value in new.items() if old.get(name) == value}


def _looks(entry: Mapping[str, Plain]) -> dict[str, Plain]:
    return {key: value for key, value in entry.items() if key not in (*POSE_KEYS, "q_deg")}
