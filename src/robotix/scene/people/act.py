"""Acts: tasks that a person has prepared, with the nodes that belong to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from robotix.geometry import Pose
from robotix.human.evaluation.report import measure
from robotix.human.motion.gestures import Gestures, make_gestures
from robotix.human.motion.performance import Performance
from robotix.scene.graph.clip import Clip

__all__ = ["Act", "CarriedNode"]


@dataclass(frozen=True, eq=False)
class CarriedNode:
    """A node that the hands hold for a while, and its motion in the person's base frame."""

    node: str
    start: float  # s
    end: float  # s
    motion: Clip  # at all times of the performance


@dataclass(frozen=True, eq=False)
class Act:
    """A prepared task: its motion, and what it needs in the scene."""

    performance: Performance
    stance: Pose  # base_from_stance at the beginning
    carried: tuple[CarriedNode, ...] = ()
    props: str = ""  # node above all props of the task; empty: none
    targets: Mapping[str, Pose] = field(
        default_factory=dict
    )  # base_from_node of the nodes it acts on

    gestures: Gestures = field(init=False)  # neck and fingers, at all times of the performance

    def __post_init__(self) -> None:  # made here, in advance, so that no tick waits for it
        object.__setattr__(self, "gestures", make_gestures(self.performance))

    @property
    def problems(self) -> tuple[str, ...]:
        """The goals that could not be met, and by how much."""
        return tuple(map(str, self.performance.shortfalls))

    def faults(self) -> tuple[str, ...]:
        """Return all problems, including slipping and collisions; this takes some time."""
        return _measured(self.performance)


@lru_cache(maxsize=32)
def _measured(performance: Performance) -> tuple[str, ...]:
    return measure(performance).problems
