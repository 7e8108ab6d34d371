"""Entries that stand for several things: `repeat`, `grid`, and files included under a prefix."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from robotix.authoring.load.document import NODE_SECTIONS, SceneDocument
from robotix.authoring.load.files import SceneFile
from robotix.authoring.load.shapes import make_pose
from robotix.authoring.schema.format import PlacedEntry
from robotix.files.typed.reader import Reader
from robotix.files.yaml.scalars import MAX_NUMBER
from robotix.geometry import Pose

__all__ = ["make_copies"]

MAX_COPIES = 5_000  # of all entries together
Placed = TypeVar("Placed", bound=PlacedEntry)


def make_copies(document: SceneDocument, reader: Reader) -> None:
    """Replace what is repeated by its copies, and put what is included where it belongs."""
    _place_included(document, reader)
    _repeat(document, reader)


# -- included under a prefix, or somewhere else ---------------------------------------------


def _place_included(document: SceneDocument, reader: Reader) -> None:
    for (section, name), file in document.origins.items():
        entries = getattr(document, section)
        if section not in NODE_SECTIONS or name not in entries:
            continue
        with reader.collecting():
            entry = renamed(document, entries[name], file)
            if not entry.on:
                entry = _moved(entry, document, section, name, file.pose)
            entries[name] = entry


def renamed(document: SceneDocument, entry: Placed, file: SceneFile) -> Placed:
    """Return an entry that names what came with it by the names it has in the room."""
    on = document.own_name(file.prefix, entry.on, *NODE_SECTIONS)
    material = entry.material
    if isinstance(material, str):
        material = document.own_name(file.prefix, material, "materials")
    return replace(entry, on=on, material=material)


def _moved(entry: Placed, document: SceneDocument, section: str, name: str, pose: Pose) -> Placed:
    """Return an entry seen from the room, when its file stands at a pose."""
    placed = pose @ make_pose(entry, document.entry(section, name))
    x, y, z = placed.translation.tolist()
    w, a, b, c = placed.quaternion.tolist()
    return replace(entry, at=(x, y, z), rpy=None, quaternion=(w, a, b, c))


# -- repeated -------------------------------------------------------------------------------


def _repeat(document: SceneDocument, reader: Reader) -> None:
    total = 0
    for section in NODE_SECTIONS:
        entries: dict[str, PlacedEntry] = getattr(document, section)
        for name, entry in list(entries.items()):
            if entry.repeat is None and entry.grid is None:
                continue
            place = document.place(section, name, "repeat" if entry.repeat else "grid")
            with reader.collecting():
                if entry.repeat is not None and entry.grid is not None:
                    place.refuse("'repeat' besides 'grid'", "one of the two")
                places = list(itertools.islice(_places(entry), MAX_COPIES + 1))
                total += len(places)
                if total > MAX_COPIES:
                    place.refuse("too many copies", f"at most {MAX_COPIES} in a room")
                del entries[name]
                _add_copies(document, section, name, entry, places)


def _places(entry: PlacedEntry) -> Iterator[tuple[float, float, float]]:
    """Yield where each copy stands, the first where the entry says."""
    x, y, z = entry.at
    if entry.repeat is not None:
        a, b, c = entry.repeat.step
        for i in range(entry.repeat.count):
            yield x + i * a, y + i * b, z + i * c
    elif entry.grid is not None:
        a, b, c = entry.grid.step
        for i, j, k in itertools.product(*map(range, entry.grid.counts)):
            yield x + i * a, y + j * b, z + k * c


def _add_copies(
    document: SceneDocument,
    section: str,
    name: str,
    entry: PlacedEntry,
    places: list[tuple[float, float, float]],
) -> None:
    """Replace an entry by copies `name_1`, `name_2` and so on."""
    written = document.entries.pop((section, name))
    for number, (x, y, z) in enumerate(places, 1):
        copy = f"{name}_{number}"
        if any((other, copy) in document.entries for other in NODE_SECTIONS):
            expected = f"another name than that of a copy of {name!r}"
            written.key.refuse(f"{copy!r} a second time", expected)
        if max(abs(x), abs(y), abs(z)) > MAX_NUMBER:
            written.key.refuse(f"{copy!r} too far away", f"no more than {MAX_NUMBER:g} m")
        getattr(document, section)[copy] = replace(entry, at=(x, y, z), repeat=None, grid=None)
        document.entries[section, copy] = written
