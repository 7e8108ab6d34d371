"""All solids of a graph in flat arrays, for the compiled contact kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import ROW_SIZE, pack_shapes
from robotix.collision.distance_kernels import HALF, KIND, ROTATION, TRANSLATION
from robotix.collision.tree_kernels import Tree
from robotix.geometry import Array, Mesh, Shape
from robotix.meshes.asset import load_mesh
from robotix.meshes.tree import make_tree
from robotix.scene.contact.contact_kernels import MESH
from robotix.scene.graph.content import Region
from robotix.scene.graph.graph import Graph, Node

__all__ = ["Colliders", "NodeSolids", "make_colliders"]

Flags = NDArray[np.bool_]


# -- nodes ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NodeSolids:
    """The solids of one node, scaled to the world."""

    shapes: tuple[Shape, ...]
    scale: float
    rows: Array  # (k, ROW_SIZE)
    centres: Array  # (k, 3), centre of a mesh in its frame
    trees: tuple[Tree | None, ...]

    @staticmethod
    def of(shapes: tuple[Shape, ...], scale: float) -> NodeSolids:
        """Pack solids, scaled."""
        rows, centres, trees = np.empty((len(shapes), ROW_SIZE)), np.zeros((len(shapes), 3)), []
        for k, shape in enumerate(shapes):
            tree = (
                make_tree(load_mesh(shape.path), shape.scale) if isinstance(shape, Mesh) else None
            )
            if tree is None:
                rows[k] = pack_shapes([shape])[0]
            else:
                low, high = tree.bounds[0, :3], tree.bounds[0, 3:]
                rows[k, KIND], rows[k, 1:HALF] = MESH, 0.0
                rows[k, HALF:ROTATION] = (high - low) / 2
                rows[k, ROTATION:TRANSLATION] = shape.pose.rotation.ravel()
                rows[k, TRANSLATION:] = shape.pose.translation
                centres[k] = (high + low) / 2
            trees.append(tree)
        rows[:, 1:ROTATION] *= scale
        rows[:, TRANSLATION:] *= scale
        return NodeSolids(shapes, scale, rows, centres * scale, tuple(trees))


@dataclass(frozen=True, eq=False)
class Colliders:
    """One row per solid, over all nodes; nodes are given by their rows in the graph."""

    rows: Array  # (n, ROW_SIZE), in the frame of the node
    centres: Array  # (n, 3)
    scales: Array  # (n,)
    trees: tuple[Tree | None, ...]  # of the meshes
    node_of: NDArray[np.int64]  # (n,)
    mount: NDArray[np.int64]  # (n,), the nearest node above that has solids, else -1
    owner: NDArray[np.int64]  # (n,), equal for all links of a robot
    collidable: Flags  # (n,), regions never are
    region: Flags  # (n,)
    parents: NDArray[np.int64]  # (number of nodes,)


def make_colliders(graph: Graph, cache: dict[str, NodeSolids]) -> Colliders:
    """Collect the solids of a graph; `cache` holds those of unchanged nodes."""
    graph.update()
    nodes = list(graph)
    with_solids = [node for node in nodes if node.solids]
    for name in cache.keys() - {node.name for node in with_solids}:
        del cache[name]
    for node in with_solids:
        known, scale = cache.get(node.name), float(graph.world[node.row, 12])
        if known is None or known.shapes is not node.solids or known.scale != scale:
            cache[node.name] = NodeSolids.of(node.solids, scale)
    found = [cache[node.name] for node in with_solids]
    sizes = [len(each.shapes) for each in found]
    robots = {node.robot: -1 - k for k, node in enumerate(with_solids) if node.robot is not None}

    def spread(values: list[int]) -> NDArray[np.int64]:
        return np.repeat(np.array(values, dtype=np.int64), sizes)

    region = spread([isinstance(node.content, Region) for node in with_solids]).astype(bool)
    collidable = spread([node.attributes.collidable for node in with_solids]).astype(bool)
    return Colliders(
        rows=np.concatenate([np.empty((0, ROW_SIZE)), *(each.rows for each in found)]),
        centres=np.concatenate([np.empty((0, 3)), *(each.centres for each in found)]),
        scales=np.repeat(np.array([each.scale for each in found], dtype=float), sizes),
        trees=tuple(tree for each in found for tree in each.trees),
        node_of=spread([node.row for node in with_solids]),
        mount=spread([_mount_of(node) for node in with_solids]),
        owner=spread(
            [node.row if node.robot is None else robots[node.robot] for node in with_solids]
        ),
        collidable=collidable & ~region,
        region=region,
        parents=np.array([-1 if n.parent is None else n.parent.row for n in nodes], dtype=np.int64),
    )


def _mount_of(node: Node) -> int:
    for above in node.ancestors():
        if above.solids and not isinstance(above.content, Region):
            return above.row
    return -1
