"""Loads in the hands. They are part of the centre of mass from the moment of the grasp."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from robotix.geometry import Box
from robotix.human.body.skeleton import Side
from robotix.model import Model

__all__ = ["Load", "LoadPhase", "model_with_loads"]


@dataclass(frozen=True, eq=False)
class Load:
    """A box held by one hand or by two, its centre of mass in the middle of the grips.

    Each hand carries an equal part at the centre of its grip, whatever its orientation.
    """

    name: str
    mass: float  # kg
    hands: tuple[Side, ...]
    box: Box  # about its centre, x forward


@dataclass(frozen=True, eq=False)
class LoadPhase:
    """A load and the time span from grasp to release."""

    load: Load
    start: float  # s
    end: float  # s


def model_with_loads(model: Model, loads: Iterable[Load]) -> Model:
    """Return the model with loads as payloads of its hands."""
    for load in loads:
        for side in load.hands:
            if load.mass > 0:
                mass = load.mass / len(load.hands)
                model = model.with_payload(f"{load.name}_{side}", mass, at=f"{side}_hand")
    return model
