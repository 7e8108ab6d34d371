"""The physics of a scene: mirrors its graph into a simulation, and writes back what is free.

In every tick, after commands, plug-ins and robots have moved what they move:

1. all that they moved is driven to its new pose, and pushes what is free;
2. the simulation advances by one tick, in several steps;
3. the poses of free nodes are written into the graph.

A free node that something holds (a hand, a robot it is attached to, a person who carries it) is
driven until it is released, with the velocity it has then. When nodes come, go or begin to move,
a new simulation is compiled meanwhile, and takes over after `LATENCY`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.errors import BadField, RobotixError, UnknownName
from robotix.geometry import Array
from robotix.scene.contact.contacts import ANY_NODE
from robotix.scene.graph.graph import Node
from robotix.scene.physics.context import PhysicsContext
from robotix.scene.physics.parts import (
    Part,
    collect_parts,
    fingerprint,
    free_fault,
    has_solids,
)
from robotix.scene.physics.rebuilding import LATENCY, Pending
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.robots.robot import Robot

if TYPE_CHECKING:  # MuJoCo is loaded only for rooms with physics
    from robotix.scene.physics.connecting import JointWord
    from robotix.scene.physics.room_mirror import RoomMirror
    from robotix.scene.physics.servos import SimulatedRobot

__all__ = ["Physics"]


class Physics:
    """Physics of a scene, off until `start`.

    `simulated` are the names of robots that servos drive; all others follow their drives exactly.
    """

    def __init__(self, context: PhysicsContext) -> None:
        self._context = context
        self.settings: PhysicsSettings | None = None  # None: off
        self.simulated: set[str] = set()
        self._cuts: dict[str, set[str]] = {}  # joints that were cut, by robot
        self._mirror: RoomMirror | None = None
        self._pending: Pending[RoomMirror] | None = None
        self._movers: set[Node] = set()  # seen to move by themselves
        self._fingerprint: list[object] = []
        self._seen = (-1, -1)  # structure and touches of the graph
        self._keys: list[list[object]] = []  # of the newest parts, and of robots
        self._robots: list[object] = []  # the key of simulated ones
        self._watched: list[Node] = []
        self._locals: Array = np.empty((0, 13))
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    @property
    def is_on(self) -> bool:
        """Whether free nodes are simulated."""
        return self.settings is not None

    def start(self, settings: PhysicsSettings | None = None) -> None:
        """Switch physics on; free nodes begin at rest."""
        self.stop()
        self.settings = settings or PhysicsSettings()

    def stop(self) -> None:
        """Switch physics off; everything stays where it is."""
        self.settings, self._mirror, self._pending = None, None, None
        self._movers.clear()
        self._cuts.clear()
        self._watched = []
        self._seen, self._keys, self._fingerprint = (-1, -1), [], []

    def is_simulated(self, node: Node) -> bool:
        """Return whether gravity and contacts move a node, or would if nothing held it."""
        return self.is_on and node.body is not None and node.body.kind == "free"

    def simulate_robot(self, name: str, *, on: bool = True) -> None:
        """Let servos drive a robot, so that weight and contacts act on it; or no longer."""
        robot = self._context.robots[name]
        if on:
            _check_simulated(robot)
        (self.simulated.add if on else self.simulated.discard)(name)
        self._seen = (-1, -1)

    # -- running ----------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile the simulation now, so that the first tick does not wait for it."""
        if self.settings is not None and self._mirror is None:
            self._context.graph.update()  # poses of new nodes are not known before
            self._follow_graph()

    def step(self) -> None:
        """Advance by one tick."""
        if self.settings is None:
            return
        self._context.graph.update()
        self._follow_graph()
        self._swap_if_due()
        if self._mirror is None:
            return
        self._mirror.step(self._context)
        for name in self._mirror.diverged & self.simulated:
            self._context.say(f"{name!r} is not simulated any more; it follows its drive exactly.")
            self.simulate_robot(name, on=False)

    def state(self) -> bytes:
        """Return all that determines what follows; empty when off."""
        if self.settings is None or self._mirror is None:
            return b""
        due = -1 if self._pending is None else self._pending.due
        return self._mirror.state() + due.to_bytes(8, "little", signed=True)

    @property
    def mirror(self) -> RoomMirror | None:
        """The running simulation; None when off, or before the first tick."""
        return self._mirror

    # -- forces and connections -------------------------------------------------------------

    def connect(
        self,
        first: str,
        second: str,
        joint: JointWord = "weld",
        *,
        at: ArrayLike | None = None,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        name: str | None = None,
    ) -> str:
        """Connect two nodes by a joint, from now on; return the name of the connection.

        One of them must be free, or a link of a simulated robot. `at` (default: the origin of the
        first node) and `axis` are in the world.
        """
        from robotix.scene.physics.connecting import make_joint

        mirror, graph = self._running(), self._context.graph
        point = graph[first].world_position if at is None else np.asarray(at, dtype=float)
        made = make_joint(joint, point, np.asarray(axis, dtype=float))
        bodies = [mirror.body_of(graph[each]) for each in (first, second)]
        mirror.room.wake()
        return mirror.room.simulation.connect(bodies[0], bodies[1], made, name=name).name

    def cut(self, name: str) -> None:
        """Cut a connection, now, or a joint of a simulated robot ("robot/joint").

        What hangs on a joint flies free `LATENCY` later, when the simulation without it is
        compiled; until then the joint holds.
        """
        mirror = self._running()
        if name in self.connections:
            mirror.room.wake()
            mirror.room.simulation.cut(name)
            return
        joints = self._joints()
        if name not in joints:
            raise UnknownName("connection or joint", name, [*self.connections, *joints])
        robot, joint = joints[name]
        self._cuts.setdefault(robot, set()).add(joint)
        self._seen = (-1, -1)

    @property
    def connections(self) -> tuple[str, ...]:
        """The names of all connections but those of things that robots carry."""
        from robotix.scene.physics.carrying import is_carried

        if self._mirror is None:
            return ()
        made = self._mirror.room.simulation.connections
        return tuple(each.name for each in made if not is_carried(each.name))

    def _joints(self) -> dict[str, tuple[str, str]]:
        """Return robot and joint of all that can be cut, by name."""
        robots = self._context.robots
        return {
            f"{name}/{joint.name}": (name, joint.name)
            for name in sorted(self.simulated & set(robots))
            for joint in robots[name].model.joints
            if joint.kind != "floating" and joint.name not in self._cuts.get(name, ())
        }

    def push(self, node: str, force: ArrayLike) -> None:
        """Push a free node, or a link of a simulated robot, at its centre of mass.

        The force, in N in the world, acts until it is changed; zero ends it.
        """
        self._running().push(self._context.graph[node], np.asarray(force, dtype=float))

    def end_push(self, node: Node) -> None:
        """End the push of a node, whatever has become of it meanwhile."""
        if self._mirror is not None and node.row >= 0 and self._mirror.knows(node):
            self._mirror.push(node, np.zeros(3))

    def has_touched(self, first: str, second: str) -> bool:
        """Return whether bodies of two branches came within 1 mm in the last tick.

        A thing that bounces off may not touch at the end of any tick. The first question switches
        the observation on, so it is answered with False.
        """
        if self._mirror is None or ANY_NODE in (first, second):
            return False
        self._mirror.room.watch()
        touched = self._mirror.room.touched_names()
        if not touched:
            return False
        graph = self._context.graph
        one, other = ({node.name for node in graph[name].branch()} for name in (first, second))
        return any((a in one and b in other) or (a in other and b in one) for a, b in touched)

    def contact_forces(self) -> dict[tuple[str, str], Array]:
        """Return the mean forces of the last tick between bodies, on the second of two, N.

        The first question switches the measurement on, so it is answered with nothing.
        """
        return {} if self._mirror is None else self._mirror.room.measure_forces().means()

    def link_table(self) -> str:
        """Return all bodies with parent, child, brother and, for connections, real."""
        return str(self._running().room.simulation.link_table())

    def check_on(self) -> None:
        """Raise ValueError unless physics is on."""
        if self.settings is None:
            raise ValueError("this room has no physics; give its file `physics: true`")

    def _running(self) -> RoomMirror:
        self.check_on()
        self.prepare()
        if self._mirror is None:
            raise ValueError("the physics of this room could not be started")
        return self._mirror

    # -- following the graph ----------------------------------------------------------------

    def _follow_graph(self) -> None:
        graph = self._context.graph
        moved = self._new_movers() or bool(self.simulated and self._robots_key() != self._robots)
        changed = self._seen != (graph.structure, graph.touches)
        if not (changed or moved):
            return
        if changed and self._mirror is not None and self._seen[0] != graph.structure:
            self._mirror.follow_rows(self._context)
        self._seen = graph.structure, graph.touches
        self._robots = self._robots_key()
        now = [*fingerprint(graph), *self._robots]
        if self._fingerprint != now or moved:
            self._fingerprint = now
            self._update_parts()

    def _new_movers(self) -> bool:
        """Find nodes that moved by themselves for the first time."""
        graph = self._context.graph
        if not len(self._watched) or self._seen[0] != graph.structure:
            return False
        now = graph.local[self._rows]
        if np.array_equal(now, self._locals):
            return False
        for k in np.flatnonzero((now != self._locals).any(axis=1)).tolist():
            self._movers.add(self._watched[k])
        return True

    def _update_parts(self) -> None:
        """Compile again if the parts of the room have changed."""
        graph, mirror = self._context.graph, self._mirror
        self._movers = {node for node in self._movers if node.row >= 0}
        robots = [robot for name, robot in self._context.robots.items() if name in self.simulated]
        links = {link for robot in robots for link in robot.links.values()}
        parts = collect_parts(graph, self._movers, links)
        self._watch()
        keys = [*(part.key for part in parts), self._robots]
        if keys == self._keys and mirror is not None:
            return
        self._keys = keys
        if self._pending is not None:
            self._keys = []  # compared again when that one is done
            return
        make = self._maker(self._without_faults(parts))
        if mirror is not None:
            ticks = max(1, round(LATENCY / self._context.dt))
            self._pending = Pending(make, due=self._context.tick + ticks)
        else:
            self._exchange(make)

    def _swap_if_due(self) -> None:
        pending = self._pending
        if pending is not None and self._context.tick >= pending.due:
            self._pending = None
            self._exchange(pending.result)
            self._seen, self._fingerprint = (-1, -1), []  # it may have changed meanwhile

    def _exchange(self, make: Callable[[], RoomMirror]) -> None:
        """Let a new simulation take over; if it cannot be made, the old one stays."""
        try:
            new = make()
        except RobotixError as error:
            self._context.fail("physics", error)
            return
        new.begin(self._context, self._mirror)
        self._mirror = new

    def _maker(self, parts: list[Part]) -> Callable[[], RoomMirror]:
        """Return what compiles the parts, without touching the graph."""
        from robotix.scene.physics.room_mirror import RoomMirror

        settings, dt = self.settings, self._context.dt
        assert settings is not None
        self.simulated &= set(self._context.robots)
        robots = [self._simulated_robot(self._context.robots[n]) for n in sorted(self.simulated)]
        return lambda: RoomMirror(parts, robots, settings, dt)

    def _simulated_robot(self, robot: Robot) -> SimulatedRobot:
        """Return what is needed to compile a robot; its servos stay what they are."""
        from robotix.scene.physics.servos import SimulatedRobot

        former = self._mirror.room.robots if self._mirror is not None else ()
        same = [p for p in former if p.name == robot.name and p.model is robot.model]
        servos = same[0].servos if same else None
        cut = frozenset(self._cuts.get(robot.name, ()))
        return SimulatedRobot(robot.name, robot.model, robot.q, robot.node.world_pose, cut, servos)

    def _robots_key(self) -> list[object]:
        """Return what the simulated robots depend on; equal lists mean equal robots."""
        graph, robots = self._context.graph, self._context.robots
        return [
            (name, robot.model, graph.world[robot.node.row].tobytes(), *sorted(cut))
            for name, robot in robots.items()
            if name in self.simulated
            for cut in [self._cuts.get(name, ())]
        ]

    def _without_faults(self, parts: list[Part]) -> list[Part]:
        """Report parts that cannot be free, and leave them static."""
        for part in parts:
            if part.kind == "free" and (fault := free_fault(part.node)):
                part.kind = "static"
                self._context.fail(
                    "physics", ValueError(f"{part.name!r} cannot be free: it {fault}")
                )
        return parts

    def _watch(self) -> None:
        """Remember the poses of nodes that nothing has moved yet."""
        graph = self._context.graph
        self._watched = [
            node
            for node in graph
            if node.parent is not None
            and node not in self._movers
            and (node.robot is None or node.name == node.robot)
            and not (node.body is not None and node.body.kind != "static")
            and has_solids(node)
        ]
        self._rows = np.array([node.row for node in self._watched], dtype=np.int64)
        self._locals = graph.local[self._rows]


def _check_simulated(robot: Robot) -> None:
    """Raise BadField or BadModel if a robot cannot be simulated."""
    from robotix.dynamics.simulation import Mechanism

    if any(each.robot is not None for each in robot.node.ancestors()):
        raise BadField("robot", "one that stands in the room, not on another robot", robot.name)
    Mechanism(robot.name, robot.model)
