"""The nodes of a graph beside their simulation: what is held, frozen and written back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robotix.dynamics.simulation import ContactPoint, Mechanism, SimulationDiverged
from robotix.geometry import Array
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.physics.carrying import Carrying
from robotix.scene.physics.connecting import joint_place
from robotix.scene.physics.context import PhysicsContext
from robotix.scene.physics.floating_roots import FloatingRoots
from robotix.scene.physics.parts import Part, bounds
from robotix.scene.physics.room_simulation import (
    RoomSimulation,
    SolverFailed,
    pose_rows,
    rotations_of,
)
from robotix.scene.physics.servos import ServoDrives, SimulatedRobot
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
        robots: Sequence[SimulatedRobot],
        settings: PhysicsSettings,
        tick: float,
    ) -> None:
        """Compile; a thread may do this, since the graph is not touched."""
        self.room = RoomSimulation(parts, robots, settings, tick)
        self.servos = ServoDrives(self.room.simulation, self.room.robots)
        self.roots = FloatingRoots(self.room.simulation, self.room.robots)
        self.carrying = Carrying(self.room.simulation)
        self.nodes = [part.node for part in parts if part.kind in ("driven", "free")]
        self.frozen: set[str] = set()  # free parts that left the room or diverged
        self.diverged: set[str] = set()  # robots
        self._numbers = {node: k for k, node in enumerate(self.nodes)}
        count = len(self.nodes)
        self._bounds = bounds(parts, [robot.pose.translation for robot in robots], MARGIN)
        self._rows = np.zeros(count, dtype=np.int64)
        self._is_present: Flags = np.zeros(count, dtype=bool)
        self._is_attached: Flags = np.zeros(count, dtype=bool)
        self._carriers: dict[int, str] = {}  # links of simulated robots, by what they carry
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
            self.servos.begin(context.robots)
            return
        if former.room.is_watched:
            self.room.watch()
        if former.room.meter is not None:
            self.room.measure_forces()
        self.room.resume(former.room)
        self.servos.resume(former.servos)
        self.servos.begin(context.robots)
        self.roots.resume(former.roots)
        self.carrying.resume(former.carrying)
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
        self._carriers = {}
        for k, node in enumerate(self.nodes):
            self._is_present[k] = node.row >= 0
            self._rows[k] = max(node.row, 0)
            if node.row < 0 or not self.room.is_free[k]:
                continue
            self._is_attached[k] = (
                any(above.robot is not None for above in node.ancestors())
                or layers.base(node, "parent") is not node.parent
            )
            if self._is_attached[k] and (link := self._link_above(node)):
                self._carriers[k] = link
            if node.parent is not self._parents[k]:
                self._parents[k] = node.parent
                now = pose_rows(graph.world[node.row : node.row + 1])[0]
                if _gap(now, poses[k]) < ATTACH_TOLERANCE:  # it stayed where it is
                    self._written[k] = graph.local[node.row]

    def _link_above(self, node: Node) -> str:
        """Return the link of a simulated robot that a node hangs on; empty if on none."""
        simulated = {robot.name for robot in self.room.robots}
        on_robot = next((each for each in node.ancestors() if each.robot is not None), None)
        if on_robot is None or on_robot.robot not in simulated or on_robot.name == on_robot.robot:
            return ""
        return self.body_of(on_robot)

    def _free_names(self) -> list[str]:
        pairs = zip(self.room.names, self.room.is_free.tolist(), strict=True)
        return [name for name, is_free in pairs if is_free]

    # -- running ----------------------------------------------------------------------------

    def step(self, context: PhysicsContext) -> None:
        """Advance by one tick."""
        graph, room = context.graph, self.room
        carried = self._carried(context)
        held = self._held(context)
        held[list(carried)] = False
        self._relocate(graph, held)
        frozen = self._frozen_flags()
        led = ~room.is_free | held | frozen
        poses = pose_rows(graph.world[self._rows])
        stays = frozen | ~self._is_present
        poses[stays] = room.poses()[stays]
        is_moving = room.lead(led, poses)
        self.servos.command(context.robots)
        self.roots.hold()
        if self.carrying.update({room.names[k]: link for k, link in carried.items()}):
            room.wake()
        if is_moving or not room.is_asleep:
            self._advance(context)
            self.servos.read(context.robots)
            if carried:
                graph.update()
            self._write(graph, ~led)
            self._report_lost(context, ~led)

    def _carried(self, context: PhysicsContext) -> dict[int, str]:
        """Return which free parts links of simulated robots carry, unless a hand holds them."""
        if not self._carriers:
            return {}
        claimed = {self._numbers.get(node) for node in context.control.claims.claimed()}
        carried = {k: link for k, link in self._carriers.items() if k not in claimed}
        return carried if self.carrying.has_room(len(carried)) else {}

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
            self._freeze(context, error)
        except SolverFailed as error:
            context.fail("physics", error)

    def _freeze(self, context: PhysicsContext, error: SimulationDiverged) -> None:
        """Stop what made the simulation diverge, and report it once."""
        free = set(self._free_names())
        robot = next((each for each in self.room.robots if _is_part(error.body, each)), None)
        if robot is None:
            context.fail("physics", error)
            stopped = {error.body} & free or free - self.frozen
            self.frozen |= stopped
            names = ", ".join(map(repr, sorted(stopped)))
            context.say(f"Stopped until they are moved by hand or by a command: {names}.")
            return
        simulation = self.room.simulation
        simulation.set_state(robot.name, simulation.q(robot.name))
        if robot.name not in self.diverged:
            self.diverged.add(robot.name)
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
        for name in self.roots.stop_outside(self._bounds):
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
        if force.any() and number in self.room.bodies[self.room.led]:
            raise ValueError(f"{node.name!r} cannot be pushed, as it is held, driven or frozen")
        self.room.simulation.push(body, force)
        self.room.wake()

    def knows(self, node: Node) -> bool:
        """Return whether a body of the simulation is named after a node, or one above it."""
        return any(each.name in self.room.body_names for each in (node, *node.ancestors()))

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
        frozen = "\0".join(sorted(self.frozen | self.diverged)).encode()
        return self.room.state() + self.servos.state() + self.roots.state() + frozen


def _is_part(body: str, robot: Mechanism) -> bool:
    """Return whether a body belongs to a robot, or is mounted on it."""
    tools = {each.object.name for each in robot.mounted}
    return body in tools or body in {robot.body(each.name) for each in robot.model.bodies}


def _gap(one: Array, other: Array) -> float:
    """Return the largest difference between two poses (7,), of position or quaternion."""
    sign = 1.0 if one[3:] @ other[3:] >= 0 else -1.0
    return float(max(abs(one[:3] - other[:3]).max(), abs(one[3:] - sign * other[3:]).max()))
