"""What the files of a scene say together, before anything is built of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from robotix.authoring.load.files import SceneFile
from robotix.authoring.schema.format import (
    VERSION,
    MaterialEntry,
    ObjectEntry,
    PersonEntry,
    PhysicsEntry,
    PluginEntry,
    RobotEntry,
    SceneEntry,
)
from robotix.files.typed.fields import field_specs
from robotix.files.typed.reader import Reader
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlEntry, YamlMapping, YamlScalar, YamlValue
from robotix.scene.scene import SceneRule

__all__ = ["NODE_SECTIONS", "SceneDocument", "merge_files"]

SECTIONS = ("materials", "robots", "objects", "people", "devices", "plugins")  # names with entries
# Those of the file that was asked for count.
SETTINGS = ("name", "rate", "seed", "stops_with_page", "physics")
PREFIXED = ("materials", "robots", "objects", "people")  # names that copies of a file have
NODE_SECTIONS = ("robots", "objects", "people")  # share their names


@dataclass
class SceneDocument:
    """All files as one: entries by name, and where each of them stands."""

    files: list[SceneFile]
    name: str = ""
    rate: float = 120.0
    seed: int = 0
    stops_with_page: bool = True
    physics: PhysicsEntry | None = None
    materials: dict[str, MaterialEntry] = field(default_factory=dict)
    robots: dict[str, RobotEntry] = field(default_factory=dict)
    objects: dict[str, ObjectEntry] = field(default_factory=dict)
    people: dict[str, PersonEntry] = field(default_factory=dict)
    devices: dict[str, str] = field(default_factory=dict)
    plugins: dict[str, PluginEntry] = field(default_factory=dict)
    entries: dict[tuple[str, str], YamlEntry] = field(default_factory=dict)  # by section and name
    origins: dict[tuple[str, str], SceneFile] = field(
        default_factory=dict
    )  # of what was included under a prefix or elsewhere
    rules: list[tuple[SceneRule, YamlValue]] = field(default_factory=list)  # and where each stands

    @property
    def main(self) -> SceneFile:
        """The file that was asked for."""
        return self.files[-1]

    def entry(self, section: str, name: str) -> YamlValue:
        """Return the text of an entry."""
        return self.entries[section, name].value

    def place(self, section: str, name: str, key: str) -> YamlValue:
        """Return where an entry says something, or stands when it does not."""
        value = self.entry(section, name)
        return value.near(key) if isinstance(value, YamlMapping) else value

    def names(self, *sections: str) -> list[str]:
        """Return all names of some sections, also of entries that could not be read."""
        return [name for section, name in self.entries if section in sections]

    def lists(self, key: str) -> Iterator[YamlValue]:
        """Yield what each file has under a key."""
        for _, value in self.lists_with_prefix(key):
            yield value

    def lists_with_prefix(self, key: str) -> Iterator[tuple[str, YamlValue]]:
        """Yield what each file has under a key, and the prefix of the names in it."""
        for file in self.files:
            if (value := file.root.get(key)) is not None:
                yield file.prefix, value

    def own_name(self, prefix: str, name: str, *sections: str) -> str:
        """Return a name in a file as the room knows it: with the prefix, if that came with it."""
        head = name.partition("/")[0]
        is_own = any((section, prefix + head) in self.entries for section in sections)
        return prefix + name if name and is_own else name


def merge_files(files: list[SceneFile], reader: Reader) -> SceneDocument:
    """Read all but rules, which name what the rest makes."""
    document = SceneDocument(files)
    for file in files:
        _check_version(file, reader)
        _check_keys(file, reader)
        for section in SECTIONS:
            _read_section(document, file, section, reader)
        if isinstance(tasks := file.root.get("tasks"), YamlMapping):
            _note_names(document, file, "tasks", tasks, reader)
    for file in files:
        _note_misspelt(document, file)
    for key in SETTINGS:
        value = document.main.root.get(key)
        if value is not None:
            with reader.collecting():
                _read_setting(document, key, value, reader)
    return document


def _check_version(file: SceneFile, reader: Reader) -> None:
    version = file.root.get("robotix")
    with reader.collecting():
        if version is None:
            file.root.refuse("no 'robotix'", f"the version of the format, `robotix: {VERSION}`")
        if (
            not (isinstance(version, YamlScalar) and version.value == VERSION)
            or version.text == "true"
        ):
            version.refuse(str(version), f"{VERSION}, the version this program reads")


def _check_keys(file: SceneFile, reader: Reader) -> None:
    known = [slot.key for slot in field_specs(SceneEntry)]
    for key, entry in file.root.entries.items():
        if key not in known:
            expected = nearest(key, known, what="a key of scene files")
            reader.problems.append(entry.key.fault(f"unknown key {key!r}", expected))


def _note_misspelt(document: SceneDocument, file: SceneFile) -> None:
    """Register names under a misspelt section, so that they are not reported as missing."""
    known = [slot.key for slot in field_specs(SceneEntry)]
    for key, entry in file.root.entries.items():
        near = difflib.get_close_matches(key, known, n=1) if key not in known else []
        if near and near[0] in SECTIONS and isinstance(entry.value, YamlMapping):
            for name, each in entry.value.entries.items():
                document.entries.setdefault((near[0], name), each)


def _hint(key: str) -> Any:
    return next(slot.hint for slot in field_specs(SceneEntry) if slot.key == key)


def _read_setting(document: SceneDocument, key: str, value: YamlValue, reader: Reader) -> None:
    setattr(document, key, reader.read(value, _hint(key)))


def _read_section(document: SceneDocument, file: SceneFile, section: str, reader: Reader) -> None:
    value = file.root.get(section)
    if value is None:
        return
    if isinstance(value, YamlMapping):
        _note_names(document, file, section, value, reader)
    prefix = file.prefix if section in PREFIXED else ""
    with reader.collecting():
        found: Mapping[str, Any] = reader.read(value, _hint(section))
        for name, entry in found.items():
            getattr(document, section).setdefault(prefix + name, entry)


def _note_names(
    document: SceneDocument, file: SceneFile, section: str, table: YamlMapping, reader: Reader
) -> None:
    shared = NODE_SECTIONS if section in NODE_SECTIONS else (section,)
    prefix = file.prefix if section in PREFIXED else ""
    for name, entry in table.entries.items():
        name = prefix + name
        if file.prefix and not prefix and (section, name) in document.entries:
            continue  # devices, plug-ins and tasks are there for all copies
        if file.is_elsewhere:
            document.origins[section, name] = file
        before = next(
            (document.entries[s, name] for s in shared if (s, name) in document.entries), None
        )
        with reader.collecting():
            if before is not None:
                key = before.key
                found = f"{name!r} a second time (first in {key.path}:{key.line})"
                entry.key.refuse(found, "another name")
            if name == "*" or name != name.strip() or not name.isprintable():
                entry.key.refuse(repr(name), "a name of printable characters")
            if section in NODE_SECTIONS and name == "world":
                entry.key.refuse("the name 'world'", "another name; this is the room's own")
        document.entries.setdefault((section, name), entry)
