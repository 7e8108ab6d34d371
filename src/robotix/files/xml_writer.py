"""Writing XML: exact numbers, checked names, deterministic layout."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias
from xml.etree import ElementTree

from robotix.errors import BadModel

__all__ = ["add", "join_numbers", "make", "to_text"]

XmlValue: TypeAlias = str | float | Iterable[float]

_FORBIDDEN_CHARACTERS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def make(tag: str, **attributes: XmlValue) -> ElementTree.Element:
    """Return an element; numbers are written so that reading gives the same bits."""
    texts = {}
    for key, value in attributes.items():
        text = value if isinstance(value, str) else join_numbers(value)
        if _FORBIDDEN_CHARACTERS.search(text):
            raise BadModel(f"{tag} {text!r}", "has a character that XML cannot hold; rename it")
        texts[key] = text
    return ElementTree.Element(tag, texts)


def add(parent: ElementTree.Element, tag: str, **attributes: XmlValue) -> ElementTree.Element:
    """Append a new element to another, and return it."""
    element = make(tag, **attributes)
    parent.append(element)
    return element


def join_numbers(values: float | Iterable[float]) -> str:
    """Return numbers separated by blanks, each in its shortest exact form."""
    if isinstance(values, int | float):
        values = (values,)
    return " ".join(_short(float(value)) for value in values)


def _short(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e9 else repr(value)


def to_text(root: ElementTree.Element) -> str:
    """Return the document as text."""
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
