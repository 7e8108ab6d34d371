"""Contacts and distances between nodes.

A name stands for a node with its whole branch, that of a robot for all its links and what it holds;
`"*"` stands for all other nodes. Repeated queries, as by rules, are evaluated together, once per
tick.
"""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, Nearest, distance_pair
from robotix.collision.distance_kernels import HALFSPACE, KIND
from robotix.collision.mesh_kernels import mesh_to_floor, mesh_to_mesh, mesh_to_solid, no_hint
from robotix.collision.tree_kernels import is_within
from robotix.geometry import Array
from robotix.scene.contact.colliders import Colliders, Flags, NodeSolids, make_colliders
from robotix.scene.contact.contact_kernels import (
    MESH,
    TOUCH_TOLERANCE,
    find_near,
    find_nearest,
    find_touching,
    holds,
    place_solids,
    under,
)
from robotix.scene.graph.graph import Graph

__all__ = ["ANY_NODE", "Contacts"]

ANY_NODE = "*"
MESH_DEPTH = 2e-3  # m; of meshes only whether they overlap is known
MAX_IDLE_ROUNDS = 200  # evaluations after which an unused pair is dropped

Index = NDArray[np.int64]
Names = tuple[str, str]


@dataclass(frozen=True, eq=False)
class _Sides:
    """The solids of two names, and the rows of the named nodes (-1 for `"*"`)."""

    first: Index
    second: Index
    named: Index  # (2,)


@dataclass
class _WatchedPair:
    """A queried pair of names, and the round of its last query."""

    sides: _Sides
    asked: int
    row: int = -1


class Contacts:
    """Distances and collisions between nodes of a graph, branches included.

    - Solids touch when there is less than a nanometre between them.
    - Only nodes that are `collidable` touch anything; regions never do. Distances are measured to
      all solids that are named, collidable or not.
    - Parts of one branch do not touch each other. Where a branch is within the other, what is
      compared is the inner one with the rest of the outer one.
    - `"*"` is everything collidable outside of the other's branch.
    - A node is mounted on the nearest node above it that has solids: a robot's foot on its table.
      These two count as touching only if both are named; so neither the robot nor the cup on the
      table touches `"*"` all the time, while `touching("cup", "table")` is True, and the robot's
      hand does touch the table.
    - A closed mesh is solid: what is inside touches it. Other meshes are surfaces.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._cache: dict[str, NodeSolids] = {}
        self._built: tuple[int, int] = (-1, -1)  # structure and touches of the table
        self._moves = -1  # and its poses
        self._watched: dict[Names, _WatchedPair] = {}
        self._rounds = 0
        self._is_evaluated = False
        self._distances: dict[Names, Nearest] = {}
        self._mesh_contacts: dict[tuple[int, int], bool] = {}
        self._candidates: Index = np.empty((256, 3), dtype=np.int64)
        self._out = np.empty(RESULT_SIZE)

    # -- queries ----------------------------------------------------------------------------

    def touching(self, first: str, second: str) -> bool:
        """Return whether two branches touch; with `"*"` twice, whether any two nodes do."""
        if first == second == ANY_NODE:
            return bool(self.pairs())
        self._refresh()
        watched = self._watched.get((first, second))
        if watched is None:
            sides = self._sides(first, second, all_solids=False)
            watched = self._watched[first, second] = _WatchedPair(sides, self._rounds)
            self._pack()
        watched.asked = self._rounds
        if not self._is_evaluated:
            self._evaluate()
        return bool(self._touching[watched.row])

    def distance(self, first: str, second: str) -> Nearest:
        """Return the distance of two branches and their nearest points, `a` on the first.

        It is negative where primitive solids, or a mesh and a half-space, overlap. Other overlaps
        of meshes have distance 0, one common point, and an approximate normal from the second to
        the first.
        """
        self._refresh()
        found = self._distances.get((first, second))
        if found is None:
            found = self._distances[first, second] = self._measure(first, second)
        return found

    def is_inside(self, region: str, node: str) -> bool:
        """Return whether the origin of a node is inside the solids of a region's own node."""
        self._refresh()
        own = self._own.get(region)
        if own is None:
            rows = np.flatnonzero(self._table.node_of == self._graph[region].row)
            own = self._own[region] = rows.tolist()
        if not own:
            raise ValueError(f"{region!r} has no solids, so nothing can be inside; give it some")
        point = self._graph.world[self._graph[node].row, 9:12]
        return any(self._contains(k, point) for k in own)

    def pairs(self) -> list[Names]:
        """Return all pairs of nodes that touch, by name.

        Links of one robot are not compared with each other, nor a node with its mount.
        """
        found: dict[Names, None] = {}
        for i, j in self._near_pairs():
            key = self._names[i], self._names[j]
            if key not in found and self._touch(i, j):
                found[key] = None
        return list(found)

    def depths(self, own: Container[str]) -> dict[Names, float]:
        """Return by how much nodes overlap that touch, m, by name: an own one, then another.

        Of meshes only whether they overlap is known; their depth is `MESH_DEPTH`.
        """
        found: dict[Names, float] = {}
        for i, j in self._near_pairs():
            key = self._names[i], self._names[j]
            if (key[0] in own) == (key[1] in own):
                continue
            key = key if key[0] in own else (key[1], key[0])
            if MESH in (self._placed[i, KIND], self._placed[j, KIND]):
                depth = MESH_DEPTH if self._touch(i, j) else -math.inf
            else:
                depth = -distance_pair(self._placed[i], self._placed[j], self._out)
            if depth >= -TOUCH_TOLERANCE:
                found[key] = max(depth, found.get(key, 0.0))
        return found

    def near(self, own: Container[str], within: float) -> list[tuple[str, str, Nearest]]:
        """Return own solids and others with at most `within` m between them, by their nodes.

        The points `a` are on the own ones, and normals lead to these. Of overlapping meshes the
        distance is 0.
        """
        found: list[tuple[str, str, Nearest]] = []
        for i, j in self._near_pairs(within):
            if (self._names[i] in own) == (self._names[j] in own):
                continue
            mine, other = (i, j) if self._names[i] in own else (j, i)
            out = np.empty(RESULT_SIZE)
            if MESH in (self._placed[i, KIND], self._placed[j, KIND]):
                gap = self._mesh_distance(mine, other, np.array([within, 0.0]), out)
            else:
                gap = distance_pair(self._placed[mine], self._placed[other], out)
            if gap <= within:
                nearest = Nearest(float(gap), out[1:4], out[4:7], out[7:10])
                found.append((self._names[mine], self._names[other], nearest))
        return found

    def _near_pairs(self, within: float = 0.0) -> list[tuple[int, int]]:
        """Return the collidable solids whose boxes overlap, or are within some distance, m."""
        self._refresh()
        boxes = self._boxes
        if within > 0.0:
            boxes = boxes + 0.5 * within * np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
        count = self._find_near(np.flatnonzero(self._table.collidable), boxes)
        return [(i, j) for i, j in self._candidates[:count, :2].tolist()]

    def prepare(self) -> None:
        """Read all meshes now instead of on first use; raise `BadFile` for bad ones."""
        self._refresh()

    # -- following the graph ----------------------------------------------------------------

    def _refresh(self) -> None:
        graph = self._graph
        built = graph.structure, graph.touches
        if built == self._built and graph.moves == self._moves:
            return
        if built != self._built:
            self._build(built)
        graph.update()
        if not self._place():
            self._build(built)
            self._place()
        self._moves = graph.moves
        self._is_evaluated = False
        self._distances.clear()
        self._mesh_contacts.clear()

    def _build(self, built: tuple[int, int]) -> None:
        self._built = -1, -1  # in case of an error
        self._table: Colliders = make_colliders(self._graph, self._cache)
        nodes = list(self._graph)
        self._names = [nodes[row].name for row in self._table.node_of.tolist()]  # of the solids
        self._placed = np.empty_like(self._table.rows)
        self._boxes = np.empty((len(self._placed), 6))
        self._own: dict[str, list[int]] = {}  # solids of the queried regions
        self._built = built
        self._watched = {k: w for k, w in self._watched.items() if self._is_there(*k)}
        for names, watched in self._watched.items():
            watched.sides = self._sides(*names, all_solids=False)
        self._pack()

    def _place(self) -> bool:
        table = self._table
        return place_solids(
            table.rows, table.centres, table.node_of, table.scales, self._graph.world,
            self._placed, self._boxes,
        )  # fmt: skip

    def _is_there(self, first: str, second: str) -> bool:
        return all(name == ANY_NODE or name in self._graph for name in (first, second))

    # -- groups -----------------------------------------------------------------------------

    def _sides(self, first: str, second: str, *, all_solids: bool) -> _Sides:
        """Return the solids of both names that are to be compared."""
        table = self._table
        rows, inside, masks = [], [], []
        for name in (first, second):
            row = 0 if name == ANY_NODE else self._graph[name].row
            branch: Flags = under(table.parents, row)[table.node_of]
            takes_all = all_solids and name != ANY_NODE
            wanted = ~table.region | (table.node_of == row) if takes_all else table.collidable
            rows.append(-1 if name == ANY_NODE else row)
            inside.append(branch)
            masks.append(branch & wanted)
        tops = [max(row, 0) for row in rows]
        if under(table.parents, tops[1])[tops[0]]:  # the first is in the branch of the second
            masks[1] &= ~inside[0]
        elif under(table.parents, tops[0])[tops[1]]:
            masks[0] &= ~inside[1]
        if tops[0] == tops[1]:
            masks[0] &= False
        return _Sides(np.flatnonzero(masks[0]), np.flatnonzero(masks[1]), np.array(rows))

    def _pack(self) -> None:
        """Pack the solids of all watched pairs into one array, the smaller side first."""
        members: list[Index] = [np.empty(0, dtype=np.int64)]
        spans, named, at = [], [], 0
        for row, watched in enumerate(self._watched.values()):
            watched.row, sides = row, watched.sides
            small, large = sorted((sides.first, sides.second), key=len)
            members += small, large
            spans.append((at, at + len(small), at + len(small) + len(large)))
            named.append(sides.named)
            at += len(small) + len(large)
        self._members = np.concatenate(members)
        self._spans = np.array(spans, dtype=np.int64).reshape(-1, 3)
        self._named = np.array(named, dtype=np.int64).reshape(-1, 2)
        self._touching: Flags = np.zeros(len(spans), dtype=bool)
        self._is_evaluated = False

    # -- touching ---------------------------------------------------------------------------

    def _evaluate(self) -> None:
        """Evaluate all watched pairs."""
        self._rounds += 1
        if self._rounds % MAX_IDLE_ROUNDS == 0:
            self._drop_idle()
        count = self._find_touching()
        if count > len(self._candidates):
            self._candidates = np.empty((2 * count, 3), dtype=np.int64)
            count = self._find_touching()
        for pair, i, j in self._candidates[:count].tolist():
            if not self._touching[pair]:
                self._touching[pair] = self._touch(i, j)
        self._is_evaluated = True

    def _drop_idle(self) -> None:
        since = self._rounds - MAX_IDLE_ROUNDS
        kept = {k: w for k, w in self._watched.items() if w.asked >= since}
        if len(kept) < len(self._watched):
            self._watched = kept
            self._pack()

    def _find_touching(self) -> int:
        table = self._table
        return find_touching(
            self._placed, self._boxes, table.node_of, table.mount, self._members, self._spans,
            self._named, self._touching, self._candidates,
        )  # fmt: skip

    def _find_near(self, chosen: Index, boxes: Array) -> int:
        table = self._table
        arguments = boxes, table.node_of, table.mount, table.owner, chosen
        count = find_near(*arguments, self._candidates)
        if count > len(self._candidates):
            self._candidates = np.empty((2 * count, 3), dtype=np.int64)
            count = find_near(*arguments, self._candidates)
        return count

    def _touch(self, i: int, j: int) -> bool:
        if MESH not in (self._placed[i, KIND], self._placed[j, KIND]):
            return distance_pair(self._placed[i], self._placed[j], self._out) <= TOUCH_TOLERANCE
        key = (i, j) if i < j else (j, i)
        known = self._mesh_contacts.get(key)
        if known is None:
            known = (
                self._mesh_distance(
                    i, j, np.array([2 * TOUCH_TOLERANCE, TOUCH_TOLERANCE]), self._out
                )
                <= TOUCH_TOLERANCE
            )
            self._mesh_contacts[key] = known
        return known

    # -- measuring --------------------------------------------------------------------------

    def _measure(self, first: str, second: str) -> Nearest:
        sides = self._sides(first, second, all_solids=True)
        for name, solids in ((first, sides.first), (second, sides.second)):
            if not len(solids):
                raise ValueError(
                    f"between {first!r} and {second!r} there is no distance, since {name!r} has "
                    "no solids of its own; name nodes with solids, neither within the other"
                )
        best, trial = np.full(RESULT_SIZE, np.nan), np.empty(RESULT_SIZE)
        gaps = np.empty((len(sides.first), len(sides.second)))
        least = self._nearest_primitives(sides, best, gaps)
        for at in np.argsort(gaps, axis=None, kind="stable"):  # the most promising first
            k, m = np.unravel_index(at, gaps.shape)
            if not (gaps[k, m] < least or gaps[k, m] == 0.0):
                break
            i, j = int(sides.first[k]), int(sides.second[m])
            found = self._mesh_distance(i, j, np.array([max(least, TOUCH_TOLERANCE), 0.0]), trial)
            if found < least:
                least, best[:] = found, trial
        best.flags.writeable = False
        return Nearest(least, best[1:4], best[4:7], best[7:10])

    def _nearest_primitives(self, sides: _Sides, out: Array, gaps: Array) -> float:
        table = self._table
        return find_nearest(
            self._placed, self._boxes, table.node_of, table.mount, sides.first, sides.second,
            sides.named, out, gaps,
        )  # fmt: skip

    def _mesh_distance(self, i: int, j: int, limits: Array, out: Array) -> float:
        """Distance between two solids, at least one a mesh; `out` as if `i` were `a`."""
        table, placed = self._table, self._placed
        tree, other = table.trees[i], table.trees[j]
        if tree is None:
            distance = self._mesh_distance(j, i, limits, out)
            out[1:7] = [*out[4:7], *out[1:4]]
            out[7:] = -out[7:]
            return distance
        row, scale = placed[i], float(table.scales[i])
        if other is not None:
            scale_b = float(table.scales[j])
            return mesh_to_mesh(tree, row, scale, other, placed[j], scale_b, limits, no_hint(), out)
        if placed[j, KIND] == HALFSPACE:
            return mesh_to_floor(tree, row, scale, placed[j], out)
        return mesh_to_solid(tree, row, scale, placed[j], limits, no_hint(), out)

    def _contains(self, k: int, point: Array) -> bool:
        tree = self._table.trees[k]
        if tree is None:
            return holds(self._placed[k], point)
        return is_within(tree, self._placed[k], float(self._table.scales[k]), point)
