"""Who moves a node: of all that would, the one that took it last.

An object that falls can be caught, and falls on when it is let go; one hand takes over from the
other.
"""

from __future__ import annotations

from types import TracebackType
from weakref import WeakKeyDictionary

from robotix.scene.graph.graph import Node

__all__ = ["NodeClaim", "NodeClaims", "check_movable", "is_there"]


class NodeClaim:
    """One action's hand on one node; used in a `with`, so that no end of the action keeps it."""

    def __init__(self, holds: NodeClaims, node: Node, who: str) -> None:
        self.node = node
        self.who = who
        self._holds = holds

    @property
    def is_mine(self) -> bool:
        """Whether the node is this action's to move; refuses a node that is no longer there."""
        if not is_there(self.node):
            raise LookupError(f"node {self.node.name!r} was removed while {self.who} moved it")
        return self._holds.holder(self.node) is self

    def release(self) -> None:
        """Let go."""
        self._holds.drop(self)

    def __enter__(self) -> NodeClaim:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


class NodeClaims:
    """All hands on all nodes."""

    def __init__(self) -> None:
        self._by_node: WeakKeyDictionary[Node, list[NodeClaim]] = WeakKeyDictionary()

    def take(self, node: Node, who: str, *, under: bool = False) -> NodeClaim:
        """Take a node over; `under` all others, it is this one's only while nobody else has it."""
        check_movable(node)
        hold = NodeClaim(self, node, who)
        hands = self._by_node.setdefault(node, [])
        hands.insert(0 if under else len(hands), hold)
        return hold

    def holder(self, node: Node) -> NodeClaim | None:
        """Return the hold that counts."""
        hands = self._by_node.get(node)
        return hands[-1] if hands else None

    def drop(self, hold: NodeClaim) -> None:
        """Forget a hold; one that is forgotten already stays so."""
        hands = self._by_node.get(hold.node, [])
        if hold in hands:
            hands.remove(hold)

    def drop_all(self, node: Node, who: str) -> None:
        """Make all let go who took the node under this name."""
        for hold in tuple(self._by_node.get(node, ())):
            if hold.who == who:
                self.drop(hold)


def is_there(node: Node) -> bool:
    """Return whether a node is still in its graph."""
    return node.name in node.graph and node.graph[node.name] is node


def check_movable(node: Node) -> None:
    """Refuse a node that is not free to move."""
    if node.parent is None:
        raise ValueError("the root 'world' cannot be moved")
    if node.robot is not None and node.name != node.robot:
        raise ValueError(
            f"{node.name!r} is a link of the robot {node.robot!r}, whose joints say where it is; "
            f"move those, or the whole {node.robot!r}"
        )
