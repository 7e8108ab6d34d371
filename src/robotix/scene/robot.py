"""Robots in the room: a model, its joints now, and what drives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.motion import EndOfStroke as ReachedEnd
from robotix.motion import joint_events
from robotix.scene.events import EndOfStroke, Event, Motion
from robotix.scene.graph import Graph
from robotix.scene.graph_kernels import seat_bodies
from robotix.scene.node import Node

__all__ = ["Drive", "Robot"]


class Drive(Protocol):
    """What moves a robot: asked every tick where the joints should be next."""

    def next(self, robot: Robot) -> Array | None:
        """Return the posture wanted at the end of this tick; None when there is no more to do."""


class Robot:
    """A branch of the graph whose nodes are the bodies of a model.

    Whatever its drive asks for, joints stay within their limits and rates, and numbers finite.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        graph: Graph,
        *,
        dt: float,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> None:
        self.name = name
        self.model = model
        self.dt = dt
        self.q: Array = model.neutral.copy()
        self.dq: Array = np.zeros(model.n_dof)
        self.drive: Drive | None = None
        self.node = graph.add(name, parent=parent, pose=pose, robot=name)
        self.links: dict[str, Node] = {}
        for body in model.bodies:
            self.links[body.name] = graph.add(
                f"{name}/{body.name}",
                parent=self.links[body.parent] if body.parent else self.node,
                solids=body.collision,
                visuals=body.visuals,
                robot=name,
            )
        self._graph = graph
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._structure = -1
        self._parents = np.array(
            [model.body_index(b.parent) if b.parent else -1 for b in model.bodies], dtype=np.int64
        )
        self.seat()

    # -- state ------------------------------------------------------------------------------

    @property
    def posture(self) -> Posture:
        """The present posture, in the robot's base frame."""
        return Posture(self.model, self.q)

    def set_q(self, q: ArrayLike) -> None:
        """Put the joints somewhere at once, within their limits; for setting up, not for moving."""
        wish = Posture(self.model, q).q  # refuses what is not finite or of another size
        self.q = np.clip(wish, self.model.lower, self.model.upper)
        self.dq = np.zeros(self.model.n_dof)
        self.seat()

    def stop(self) -> None:
        """Stop at once, and stay."""
        self.drive = None

    # -- running ----------------------------------------------------------------------------

    def step(self) -> Iterator[Event]:
        """Move by one tick; yield what happened to the joints."""
        wish = self.drive.next(self) if self.drive is not None else None
        if wish is None:
            self.drive = None
            self.dq = np.zeros(self.model.n_dof)
            return
        before = self.q
        self.q = self._kept(wish)
        self.dq = Posture(self.model, before).velocity_to(self.q) / self.dt
        self.seat()
        for event in joint_events(self.model, before=before, after=self.q):
            if isinstance(event, ReachedEnd):
                yield Event(EndOfStroke(self.name, event.joint))
        yield Event(Motion(self.name))

    def _kept(self, wish: Array) -> Array:
        """Return where the joints go: never beyond limits or rates, never to what is no number."""
        if not np.isfinite(wish).all():
            return self.q
        room = self.model.velocity * self.dt
        near = np.clip(wish, self.q - room, self.q + room)
        return np.clip(near, self.model.lower, self.model.upper)

    def seat(self) -> None:
        """Write the places of the bodies into the graph."""
        graph = self._graph
        if self._structure != graph.structure:
            self._rows = np.array([node.row for node in self.links.values()], dtype=np.int64)
            self._structure = graph.structure
        seat_bodies(self.posture.body_poses, self._parents, self._rows, graph.local)
        graph.moved()
