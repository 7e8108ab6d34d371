"""How commands control nodes: temporary values, claims on their motion, and guides."""

from __future__ import annotations

from dataclasses import dataclass, field

from robotix.scene.events.claims import NodeClaims
from robotix.scene.events.layers import Layers
from robotix.scene.graph.guides import Guided

__all__ = ["NodeControl"]


@dataclass
class NodeControl:
    """What commands currently do to nodes."""

    layers: Layers = field(default_factory=Layers)  # temporary values above the original ones
    claims: NodeClaims = field(default_factory=NodeClaims)  # which action moves which node
    guides: dict[str, Guided] = field(default_factory=dict)  # positions of doors and drawers
