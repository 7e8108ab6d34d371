"""The kinematic state of a robot: its joint positions, and its bodies in the scene graph."""

from __future__ import annotations

import math
from operator import itemgetter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.posture import IDENTITY_ROW
from robotix.model import ControlPoint, Model
from robotix.motion import model_dofs
from robotix.scene.events.context import RobotContext
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.graph.graph_kernels import seat_bodies
from robotix.scene.robots.robot_kernels import place_bodies
from robotix.scene.robots.sub_chain import SubChain, make_sub_chain

__all__ = ["KinematicState", "owned_array"]

_FLOAT = np.dtype(float)


class KinematicState:
    """A branch of the graph: a node for the robot, and below it one per body and control point.

    `q` and `dq` are replaced as wholes, never written into.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        context: RobotContext,
        *,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> None:
        """Add the nodes `name`, `name/body` and `name/point` to the graph of the context."""
        self.name = name
        self.model = model
        self.context = context
        self.dt = context.dt
        self.q: Array = model.neutral.copy()  # (n_dof,)
        self.dq: Array = np.zeros(model.n_dof)  # (n_dof,), rad/s or m/s
        self.detached: dict[str, Pose] = {}  # base_from_body where a joint was cut, by body
        self.chain: SubChain = make_sub_chain(model)  # of inverse kinematics
        self._tip = locate_point(model, self.chain.point)
        self.node, self.links = _add_nodes(context.graph, name, model, pose=pose, parent=parent)
        self._allocate()

    def _allocate(self) -> None:
        """Allocate the arrays that every tick writes."""
        model, t = self.model, tables_of(self.model)
        self._tables = t
        self._world = np.empty((t.n_links + 1, 12))
        self._world[-1] = IDENTITY_ROW
        self._columns = np.empty((t.n_columns, 6))
        self._poses = np.empty((len(model.bodies), 12))
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._structure = -1  # of the graph, when `_rows` was read
        self._parents = np.array(
            [model.body_index(b.parent) if b.parent else -1 for b in model.bodies], dtype=np.int64
        )
        self._tip_row = np.empty(12)

    def set_chain(
        self,
        *,
        first: int | None = None,
        last: int | None = None,
        point: ControlPoint | None = None,
    ) -> None:
        """Choose the joints that inverse kinematics may move, counted from 1; all for None.

        They move the end of the last one, or a `point` of the robot.
        """
        self.chain = make_sub_chain(self.model, first=first, last=last, point=point)
        self._tip = locate_point(self.model, self.chain.point)

    def update_nodes(self) -> None:
        """Write the poses of the bodies at `q` into the graph."""
        graph, t = self.context.graph, self._tables
        if self._structure != graph.structure:
            self._rows = np.array([node.row for node in self.links.values()], dtype=np.int64)
            self._structure = graph.structure
        place_bodies(
            t.link_ints, t.link_floats, t.pieces, self.q, self._world, self._columns, t.body_link,
            t.body_offset, self._poses,
        )  # fmt: skip
        if self.detached:
            self._place_detached()
        seat_bodies(self._poses, self._parents, self._rows, graph.local)
        graph.mark_moved()

    def _place_detached(self) -> None:
        """Move branches whose joints were cut to where they are."""
        poses, numbers = self._poses, map(self.model.body_index, self.detached)
        for k, now in sorted(zip(numbers, self.detached.values(), strict=True), key=itemgetter(0)):
            branch = self._branch(k)
            then = Pose(poses[k, :9].reshape(3, 3), poses[k, 9:])
            shift = now @ then.inverse()
            turned = shift.rotation @ poses[branch, :9].reshape(-1, 3, 3)
            poses[branch, :9] = turned.reshape(-1, 9)
            poses[branch, 9:] = poses[branch, 9:] @ shift.rotation.T + shift.translation

    def _branch(self, body: int) -> list[int]:
        """Return the numbers of a body and of all that hang on it."""
        found = {body}
        for k, above in enumerate(self._parents.tolist()):  # parents come first
            if above in found:
                found.add(k)
        return sorted(found)

    # -- reading ----------------------------------------------------------------------------

    @property
    def posture(self) -> Posture:
        """The current posture, in the robot's base frame."""
        return Posture(self.model, self.q)

    def describe(self) -> str:
        """Return the joint positions as text, angles in degrees."""
        values = (
            f"{name} {value:.4f} m" if unit == "m" else f"{name} {math.degrees(value):.2f}°"
            for (name, unit), value in zip(model_dofs(self.model), self.q.tolist(), strict=True)
        )
        return f"{self.name}: {', '.join(values)}"

    def tip_row(self) -> Array:
        """Return base_from_tip: rotation row-major, then position, (12,); valid for this tick."""
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

    def tip_position(self) -> Array:
        """Return the position of the end-effector in the world, (3,)."""
        row = self._base_row()
        return np.asarray(row[9:12] + row[12] * (row[:9].reshape(3, 3) @ self.tip_row()[9:]))

    def in_base(self, point: Array) -> Array:
        """Transform a point from the world to the robot's base frame, (3,)."""
        row = self._base_row()
        return np.asarray((point - row[9:12]) @ row[:9].reshape(3, 3) / row[12])

    def base_rotation(self) -> Array:
        """Return the rotation of the base in the world, (3, 3)."""
        return self._base_row()[:9].reshape(3, 3)

    def _base_row(self) -> Array:
        graph = self.context.graph
        graph.update()
        return np.asarray(graph.world[self.node.row])

    def joint_values(self, values: ArrayLike, *, what: str) -> Array:
        """Return an array of one finite number per joint, (n_dof,); raise ValueError otherwise."""
        numbers = np.array(values, dtype=float)
        if numbers.shape != (self.model.n_dof,) or not np.isfinite(numbers).all():
            raise ValueError(
                f"{what} of {self.name} is {self.model.n_dof} finite numbers, got {values!r}"
            )
        return numbers

    def say(self, text: str) -> None:
        """Show the users a text about this robot."""
        self.context.say(f"{self.name}: {text}")


def _add_nodes(
    graph: Graph, name: str, model: Model, *, pose: Pose | None, parent: Node | str | None
) -> tuple[Node, dict[str, Node]]:
    """Add the whole branch of a robot, or nothing; return its root and the nodes of its bodies."""
    root = graph.add(name, parent=parent, pose=pose, robot=name)
    links: dict[str, Node] = {}
    try:
        _check_scale(root)
        for body in model.bodies:
            above = links[body.parent] if body.parent else root
            links[body.name] = graph.add(
                f"{name}/{body.name}", parent=above, solids=body.collision, visuals=body.visuals,
                robot=name,
            )  # fmt: skip
        for point_name, point in model.points.items():  # a tool can be mounted on `arm/flange`
            if point_name not in links:
                where, on = f"{name}/{point_name}", links[point.body]
                graph.add(where, parent=on, pose=point.pose, robot=name)
    except ValueError:
        graph.remove(root, with_robots=True)
        raise
    return root, links


def _check_scale(root: Node) -> None:
    """Raise BadField unless a metre of the model is a metre of the world."""
    above = tuple(root.ancestors())
    size = math.prod(node.scale for node in above)
    if not math.isclose(size, 1.0, rel_tol=1e-9):
        raise BadField(
            "parent",
            "of scale 1, as the robot's model is in metres (scale the shapes there instead)",
            f"{above[0].name!r} of scale {size:g}",
        )


def owned_array(values: ArrayLike) -> Array:
    """Return an array that is contiguous and writable: kernels are compiled for no other kind."""
    if type(values) is np.ndarray and values.dtype == _FLOAT and values.flags.carray:
        return values  # the usual case; `require` takes ten times as long to see it
    return np.require(values, float, ["C", "A", "W"])
