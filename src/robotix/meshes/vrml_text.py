"""The text of VRML and Open Inventor files as a tree of nodes with fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from robotix.errors import BadFile
from robotix.geometry import Array

__all__ = ["VrmlNode", "parse_vrml"]

MAX_TOKENS = 30_000_000
MAX_NESTING = 200  # nodes in nodes
_TOKEN = re.compile(r"""[{}\[\]]|"(?:[^"\\]|\\.)*"|[^\s,{}\[\]"]+""")
_COMMENT = re.compile(r"""("(?:[^"\\]|\\.)*")|#[^\n\r]*""")

Value: TypeAlias = "str | VrmlNode"


@dataclass(eq=False)
class VrmlNode:
    """A node: its type, fields, and the nodes that stand directly in it."""

    kind: str
    fields: dict[str, list[Value]] = field(default_factory=dict)
    children: list[VrmlNode] = field(default_factory=list)

    def numbers(self, name: str, count: int | None = None) -> Array | None:
        """Return the numbers of a field; None unless there are as many as expected."""
        values = self.fields.get(name)
        if not values or not all(isinstance(value, str) for value in values):
            return None
        try:
            numbers = np.array(values, dtype=float)
        except ValueError:
            return None
        return numbers if count is None or len(numbers) == count else None

    def nodes(self, name: str) -> list[VrmlNode]:
        """Return the nodes in a field."""
        return [value for value in self.fields.get(name, []) if isinstance(value, VrmlNode)]


def parse_vrml(path: Path, text: str) -> list[VrmlNode]:
    """Return the nodes of a file; raise BadFile for what is not closed, or too large."""
    tokens = _TOKEN.findall(_COMMENT.sub(lambda match: match[1] or " ", text))
    if len(tokens) > MAX_TOKENS:
        raise BadFile(str(path), f"{len(tokens)} words", f"at most {MAX_TOKENS}")
    return _Parser(path, tokens).parse()


class _Parser:
    """Reads nodes from a list of tokens."""

    def __init__(self, path: Path, tokens: list[str]) -> None:
        self.path, self.tokens, self.at = path, tokens, 0
        self.named: dict[str, VrmlNode] = {}

    def parse(self) -> list[VrmlNode]:
        top = VrmlNode("")
        while self.at < len(self.tokens):
            self.read_entry(top, 0)
        return top.children

    def peek(self, ahead: int = 0) -> str:
        k = self.at + ahead
        return self.tokens[k] if k < len(self.tokens) else ""

    def take(self) -> str:
        if self.at >= len(self.tokens):
            raise BadFile(str(self.path), "the end of the file", "'}' or ']' before; a whole file")
        self.at += 1
        return self.tokens[self.at - 1]

    def starts_node(self) -> bool:
        return self.peek() in ("DEF", "USE") or self.peek(1) == "{"

    def read_entry(self, parent: VrmlNode, depth: int) -> None:
        """Read a node, or a field with its value."""
        if self.peek() in ("PROTO", "EXTERNPROTO"):
            raise BadFile(str(self.path), self.peek(), "a file without prototypes; export it again")
        if self.starts_node():
            node = self.read_node(depth)
            if node is not None:
                parent.children.append(node)
            return
        name = self.take()
        if name == "ROUTE":  # ROUTE a.b TO c.d
            self.at += 3
        elif name in "{}[]":
            raise BadFile(str(self.path), repr(name), "a node or a field")
        else:
            parent.fields[name] = self.read_value(depth)

    def read_node(self, depth: int) -> VrmlNode | None:
        """Read `[DEF name] Type { … }` or `USE name`; None for an unknown name."""
        if depth > MAX_NESTING:
            raise BadFile(str(self.path), f"nodes deeper than {MAX_NESTING}", "a flatter file")
        word = self.take()
        if word == "USE":
            return self.named.get(self.take())
        name = self.take() if word == "DEF" else ""
        node = VrmlNode(self.take() if word == "DEF" else word)
        if self.take() != "{":
            raise BadFile(str(self.path), f"{node.kind!r} without '{{'", "a node")
        while self.peek() != "}":
            if not self.peek():
                self.take()  # raises
            self.read_entry(node, depth + 1)
        self.take()
        if name:
            self.named[name] = node  # known behind it only, so that no node is in itself
        return node

    def read_value(self, depth: int) -> list[Value]:
        if self.peek() == "[":
            self.take()
            values: list[Value] = []
            while self.peek() != "]":
                values.extend(self.read_item(depth))
            self.take()
            return values
        first = self.read_item(depth)
        while first and isinstance(first[0], str) and _is_number(self.peek()):
            first.append(self.take())
        return first

    def read_item(self, depth: int) -> list[Value]:
        if not _is_number(self.peek()) and self.starts_node():
            node = self.read_node(depth + 1)
            return [] if node is None else [node]
        return [self.take()]


def _is_number(token: str) -> bool:
    return token[:1] in "+-.0123456789" and token != ""
