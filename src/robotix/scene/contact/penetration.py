"""How deep a part of a room is inside the rest: what stops a motion that would go deeper."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TypeAlias

from robotix.scene.contact.contacts import Contacts

__all__ = ["MAX_DEPTH", "Depths", "deeper_pairs", "find_depths"]

MAX_DEPTH = 1e-3  # m that solids may overlap before a motion stops
DEPTH_TOLERANCE = 1e-6  # m

Depths: TypeAlias = dict[tuple[str, str], float]  # by the names of the own node and the other


def find_depths(contacts: Contacts, own: Container[str], stops: Callable[[str], bool]) -> Depths:
    """Return by how much own nodes overlap nodes that stop them, m."""
    return {pair: depth for pair, depth in contacts.depths(own).items() if stops(pair[1])}


def deeper_pairs(before: Mapping[tuple[str, str], float], after: Depths) -> list[tuple[str, str]]:
    """Return the pairs that overlap by more than `MAX_DEPTH`, and by more than before."""
    return [
        pair
        for pair, depth in after.items()
        if depth > MAX_DEPTH and depth > before.get(pair, 0.0) + DEPTH_TOLERANCE
    ]
