"""Claims: which action moves a node; of several, the one that claimed it last.

A falling object can be caught, and falls on when it is released; one hand takes over from another.
"""

from __future__ import annotations

from typing import Self
from weakref import WeakKeyDictionary

from robotix.scene.graph.graph import Node

__all__ = ["NodeClaim", "NodeClaims", "check_movable", "is_in_graph"]


class NodeClaim:
    """The claim of one action on one node; a context manager that releases it."""

    def __init__(self, owner: NodeClaims, node: Node, who: str) -> None:
        self.node = node
        self.who = who
        self._claims = owner

    @property
    def is_active(self) -> bool:
        """Whether this action moves the node; raise LookupError if the node was removed."""
        if not is_in_graph(self.node):
            raise LookupError(f"node {self.node.name!r} was removed while {self.who} moved it")
        return self._claims.holder(self.node) is self

    def release(self) -> None:
        """Release the node."""
        self._claims.release(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class NodeClaims:
    """All claims on all nodes."""

    def __init__(self) -> None:
        self._by_node: WeakKeyDictionary[Node, list[NodeClaim]] = WeakKeyDictionary()

    def claim(self, node: Node, who: str, *, under: bool = False) -> NodeClaim:
        """Claim a node; `under` all others, the claim is active only while there is no other."""
        check_movable(node)
        claim = NodeClaim(self, node, who)
        claims = self._by_node.setdefault(node, [])
        claims.insert(0 if under else len(claims), claim)
        return claim

    def holder(self, node: Node) -> NodeClaim | None:
        """Return the active claim, if any."""
        claims = self._by_node.get(node)
        return claims[-1] if claims else None

    def claimed(self) -> list[Node]:
        """Return the nodes that some action moves."""
        return [node for node, claims in self._by_node.items() if claims]

    def release(self, claim: NodeClaim) -> None:
        """Release a claim; do nothing if it was released already."""
        claims = self._by_node.get(claim.node, [])
        if claim in claims:
            claims.remove(claim)

    def release_all(self, node: Node, who: str) -> None:
        """Release all claims on a node by this name."""
        for claim in tuple(self._by_node.get(node, ())):
            if claim.who == who:
                self.release(claim)


def is_in_graph(node: Node) -> bool:
    """Return whether a node is still in its graph."""
    return node.name in node.graph and node.graph[node.name] is node


def check_movable(node: Node) -> None:
    """Raise ValueError for the root and for links of a robot, which cannot be moved freely."""
    if node.parent is None:
        raise ValueError("the root 'world' cannot be moved")
    if node.robot is not None and node.name != node.robot:
        raise ValueError(
            f"{node.name!r} is a link of the robot {node.robot!r}, whose joints say where it is; "
            f"move those, or the whole {node.robot!r}"
        )
