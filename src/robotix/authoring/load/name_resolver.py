"""The names that rules may use, once the room has been built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from robotix.authoring.load.document import NODE_SECTIONS, SceneDocument
from robotix.authoring.load.files import SceneFolder
from robotix.errors import UnknownName
from robotix.files.yaml.text import YamlValue
from robotix.human.tasks.tasks import TASKS
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.scene import Scene

__all__ = ["FileResolver", "NameResolver"]

EVERYTHING = "*"
KINDS = ("robot", "person", "node", "device", "plug-in", "material")


@dataclass(frozen=True)
class FileResolver:
    """Knows files only: enough for what comes before rules."""

    home: SceneFolder

    def resolve(self, kind: str, name: str, value: YamlValue) -> str:
        """Return the file seen from the scene's folder; other names are checked later."""
        if kind != "file" or not name:
            return name
        return self.home.relative(self.home.find(name, value, what="a file"))


@dataclass
class NameResolver:
    """Knows all that is in a room, also what should be but could not be read."""

    document: SceneDocument
    home: SceneFolder
    scene: Scene
    prefix: str = ""  # of the names in the file that is being read
    files: dict[str, YamlValue] = field(
        default_factory=dict
    )  # that rules name, first place of each
    things: list[tuple[str, YamlValue]] = field(
        default_factory=list
    )  # that acts of people may bring

    def resolve(self, kind: str, name: str, value: YamlValue) -> str:
        """Return a name as the room knows it; raise `UnknownName`."""
        if not name:
            return name
        if kind == "file":  # may be written by one rule and read by another: looked for later
            file = self.home.relative(self.home.locate(name, value))
            self.files.setdefault(file, value)
            return file
        if self.prefix:
            name = self._own_name(kind, name)
        if kind == "node" and (name == EVERYTHING or self.is_invalid(name)):
            return name
        known = self._known(kind)
        if kind == "node" and name not in known and name.startswith(self._owners()):
            self.things.append((name, value))
            return name
        if kind == "robot" and name.isdecimal() and 1 <= int(name) <= len(known):
            return known[int(name) - 1]
        if name not in known:
            self._refuse_other_kind(kind, name, value)
            raise UnknownName(kind, name, known)
        return name

    def _own_name(self, kind: str, name: str) -> str:
        if kind == "material":
            return self.document.own_name(self.prefix, name, "materials")
        return self.document.own_name(self.prefix, name, *NODE_SECTIONS)

    def _refuse_other_kind(self, kind: str, name: str, value: YamlValue) -> None:
        """Raise BadFile for a name of another kind."""
        for other in KINDS:
            if other != kind and name in self._known(other):
                value.refuse(f"{name!r}, which is a {other}", f"the name of a {kind}")

    def _known(self, kind: str) -> Sequence[str]:
        match kind:
            case "node":
                return list(
                    dict.fromkeys((*self.scene.graph.names, *self.document.names(*NODE_SECTIONS)))
                )
            case "robot":
                return self.document.names("robots", "people")
            case "person":
                return self.document.names("people")
            case "device":
                return [KEYBOARD, *self.document.names("devices")]
            case "plug-in":
                return self.document.names("plugins")
            case "material":
                return self.document.names("materials")
        raise AssertionError(f"no names of kind {kind!r}")

    def _owners(self) -> tuple[str, ...]:
        """Return how the names of things begin that acts of people may bring."""
        tasks = (*TASKS, *self.document.names("tasks"))
        return tuple(f"{name}/{task}" for name in self.document.names("people") for task in tasks)

    def is_invalid(self, name: str) -> bool:
        """Return whether a name belongs to an entry that could not be read."""
        missing = [n for n in self.document.names(*NODE_SECTIONS) if n not in self.scene.graph]
        return name in missing or any(name.startswith(f"{each}/") for each in missing)
