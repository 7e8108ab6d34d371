"""Aimed movements: what an operator wants next, and how a movement to a point goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from robotix.geometry import Array

__all__ = ["Aim", "AimedMovement", "GoToButton", "Press"]


@dataclass(frozen=True, eq=False)
class Aim:
    """Bring the hand to a point, in the world, within a tolerance."""

    point: Array  # (3,), m
    tolerance: float  # m
    is_measured: bool = False  # an aimed movement that counts for Fitts' law


@dataclass(frozen=True)
class Press:
    """Press a button of the device, and see that it worked."""

    purpose: Literal["grip", "release"]


@dataclass(frozen=True)
class GoToButton:
    """Press the button of a posture, counted from 0, and wait until the arm is there."""

    posture: int


Step: TypeAlias = Aim | Press | GoToButton


@dataclass(frozen=True)
class AimedMovement:
    """A finished movement to a target, for Fitts' law."""

    distance: float  # m, from where it began
    width: float  # m, twice the tolerance
    time: float  # s
    submovements: int


@dataclass
class AimProgress:
    """How far the current movement is."""

    aim: Aim
    start: Array  # (3,), m: where the hand was
    began: float  # s
    submovements: int = 0
    best: float = np.inf  # m, the smallest distance so far
    best_at: float = 0.0  # s
    seen: Array = field(default_factory=lambda: np.zeros(3))  # (3,): the target as it is seen
