"""A hardened XML reader that records the position of every element.

No document type, no entities, nothing fetched; size, depth and number of elements are bounded.
Every fault is a `BadFile` that names line and column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from robotix.errors import BadFile
from robotix.files.source_file import MAX_BYTES

__all__ = ["Element", "parse_xml"]

MAX_DEPTH = 400
MAX_ELEMENTS = 50_000  # a dozen times the largest public robot
MAX_TEXT = 1000  # characters in any attribute that is read
MAX_NUMBER = 1e12  # far beyond any length, mass or inertia; keeps products finite

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, eq=False, repr=False)
class _Document:
    path: str
    data: bytes


@dataclass(frozen=True, eq=False, repr=False)
class Element:
    """One element: its attributes, children and position in the file."""

    document: _Document
    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    offset: int  # of its '<', in bytes
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # between its tags, if they were kept

    @property
    def content(self) -> str:
        """The text between its tags, without that of its children."""
        return "".join(self.texts)

    @property
    def path(self) -> str:
        """Path of the file."""
        return self.document.path

    def walk(self) -> Iterator[Element]:
        """Yield this element and everything inside it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    # -- refusing ---------------------------------------------------------------------------

    def bad(self, found: str, expected: str, *, attribute: str = "") -> BadFile:
        """Return the error that points at this element, or at one of its attributes."""
        line, column = self._place(attribute)
        return BadFile(self.path, _short(found), _short(expected), line=line, column=column)

    def _place(self, attribute: str) -> tuple[int, int]:
        pattern = rb"""\s(%b)\s*=\s*["']""" % re.escape(attribute.encode())
        end = self.document.data.find(b">", self.offset)
        match = re.compile(pattern).search(self.document.data, self.offset, max(end, self.offset))
        if not attribute or match is None:
            return self.line, self.column
        before = self.document.data[self.offset : match.start(1)]
        newline = before.rfind(b"\n")
        column = len(before[newline + 1 :].decode(errors="replace"))
        return self.line + before.count(b"\n"), column + (self.column if newline < 0 else 1)

    @contextmanager
    def blame(self) -> Iterator[None]:
        """Turn errors of model values into BadFile errors at this element."""
        try:
            yield
        except BadFile:
            raise
        except ValueError as error:
            raise self.bad(str(error), f"a sound <{self.tag}>") from None

    # -- children ---------------------------------------------------------------------------

    def all(self, tag: str) -> list[Element]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> Element | None:
        """Return the only child with a tag, or None; raise BadFile if there are several."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].bad(f"a second <{tag}>", f"at most one in <{self.tag}>")
        return found[0] if found else None

    def need(self, tag: str) -> Element:
        """Return the only child with a tag; raise BadFile unless there is exactly one."""
        child = self.only(tag)
        if child is None:
            raise self.bad(f"<{self.tag}> without <{tag}>", f"one <{tag}> inside")
        return child

    # -- attributes -------------------------------------------------------------------------

    def text(self, attribute: str, default: str | None = None) -> str:
        """Return an attribute; without a default it must be there and not empty."""
        value = self.attributes.get(attribute, default)
        if value is None:
            raise self.bad(f"<{self.tag}> without {attribute}=", f'{attribute}="…"')
        if not value.strip() and default is None:
            raise self.bad(f"empty {attribute}", f'{attribute}="…"', attribute=attribute)
        if len(value) > MAX_TEXT:
            found = f"{attribute} of {len(value)} characters"
            raise self.bad(found, f"at most {MAX_TEXT}", attribute=attribute)
        return value

    def number(
        self, attribute: str, default: float | None = None, *, largest: float = MAX_NUMBER
    ) -> float:
        """Return an attribute that holds one finite number."""
        if attribute not in self.attributes and default is not None:
            return default
        return self.numbers(attribute, 1, largest=largest)[0]

    def numbers(
        self,
        attribute: str,
        count: int,
        *,
        default: tuple[float, ...] | None = None,
        largest: float = MAX_NUMBER,
    ) -> tuple[float, ...]:
        """Return an attribute that holds `count` finite numbers."""
        if attribute not in self.attributes and default is not None:
            return default
        text = self.text(attribute)
        what = "a finite number" if count == 1 else f"{count} finite numbers"
        words = text.split(maxsplit=count)
        if len(words) != count or not all(_NUMBER.fullmatch(word) for word in words):
            self._refuse(attribute, text, what)
        values = tuple(float(word) for word in words)
        if not all(math.isfinite(value) and abs(value) <= largest for value in values):
            self._refuse(attribute, text, f"{what} of at most {largest:g}")
        return values

    def _refuse(self, attribute: str, text: str, expected: str) -> NoReturn:
        raise self.bad(f'{attribute}="{_short(text, 60)}"', expected, attribute=attribute)


def _short(text: str, longest: int = 300) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def parse_xml(
    text: str | bytes,
    *,
    path: str,
    limit: int = MAX_BYTES,
    max_elements: int = MAX_ELEMENTS,
    keep_text: bool = False,
) -> Element:
    """Return the root element of an XML text; `path` is what errors call it.

    `limit` bounds its bytes; `keep_text` keeps what stands between tags.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise BadFile(path, f"text that is not Unicode ({error.reason})", "XML") from None
    if len(data) > limit:
        raise BadFile(path, f"{len(data)} bytes", f"XML of at most {limit} bytes")
    builder = _Builder(
        _Document(path, data),
        expat.ParserCreate("utf-8" if data is not text else None),
        max_elements=max_elements,
        keep_text=keep_text,
    )
    try:
        builder.parser.Parse(data, True)
    except BadFile:
        raise
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadFile(
            path,
            f"broken XML ({reason})",
            "well-formed XML",
            line=error.lineno,
            column=error.offset + 1,
        ) from None
    except (LookupError, ValueError) as error:  # from Python's codecs
        raise BadFile(path, f"encoding: {error}", "UTF-8 text", line=1, column=1) from None
    assert builder.root is not None  # expat refuses a text without elements
    return builder.root


class _Builder:
    """Builds a tree from the events of the parser."""

    def __init__(
        self,
        document: _Document,
        parser: expat.XMLParserType,
        *,
        max_elements: int,
        keep_text: bool,
    ) -> None:
        self.document, self.parser = document, parser
        self.max_elements = max_elements
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartDoctypeDeclHandler = self.refuse_doctype
        if keep_text:
            parser.buffer_text = True
            parser.CharacterDataHandler = self.add_text

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line, column = self.place()
        element = Element(
            self.document, tag, attributes, line, column, self.parser.CurrentByteIndex
        )
        self.count += 1
        if self.count > self.max_elements:
            raise element.bad(f"more than {self.max_elements} elements", "a smaller file")
        if len(self.open) >= MAX_DEPTH:
            raise element.bad(f"elements nested deeper than {MAX_DEPTH}", "a flatter description")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def add_text(self, text: str) -> None:
        if self.open:
            self.open[-1].texts.append(text)

    def refuse_doctype(self, name: str, *_: object) -> NoReturn:
        line, column = self.place()
        raise BadFile(
            self.document.path,
            f"<!DOCTYPE {name}>",
            "XML without document type or entities; remove the declaration",
            line=line,
            column=column,
        )
