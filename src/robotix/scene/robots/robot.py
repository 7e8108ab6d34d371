"""Robots in the room: a model, its joints now, and what drives them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics import Posture, Solver
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.tables import finite_rates, tables_of
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.posture import IDENTITY_ROW
from robotix.model import Model
from robotix.motion import Motion as Path
from robotix.motion import model_dofs
from robotix.scene.events.events import EndOfStroke, Event, RobotMoves, Signal
from robotix.scene.graph.graph_kernels import seat_bodies
from robotix.scene.graph.node import Node
from robotix.scene.robots.drives import Drive, HoldPosture, JointMove, Law, Nudge, PathPlay, Reach
from robotix.scene.robots.ellipsoid import EllipsoidView
from robotix.scene.robots.obstacles import ObstacleAvoidance
from robotix.scene.robots.robot_kernels import (
    MOVED,
    STOPPED_OR_LEFT,
    WRONG,
    place_bodies,
    stops,
    take_step,
)
from robotix.scene.robots.solvers import RobotSolvers
from robotix.scene.robots.sub_chain import SubChain, chain_part
from robotix.scene.robots.tracking import Tracking, TrackOptions

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Drive", "Robot"]

STEPS = 100  # ticks of a move when nobody says otherwise


class Robot:
    """A branch of the graph: the bodies of a model, its control points. It moves only when driven.

    Whatever its drive asks for, joints stay within their limits and rates, numbers finite, and the
    robot clear of the obstacles it was told of. Accelerations, where the model limits them, are
    kept by the drives themselves; stopping, and keeping clear, come first.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        scene: Scene,
        *,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> None:
        """Put the robot into the scene's graph; `Scene.add_robot` does the rest."""
        self.name = name
        self.model = model
        self.scene = scene
        self.dt = scene.dt
        self.q: Array = model.neutral.copy()
        self.home = self.q  # where it was when the room was set up
        self.dq: Array = np.zeros(model.n_dof)
        self.drive: Drive | None = None
        self.steps = STEPS  # default duration of a move, in ticks
        self.config = ""  # the file it was read from
        self.stroke_signal = ""  # follows whether a joint is at its end
        self.motion_signal = ""  # follows whether the robot moves
        self.remembered: Array | None = None  # a posture to come back to
        self.track_options = TrackOptions()
        self.tracking: Tracking | None = None
        self.keeping: ObstacleAvoidance | None = None
        self.ellipsoid = EllipsoidView(self)
        self.part: SubChain = chain_part(model)
        self._tip = locate_point(model, self.part.point)
        self.solvers = RobotSolvers(self)
        self._is_moving = False
        self._add_nodes(pose, parent)
        self._lay_out()
        self.set_q(model.neutral)

    def _add_nodes(self, pose: Pose | None, parent: Node | str | None) -> None:
        """Add the whole branch, or nothing."""
        graph = self.scene.graph
        self.node = graph.add(self.name, parent=parent, pose=pose, robot=self.name)
        self.links: dict[str, Node] = {}
        try:
            self._check_size()
            for body in self.model.bodies:
                above = self.links[body.parent] if body.parent else self.node
                self.links[body.name] = graph.add(
                    f"{self.name}/{body.name}", parent=above, solids=body.collision,
                    visuals=body.visuals, robot=self.name,
                )  # fmt: skip
            for name, point in self.model.points.items():  # a tool can stand on `arm/flange`
                if name not in self.links:
                    where, on = f"{self.name}/{name}", self.links[point.body]
                    graph.add(where, parent=on, pose=point.pose, robot=self.name)
        except ValueError:
            graph.remove(self.node, with_robots=True)
            raise

    def _check_size(self) -> None:
        """Refuse a place where a metre of the model is not one of the room."""
        above = tuple(self.node.ancestors())
        size = math.prod(node.scale for node in above)
        if not math.isclose(size, 1.0, rel_tol=1e-9):
            raise ValueError(
                "a robot stands on something of scale 1, as its model is in metres (scale the "
                f"shapes there instead), got {above[0].name!r} of scale {size:g}"
            )

    def _lay_out(self) -> None:
        """Make room for what every tick computes."""
        model, t = self.model, tables_of(self.model)
        self._tables = t
        self._lower, self._upper = np.array(model.lower), np.array(model.upper)
        self._room = finite_rates(model.velocity, self.dt) * self.dt
        self._world = np.empty((t.n_links + 1, 12))
        self._world[-1] = IDENTITY_ROW
        self._columns = np.empty((t.n_columns, 6))
        self._poses = np.empty((len(model.bodies), 12))
        self._at_stop = np.zeros(model.n_dof, dtype=np.bool_)
        self._told = self._at_stop.copy()  # what rules were told
        self._rests = self._at_stop.copy()  # put at an end, not driven there
        self._joints = tuple(j.name for j in model.joints for _ in j.dof_names)
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._structure = -1
        self._parents = np.array(
            [model.body_index(b.parent) if b.parent else -1 for b in model.bodies], dtype=np.int64
        )
        self._tip_row = np.empty(12)

    # -- commands ---------------------------------------------------------------------------

    def move(
        self, goal: Sequence[float | None], *, steps: int | None = None, law: Law = "minimum_jerk"
    ) -> Drive:
        """Go to a posture in so many ticks; None keeps a joint where it is."""
        self.drive = JointMove(self, goal, steps=self.steps if steps is None else steps, law=law)
        return self.drive

    def move_xyz(self, target: ArrayLike, *, steps: int | None = None) -> Drive:
        """Bring the end-effector to a place in the world."""
        self.drive = Reach(self, target, steps=self.steps if steps is None else steps)
        return self.drive

    def nudge(self, by: ArrayLike) -> Drive:
        """Move the joints by an increment; while one is under way, another adds to it."""
        self.drive = Nudge(self, by)
        return self.drive

    def play(
        self, path: Path, *, loop: bool = False, speed: float = 1.0, timed: bool = False
    ) -> Drive:
        """Go through the postures of a motion; `timed` keeps its own times."""
        self.drive = PathPlay(self, path, steps=self.steps, loop=loop, speed=speed, timed=timed)
        return self.drive

    def hold(self) -> Drive:
        """Stay, but give way to obstacles that come; a robot that is only stopped does not."""
        self.drive = HoldPosture(self)
        return self.drive

    def stop(self) -> None:
        """Stop at once, and stay."""
        self.drive = None
        self.dq = np.zeros(self.model.n_dof)

    def keep_clear(self, node: Node | str, distance: float) -> None:
        """Keep this distance, in m, from a node and all below it, whatever drives the robot."""
        keeping = self.keeping or ObstacleAvoidance(self)
        keeping.add(node if isinstance(node, str) else node.name, distance)
        self.keeping = keeping
        self.solvers.clear()

    def set_part(self, *, first: int | None = None, last: int | None = None) -> None:
        """Choose the joints that inverse kinematics may use, counted from 1; all for None.

        A robot on its way stops: it was on the way of another point.
        """
        self.part = chain_part(self.model, first=first, last=last)
        self._tip = locate_point(self.model, self.part.point)
        self.solvers.clear()
        self.stop()
        self.ellipsoid.follow()

    def set_q(self, q: ArrayLike) -> None:
        """Put the joints somewhere at once, within their limits; for setting up, not for moving."""
        wish = self.checked(q, what="q")
        self.q = np.clip(wish, self._lower, self._upper)
        if not self.scene.tick:
            self.home = self.q
        self.stop()
        for j in range(self.model.n_dof):
            self._at_stop[j] = stops(self.q[j], self._lower[j], self._upper[j])
        self._told[:] = self._rests[:] = self._at_stop
        self.seat()

    # -- looking ----------------------------------------------------------------------------

    @property
    def posture(self) -> Posture:
        """The present posture, in the robot's base frame."""
        return Posture(self.model, self.q)

    @property
    def is_moving(self) -> bool:
        """Whether it moved in the last tick."""
        return self._is_moving

    @property
    def at_stop(self) -> NDArray[np.bool_]:
        """Which joints are at an end of their range."""
        return self._at_stop

    def describe(self) -> str:
        """Return the posture in words, angles in degrees."""
        values = (
            f"{name} {value:.4f} m" if unit == "m" else f"{name} {math.degrees(value):.2f}°"
            for (name, unit), value in zip(model_dofs(self.model), self.q.tolist(), strict=True)
        )
        return f"{self.name}: {', '.join(values)}"

    def tip_row(self) -> Array:
        """Return base_from_end-effector: rotation row-major, then position; good for this tick."""
        kernels.put_point_pose(self._world, self._tip.link, self._tip.offset, self._tip_row)
        return self._tip_row

    def tip_jacobian(self) -> Array:
        """Return the Jacobian of the end-effector in the base frame, (6, n_dof)."""
        t, (x, y, z) = self._tables, self.tip_row()[9:]
        J = np.zeros((6, t.n_dof))
        kernels.add_jacobian(
            self._columns, t.column_dof, t.column_ratio, self._tip.support, x, y, z, 1.0, J
        )
        return J

    def tip_in_world(self) -> Array:
        """Return where the end-effector is in the world, (3,)."""
        row = self._base_row()
        return np.asarray(row[9:12] + row[12] * (row[:9].reshape(3, 3) @ self.tip_row()[9:]))

    def in_base(self, point: Array) -> Array:
        """Return a point of the world in the robot's base frame."""
        row = self._base_row()
        return np.asarray((point - row[9:12]) @ row[:9].reshape(3, 3) / row[12])

    def base_rotation(self) -> Array:
        """Return the rotation of the base in the world, (3, 3)."""
        return self._base_row()[:9].reshape(3, 3)

    def _base_row(self) -> Array:
        graph = self.scene.graph
        graph.update()
        return np.asarray(graph.world[self.node.row])

    def checked(self, values: ArrayLike, *, what: str) -> Array:
        """Return one finite number a joint, or refuse."""
        numbers = np.array(values, dtype=float)
        if numbers.shape != (self.model.n_dof,) or not np.isfinite(numbers).all():
            raise ValueError(
                f"{what} of {self.name} is {self.model.n_dof} finite numbers, got {values!r}"
            )
        return numbers

    def say(self, text: str) -> None:
        """Tell the people in the room something about this robot."""
        self.scene.say(f"{self.name}: {text}")

    # -- inverse kinematics, for drives -----------------------------------------------------

    def solver(self, kind: Literal["point", "pose"]) -> Solver:
        """Return the solver that brings the end-effector to a point or pose; write its target."""
        return self.solvers.get(kind)

    def solve(self, solver: Solver) -> Array:
        """Return the solver's next posture from here, clear of obstacles."""
        if self.keeping is not None:
            return self.keeping.step(solver)
        solver.q[:] = self.q
        solver.dq[:] = self.dq
        solver.tick()
        return solver.q

    # -- running ----------------------------------------------------------------------------

    def step(self) -> Sequence[Event]:
        """Move by one tick; return what happened to the joints."""
        if self.drive is None and not self._is_moving:
            return ()
        wish = self._wish()
        happened = 0
        if wish is not None:
            next_q, dq = np.empty_like(self.q), np.empty_like(self.q)
            happened = take_step(
                self.q, wish, self._lower, self._upper, self._room, self.dt,
                self._tables.link_ints, next_q, dq, self._at_stop,
            )  # fmt: skip
            self.q, self.dq = next_q, dq
        if happened & MOVED:
            self.seat()
        events: list[Event] = self._strokes() if happened & STOPPED_OR_LEFT else []
        if happened & WRONG:
            self._fail(ValueError("its drive asked for a posture that is no number"))
        if bool(happened & MOVED) != self._is_moving:
            self._is_moving = not self._is_moving
            events.append(Event(RobotMoves(self.name), self._is_moving))
            if self.motion_signal:
                events.append(Event(Signal(self.motion_signal), self._is_moving))
        return events

    def _wish(self) -> Array | None:
        """Return where the drive wants the joints, clear of obstacles; None stops the robot."""
        drive = self.drive
        try:
            if self.keeping is not None:
                self.keeping.look()
            wish = None if drive is None else drive.next(self)
            if wish is None:
                if self.drive is drive:  # it may have handed over to another
                    self.stop()
                return None
            wish = np.asarray(wish, dtype=float)
            if wish.shape != self.q.shape:
                raise ValueError(f"{self.model.n_dof} joints, but a posture of {wish.shape}")
            return wish if self.keeping is None else self.keeping.keep(wish)
        except Exception as error:  # whatever a drive does wrong, the room goes on
            self._fail(error)
            return None

    def _fail(self, error: Exception) -> None:
        self.stop()
        self.scene.fail(f"robot {self.name}", error)

    def _strokes(self) -> list[Event]:
        """Return which joints came to their ends or left them, and the same for any of them.

        A joint that was put at its end, as by a posture to start from, counts once it has left it.
        """
        changed = np.flatnonzero(self._at_stop != self._told).tolist()
        events = [
            Event(EndOfStroke(self.name, self._joints[j]), bool(self._at_stop[j])) for j in changed
        ]
        was_any = bool((self._told & ~self._rests).any())
        self._told[:] = self._at_stop
        self._rests &= self._at_stop
        is_any = bool((self._at_stop & ~self._rests).any())
        if is_any != was_any:
            events.append(Event(EndOfStroke(self.name), is_any))
            if self.stroke_signal:
                events.append(Event(Signal(self.stroke_signal), is_any))
        return events

    def seat(self) -> None:
        """Write the places of the bodies into the graph."""
        graph, t = self.scene.graph, self._tables
        if self._structure != graph.structure:
            self._rows = np.array([node.row for node in self.links.values()], dtype=np.int64)
            self._structure = graph.structure
        place_bodies(
            t.link_ints, t.link_floats, t.pieces, self.q, self._world, self._columns, t.body_link,
            t.body_offset, self._poses,
        )  # fmt: skip
        seat_bodies(self._poses, self._parents, self._rows, graph.local)
        graph.moved()
        self.ellipsoid.follow()
