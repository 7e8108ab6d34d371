"""Scenes from files: `load_scene` and `check_scene`."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from robotix.authoring.load.build import build_scene
from robotix.authoring.load.copies import make_copies
from robotix.authoring.load.document import SceneDocument, merge_files
from robotix.authoring.load.files import SceneFolder, read_scene_files
from robotix.authoring.load.guides import add_guides
from robotix.authoring.load.lint import find_warnings
from robotix.authoring.load.name_resolver import FileResolver
from robotix.authoring.load.people import find_shortfalls
from robotix.authoring.schema.words import WORDS
from robotix.authoring.trust import ONLY_KNOWN, PluginPolicy, Trust
from robotix.errors import BadFile
from robotix.files.typed.reader import Reader
from robotix.files.yaml.text import YamlValue
from robotix.inputs.problem import Problem
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.plugins import PluginRequest
from robotix.scene.scene import Scene

__all__ = [
    "NATIVE_SUFFIXES",
    "NativeScene",
    "check_scene",
    "examine_scene",
    "load_scene",
    "read_native",
]

LOG = logging.getLogger(__name__)
NATIVE_SUFFIXES = (".yaml", ".yml")
LEGACY_SUFFIXES = (".vd2", ".cfg")


@dataclass(frozen=True, eq=False)
class NativeScene:
    """A native scene file as it was understood."""

    scene: Scene
    document: SceneDocument
    warnings: list[BadFile] = field(default_factory=list)
    parsed: list[tuple[Any, YamlValue]] = field(default_factory=list)  # sources, commands, steps
    plugins: tuple[PluginRequest, ...] = ()  # that the file names, whether they run or not


def read_native(
    path: Path,
    *,
    is_check: bool,
    changed: Mapping[Path, str] | None = None,
    rate: float | None = None,
    seed: int | None = None,
    rehearse: bool = True,
    policy: PluginPolicy = ONLY_KNOWN,
) -> tuple[NativeScene | None, list[BadFile]]:
    """Return what a native file describes, and all that is wrong with it.

    Without `rehearse`, the tasks of people, which can take a while, are not computed.
    """
    home = SceneFolder(path.parent, changed or {})
    reader = Reader(FileResolver(home), WORDS)
    try:
        files = read_scene_files(path, home, reader)
    except BadFile as problem:
        return None, [problem]
    document = merge_files(files, reader)
    make_copies(document, reader)
    document.rate = document.rate if rate is None else rate
    document.seed = document.seed if seed is None else seed
    scene, plugins = build_scene(
        document, home, reader, is_check=is_check, rehearse=rehearse, policy=policy
    )
    add_guides(document, reader, scene)
    rank = {str(file.path): -number for number, file in enumerate(files)}
    reader.problems.sort(key=lambda problem: (rank.get(problem.args[0], 1), problem.line))
    has_plugins = bool(document.names("plugins"))
    warnings: list[BadFile] = []
    if not reader.problems:
        warnings += find_warnings(reader.parsed, scene, has_plugins=has_plugins)
    return NativeScene(scene, document, warnings, reader.parsed, plugins), reader.problems


def load_scene(
    path: str | os.PathLike[str],
    *,
    rate: float | None = None,
    seed: int | None = None,
    trust: Trust = False,
    without: Collection[str] = (),
) -> Scene:
    """Return the room that a scene file describes: native (.yaml), or legacy RoboTiX (.vd2, .cfg).

    Args:
        path: The scene file.
        rate: Ticks per second, in place of that of the file.
        seed: Random seed, in place of that of the file.
        trust: Which plug-ins may run besides known ones (installed, of `robotix`, or accepted
            before): False for none, True for all, or a function that is asked with a
            `PluginRequest`. One that may not run is disabled, which is logged and sent as a message
            of the scene.
        without: Names of plug-ins that do not run, whatever `trust` says.

    Raises `BadFile` for the first fault, with the number of others; `check_scene` lists them all.

    Examples:
        >>> rx.save_scene(rx.Scene(), "room.yaml")
        >>> rx.load_scene("room.yaml").step()
    """
    policy = PluginPolicy(trust, frozenset(without))
    scene, problems, _ = _read(Path(path), is_check=False, rate=rate, seed=seed, policy=policy)
    if problems:
        raise _first(problems)
    assert scene is not None
    return scene


def check_scene(path: str | os.PathLike[str]) -> list[BadFile]:
    """Return all that is wrong with a scene file, without running anything of it.

    What is allowed but hardly meant, such as a timer that nobody starts, is logged as a warning.
    """
    return examine_scene(path)[0]


def examine_scene(
    path: str | os.PathLike[str],
) -> tuple[list[BadFile], tuple[PluginRequest, ...]]:
    """Return what `check_scene` does, and the plug-ins that the file would run."""
    _, problems, plugins = _read(Path(path), is_check=True)
    return problems, plugins


def _read(
    path: Path,
    *,
    is_check: bool,
    rate: float | None = None,
    seed: int | None = None,
    policy: PluginPolicy = ONLY_KNOWN,
) -> tuple[Scene | None, list[BadFile], tuple[PluginRequest, ...]]:
    suffix = path.suffix.lower()
    if suffix in LEGACY_SUFFIXES:
        return _read_legacy(path, is_check=is_check, rate=rate, seed=seed, policy=policy)
    if suffix not in NATIVE_SUFFIXES and path.is_file():
        known = ", ".join((*NATIVE_SUFFIXES, *LEGACY_SUFFIXES))
        return None, [BadFile(str(path), f"the suffix {suffix!r}", f"one of {known}")], ()
    native, problems = read_native(path, is_check=is_check, rate=rate, seed=seed, policy=policy)
    if native is None:
        return None, problems, ()
    if is_check and not problems:
        for warning in (*native.warnings, *find_shortfalls(native.parsed, native.scene)):
            LOG.warning("%s", warning)
        for message in native.scene.messages:
            if isinstance(message, Problem):  # what a file of a robot lacks
                LOG.warning("%s: %s", message.who, message.what)
    return native.scene, problems, native.plugins


def _read_legacy(
    path: Path,
    *,
    is_check: bool,
    rate: float | None,
    seed: int | None,
    policy: PluginPolicy,
) -> tuple[Scene | None, list[BadFile], tuple[PluginRequest, ...]]:
    from robotix.authoring.legacy.scene import read_legacy  # rarely needed

    found = read_legacy(path, is_check=is_check, rate=rate, seed=seed, policy=policy)
    if found.problems:
        return None, found.problems, found.plugins
    if is_check:
        has_plugins = any(isinstance(item, CallPlugin) for item, _ in found.parsed)
        for warning in find_warnings(found.parsed, found.scene, has_plugins=has_plugins):
            LOG.warning("%s", warning)
    return found.scene, [], found.plugins


def _first(problems: list[BadFile]) -> BadFile:
    """Return the first problem, which says how many there are."""
    path, found, expected, line, column = problems[0].args
    if len(problems) > 1:
        expected += f" (and {len(problems) - 1} more faults)"
    return BadFile(path, found, expected, line=line, column=column)
