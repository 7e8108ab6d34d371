"""Loads: what the hands carry. They count in the balance from the moment they are taken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from robotix.geometry import Box
from robotix.human.body.skeleton import Side
from robotix.model import Model

__all__ = ["Load", "LoadPhase", "loaded"]


@dataclass(frozen=True, eq=False)
class Load:
    """A box held by one hand or by two, its centre of mass in the middle of the grips.

    Each hand bears its share at the centre of its grip, so that the share does not depend on how
    the hand is turned.
    """

    name: str
    mass: float  # kg
    hands: tuple[Side, ...]
    box: Box  # about its centre, x forward


@dataclass(frozen=True, eq=False)
class LoadPhase:
    """A load from when it is taken to when it is put."""

    load: Load
    start: float  # s
    end: float  # s


def loaded(model: Model, loads: Iterable[Load]) -> Model:
    """Return the model with the loads in its hands."""
    for load in loads:
        for side in load.hands:
            if load.mass > 0:
                share = load.mass / len(load.hands)
                model = model.with_payload(f"{load.name}_{side}", share, at=f"{side}_hand")
    return model
