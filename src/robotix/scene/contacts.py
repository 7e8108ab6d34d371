"""Who touches whom."""

from __future__ import annotations

from robotix.scene.graph import Graph

__all__ = ["Contacts"]


class Contacts:
    """Distances and collisions between nodes of a graph, branches included."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def touching(self, first: str, second: str) -> bool:
        """Return whether two branches touch."""
        raise NotImplementedError

    def is_inside(self, region: str, node: str) -> bool:
        """Return whether the origin of a node is inside a region."""
        raise NotImplementedError
