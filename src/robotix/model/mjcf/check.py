"""What is wrong with an MJCF file, found without MuJoCo, and where MuJoCo's complaints belong."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from robotix.errors import BadFile
from robotix.files.source_file import decode_text, read_source
from robotix.files.xml_tree import MAX_ELEMENTS, MAX_NUMBER, Element, parse_xml
from robotix.model.tree import MAX_BODIES

__all__ = ["explain", "find_element", "read_mjcf_sources"]

MAX_INCLUDES = 100
MAX_SIZE = 10_000_000  # of anything that <size> lets a file ask for
_NUMBERS = {"pos", "quat", "euler", "axis", "ref", "size", "fromto", "mass", "scale", "gravity"}
_NUMBERS |= {"axisangle", "xyaxes", "zaxis", "diaginertia", "fullinertia", "offset", "density"}


def read_mjcf_sources(
    path: str | os.PathLike[str], *, check_include: Callable[[Path], None] = lambda path: None
) -> tuple[Element, ...]:
    """Return the root elements of a file and of all it includes, checked for size and shape.

    `check_include` is called with every included file before it is opened, and may raise.
    """
    main = _read(Path(path))
    if main.tag != "mujoco":
        hint = "; this looks like a URDF" if main.tag == "robot" else ""
        raise main.bad(f"<{main.tag}>", f"<mujoco> as the outermost element of an MJCF file{hint}")
    sources, seen = [main], {Path(path).resolve()}
    for source in sources:  # grows as includes are found
        for element in source.walk():
            if element.tag == "include":
                file = _included(element, main=Path(path).parent)
                check_include(file)
                sources.append(_read_include(element, file, seen=seen))
    _check_counts(sources)
    return tuple(sources)


def _read(path: Path) -> Element:
    data = read_source(path, what="an MJCF robot description")
    decode_text(data, path=str(path))  # MuJoCo would take bytes that are no text
    return parse_xml(data, path=str(path))


def _included(element: Element, *, main: Path) -> Path:
    """Return an included file: relative to the main file, or to the including one, as in MuJoCo."""
    path = main / element.text("file")
    beside = Path(element.path).parent / element.text("file")
    try:
        return beside if not path.exists() and beside.exists() else path
    except (OSError, ValueError):  # too long a name, or none
        return path


def _read_include(element: Element, path: Path, *, seen: set[Path]) -> Element:
    try:
        resolved = path.resolve()
        if resolved in seen:
            raise element.bad(f"{path.name} is included again", "each file at most once")
        if len(seen) > MAX_INCLUDES:
            raise element.bad(f"more than {MAX_INCLUDES} included files", "fewer")
        seen.add(resolved)
        return _read(path)
    except BadFile as error:
        if error.line:
            raise
        raise element.bad(
            f"{path.name}: {error.args[1]}", error.args[2], attribute="file"
        ) from None
    except (OSError, ValueError) as error:
        raise element.bad(f"file name ({error})", "the path of a file", attribute="file") from None


def _check_counts(sources: Sequence[Element]) -> None:
    bodies = elements = 0
    for element, copies in _walk_copies(sources):
        elements += copies
        bodies += copies if element.tag == "body" else 0
        if bodies > MAX_BODIES:
            raise element.bad(f"more than {MAX_BODIES} bodies", "a smaller model")
        if elements > MAX_ELEMENTS:
            raise element.bad(f"more than {MAX_ELEMENTS} elements", "a smaller model")
        if element.tag == "size":
            _check_sizes(element)
        if element.tag == "joint" and "range" in element.attributes:
            _check_range(element)
        for key in _NUMBERS & element.attributes.keys():
            _check_numbers(element, key)


def _check_sizes(element: Element) -> None:
    for key, text in element.attributes.items():
        if _whole(text) > MAX_SIZE:
            raise element.bad(f'{key}="{text[:40]}"', f"at most {MAX_SIZE}", attribute=key)


def _check_numbers(element: Element, key: str) -> None:
    """Raise BadFile for numbers that are not finite, or too large to compute with."""
    for word in element.attributes[key].split()[:20]:
        try:
            value = float(word)
        except ValueError:  # the compiler says best what belongs there
            return
        if not abs(value) <= MAX_NUMBER:
            found, expected = f'{key} has "{word[:40]}"', f"finite numbers up to {MAX_NUMBER:g}"
            raise element.bad(found, expected, attribute=key)


def _check_range(element: Element) -> None:
    """Raise BadFile for a reversed range, which the compiler would take for none."""
    if element.attributes.get("limited") == "false":
        return
    lower, upper = element.numbers("range", 2, largest=math.inf)
    if lower >= upper and (lower or upper):
        text = element.attributes["range"]
        raise element.bad(f'range="{text}"', "the lower limit first", attribute="range")


def _walk_copies(sources: Sequence[Element]) -> Iterator[tuple[Element, int]]:
    """Yield every element with the number of times that replicates around it repeat it."""
    waiting = [(source, 1) for source in reversed(sources)]
    while waiting:
        element, copies = waiting.pop()
        yield element, copies
        if element.tag == "replicate":
            copies *= max(_whole(element.attributes.get("count", "1")), 1)
        waiting.extend((child, copies) for child in reversed(element.children))


def _whole(text: str) -> int:
    match = re.fullmatch(r"\s*\+?(\d+)(\.\d*)?\s*", text, re.ASCII)
    return int(match[1][:30]) if match else 0


def find_element(sources: Sequence[Element], tag: str, **attributes: str) -> Element:
    """Return the first element with these attributes; the main file's root without one."""
    for source in sources:
        for element in source.walk():
            if element.tag == tag and attributes.items() <= element.attributes.items():
                return element
    return sources[0]


def explain(message: str, sources: Sequence[Element]) -> BadFile:
    """Turn a complaint of the compiler into an error that points at the right place."""
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    first = re.sub(r"^(?:XML )?(?:Error: ?)*", "", lines[0] if lines else "no reason given")
    element = _blamed(message, sources)
    expected = "a model that MuJoCo can compile"
    if first.startswith("Error opening file"):
        expected = "that file; copy the whole folder of the robot, with its meshes and textures"
    return element.bad(f"MuJoCo: {first[:300]}", expected)


def _blamed(message: str, sources: Sequence[Element]) -> Element:
    place = re.search(r"Element (?:name )?'([^']*)'.*?line (\d+)", message, re.DOTALL)
    everything = [element for source in sources for element in source.walk()]
    if place:
        word, line = place[1], int(place[2])
        there = [element for element in everything if line in (0, element.line)]  # 0: included
        for element in there:  # a line number alone does not tell which of several files
            if word in (element.tag, element.attributes.get("name", "")):
                return element
        if there and line:
            return there[0]
    for word in re.findall(r"'([^']+)'", message):
        for element in everything:
            if any(value and word.endswith(value) for value in element.attributes.values()):
                return element
    return sources[0]
