"""Flaws of a robot file that do not keep it from being read: noted, or refused when strict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robotix.errors import BadFile
from robotix.files.xml_tree import Element
from robotix.geometry import Array

__all__ = ["Flaws", "sound_inertia"]

ROUNDED_INERTIA = 1e-6  # kg m²
MAX_NOTES = 40  # kinds of flaws; a generated file may have a thousand


class Flaws:
    """Collects what is wrong with a file and how the reader got by; strict raises instead."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self._places: dict[tuple[str, str], list[str]] = {}  # by flaw and remedy

    def note(self, fault: BadFile, remedy: str) -> None:
        """Remember a fault and what is done about it; raise it when strict."""
        if self.strict:
            raise fault
        path, found, _, line, column = fault.args
        self._places.setdefault((found, remedy), []).append(f"{path}:{line}:{column}")

    @property
    def notes(self) -> tuple[str, ...]:
        """One text for each kind of flaw, in the order of the file; the last counts the rest."""
        texts = [
            f"{places[0]}: {found}; {remedy}"
            + (f" ({len(places)} times in this file)" if len(places) > 1 else "")
            for (found, remedy), places in self._places.items()
        ]
        more = sum(map(len, list(self._places.values())[MAX_NOTES:]))
        return (*texts[:MAX_NOTES], f"and {more} more flaws") if more else tuple(texts)

    def first(self, holder: Element, tag: str) -> Element | None:
        """Return the first child with a tag, or None; a second one is a flaw."""
        found = holder.all(tag)
        if len(found) > 1:
            fault = found[1].bad(f"a second <{tag}>", f"at most one in <{holder.tag}>")
            self.note(fault, "the first counts")
        return found[0] if found else None

    def need(self, holder: Element, tag: str) -> Element:
        """Return the first child with a tag; raise BadFile if there is none."""
        return self.first(holder, tag) or holder.need(tag)

    def vector(
        self, element: Element, attribute: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Return an attribute of three numbers; commas between them or a fourth are a flaw."""
        try:
            return element.numbers(attribute, 3, default=default)
        except BadFile as fault:
            words = element.attributes[attribute].replace(",", " ").split()[:3]
            plain = replace(element, attributes={attribute: " ".join(words)})
            try:
                values = plain.numbers(attribute, 3)
            except BadFile:
                raise fault from None
            self.note(fault, f"read as {' '.join(words)}")
            return values


def sound_inertia(tensor: Array, element: Element, flaws: Flaws) -> Array:
    """Return an inertia, or the nearest positive semidefinite one; far from it is a flaw."""
    values, vectors = np.linalg.eigh(tensor)
    if values[0] < -max(ROUNDED_INERTIA, 1e-9 * abs(values).max()):
        found = f"an inertia with the negative principal moment {values[0]:.3g} kg m²"
        fault = element.bad(found, "a positive semidefinite inertia")
        flaws.note(fault, "the nearest inertia without is used")
    if values[0] >= 0:
        return tensor
    return np.asarray((vectors * values.clip(0.0)) @ vectors.T)
