"""The nodes of a graph beside their simulation: what is held, frozen and written back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robotix.dynamics.simulation import ContactPoint, Mechanism, SimulationDiverged
from robotix.geometry import Array
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.physics.connecting import joint_place
from robotix.scene.physics.context import PhysicsContext
from robotix.scene.physics.parts import Part, bounds
from robotix.scene.physics.room_simulation import (
    RoomSimulation,
    SolverFailed,
    pose_rows,
    rotations_of,
)
from robotix.scene.physics.servos import ServoDrives
from robotix.scene.physics.settings import PhysicsSettings

__all__ = ["RoomMirror"]

Flags = NDArray[np.bool_]
MARGIN = 20.0  # m around all solids; what is farther away has left the room
REST_TOLERANCE = 1e-6  # m, and of a quaternion; smaller changes are not written to the graph
ATTACH_TOLERANCE = 1e-4  # m, and of a quaternion; by which attaching may move a node


class RoomMirror:
    """Simulates the parts of a graph; see `Physics`."""

    def __init__(
        self,
        parts: Sequence[Part],
        mechanisms: Sequence[Mechanism],
        settings: PhysicsSettings,
        tick: float,
    ) -> None:
        """Compile; a thread may do this, since the graph is not touched."""
        self.room = RoomSimulation(parts, mechanisms, settings, tick)
        self.servos = ServoDrives(self.room.simulation, mechanisms)
        self.nodes = [part.node for part in parts if part.kind != "static"]
        self.frozen: set[str] = set()  # free parts that left the room or diverged
        self._numbers = {node: k for k, node in enumerate(self.nodes)}
        count = len(self.nodes)
        self._bounds = bounds(parts, MARGIN)
        self._rows = np.zeros(count, dtype=np.int64)
        self._is_present: Flags = np.zeros(count, dtype=bool)
        self._is_attached: Flags = np.zeros(count, dtype=bool)
        self._parents: list[Node | None] = [None] * count
        self._written: Array = np.zeros((count, 13))  # rows of `graph.local`
        self._shown: Array = np.zeros((count, 7))  # the poses that these say

    def begin(self, context: PhysicsContext, former: RoomMirror | None) -> None:
        """Take over from another mirror; new parts begin where the graph has them."""
        self.follow_rows(context)
        world = pose_rows(context.graph.world[self._rows])
        self.room.place(self._is_present, world)
        self._written = context.graph.local[self._rows]
        if former is None:
            return
        self.room.resume(former.room)
        self.servos.resume(former.servos)
        free = set(self._free_names())
        self.frozen = former.frozen & free
        theirs = {name: row for row, name in enumerate(former.room.names)}
        for row, name in enumerate(self.room.names):
            if name in theirs:
                self._written[row] = former._written[theirs[name]]
                self._parents[row] = former._parents[theirs[name]]
        self.follow_rows(context)

    def follow_rows(self, context: PhysicsContext) -> None:
        """Follow the rows of the graph after its structure has changed."""
        graph, layers = context.graph, context.control.layers
        poses = self.room.poses()
        for k, node in enumerate(self.nodes):
            self._is_present[k] = node.row >= 0
            self._rows[k] = max(node.row, 0)
            if node.row < 0 or not self.room.is_free[k]:
                continue
            self._is_attached[k] = (
                any(above.robot is not None for above in node.ancestors())
                or layers.base(node, "parent") is not node.parent
            )
            if node.parent is not self._parents[k]:
                self._parents[k] = node.parent
                now = pose_rows(graph.world[node.row : node.row + 1])[0]
                if _gap(now, poses[k]) < ATTACH_TOLERANCE:  # it stayed where it is
                    self._written[k] = graph.local[node.row]

    def _free_names(self) -> list[str]:
        pairs = zip(self.room.names, self.room.is_free.tolist(), strict=True)
        return [name for name, is_free in pairs if is_free]

    # -- running ----------------------------------------------------------------------------

    def step(self, context: PhysicsContext) -> None:
        """Advance by one tick."""
        graph, room = context.graph, self.room
        held = self._held(context)
        self._relocate(graph, held)
        frozen = self._frozen_flags()
        led = ~room.is_free | held | frozen
        poses = pose_rows(graph.world[self._rows])
        stays = frozen | ~self._is_present
        poses[stays] = room.poses()[stays]
        is_moving = room.lead(led, poses)
        self.servos.command(context.robots)
        if is_moving or not room.is_asleep:
            self._advance(context)
            self.servos.read(context.robots)
            self._write(graph, ~led)
            self._report_lost(context, ~led)

    def _held(self, context: PhysicsContext) -> Flags:
        """Return which free parts something holds, or whose nodes are gone."""
        held = self._is_attached | ~self._is_present
        for node in context.control.claims.claimed():
            if (k := self._numbers.get(node)) is not None:
                held[k] = True
        return held & self.room.is_free

    def _frozen_flags(self) -> Flags:
        if not self.frozen:
            return np.zeros(len(self.nodes), dtype=bool)
        return np.array([name in self.frozen for name in self.room.names], dtype=bool)

    def _relocate(self, graph: Graph, held: Flags) -> None:
        """Put free parts where commands have put their nodes, and thaw those that were frozen."""
        now = graph.local[self._rows]
        moved = self.room.is_free & self._is_present & (now != self._written).any(axis=1)
        if not moved.any():
            return
        self.frozen -= {self.room.names[k] for k in np.flatnonzero(moved).tolist()}
        self._written[moved] = now[moved]
        self.room.place(moved & ~held, pose_rows(graph.world[self._rows]))

    def _advance(self, context: PhysicsContext) -> None:
        try:
            self.room.step()
        except SimulationDiverged as error:
            frozen = {error.body} & set(self._free_names()) or set(self._free_names())
            self.frozen |= frozen
            context.fail("physics", error)
        except SolverFailed as error:
            context.fail("physics", error)

    def _write(self, graph: Graph, free: Flags) -> None:
        """Write the poses of free parts into the graph, unless they rest."""
        poses = self.room.poses()
        change = np.abs(poses - self._shown).max(axis=1) > REST_TOLERANCE
        changed = np.flatnonzero(free & change)
        if not len(changed):
            return
        self._shown[changed] = poses[changed]
        rotations = rotations_of(poses[changed, 3:])
        for k, rotation in zip(changed.tolist(), rotations, strict=True):
            parent, row = self.nodes[k].parent, graph.local[self._rows[k]]
            assert parent is not None
            above = graph.world[parent.row]
            R = above[:9].reshape(3, 3)
            row[:9] = (R.T @ rotation.reshape(3, 3)).ravel()
            row[9:12] = R.T @ (poses[k, :3] - above[9:12]) / above[12]
            self._written[k] = row
        graph.mark_moved()

    def _report_lost(self, context: PhysicsContext, free: Flags) -> None:
        """Report and freeze what has left the room."""
        at = self.room.poses()[:, :3]
        lost = free & ((at < self._bounds[0]) | (at > self._bounds[1])).any(axis=1)
        for k in np.flatnonzero(lost).tolist():
            name = self.room.names[k]
            self.frozen.add(name)
            context.say(f"{name!r} has left the room; it is stopped there.")

    def body_of(self, node: Node) -> str:
        """Return the body of the simulation that a node is part of; "world" for the root."""
        for each in (node, *node.ancestors()):
            if each.name in self.room.body_names:
                return each.name
        if node.parent is None:
            return "world"
        raise ValueError(f"{node.name!r} has no shape that collides, so physics does not know it")

    def push(self, node: Node, force: Array) -> None:
        """Push the body of a node at its centre of mass, N in the world, until changed."""
        body = self.body_of(node)
        number = self.room.simulation.model.body(body).id
        if number in self.room.bodies[self.room.led]:
            raise ValueError(f"{node.name!r} cannot be pushed, as it is held, driven or frozen")
        self.room.simulation.push(body, force)
        self.room.wake()

    def contact_points(self) -> list[ContactPoint]:
        """Return what touches, also what sleeps, and with which forces."""
        return self.room.contact_points()

    def connected_joints(self) -> list[tuple[str, str, Array, Array]]:
        """Return name, kind, place and axis in the world of every connection."""
        simulation = self.room.simulation
        return [
            (each.name, each.joint.kind, *joint_place(simulation, each))
            for each in simulation.connections
        ]

    def state(self) -> bytes:
        """Return all that determines what follows."""
        return self.room.state() + self.servos.state() + "\0".join(sorted(self.frozen)).encode()


def _gap(one: Array, other: Array) -> float:
    """Return the largest difference between two poses (7,), of position or quaternion."""
    sign = 1.0 if one[3:] @ other[3:] >= 0 else -1.0
    return float(max(abs(one[:3] - other[:3]).max(), abs(one[3:] - sign * other[3:]).max()))
