"""A model at one `q`, forward kinematics done: the type that proves the poses are there."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels import mass as mass_kernels
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.point_location import PointLocation, locate_point
from robotix.model import ControlPoint, Model
from robotix.model.configuration import Configuration, as_configuration

__all__ = ["Posture"]


class Posture:
    """A model at one joint position; every quantity that follows from it is a read away.

    Jacobians map `dq` to velocities in the base frame, linear rows first. Read-only.

    Examples:
        >>> posture = rx.Posture(rx.load("planar_3r"), [0.0, 0.5, 0.5])
        >>> posture.jacobian().shape
        (6, 3)
    """

    def __init__(self, model: Model, q: Configuration | None = None) -> None:
        """Run forward kinematics at `q` (neutral when None).

        A mapping gives some joints by name; the others are neutral.
        """
        value = as_configuration(model, q)
        self.model = model
        self.q = value
        self._tables = tables_of(model)
        self.world = np.empty((self._tables.n_links + 1, 12))
        self.world[-1] = IDENTITY_ROW
        self.columns = np.empty((self._tables.n_columns, 6))
        t = self._tables
        kernels.forward(t.link_ints, t.link_floats, t.pieces, value, self.world, self.columns)
        value.flags.writeable = False

    def __repr__(self) -> str:
        return f"Posture({self.model.name!r}, {np.array2string(self.q, precision=4)})"

    # -- poses ------------------------------------------------------------------------------

    def _row(self, located: PointLocation) -> Array:
        row = np.empty(12)
        kernels.put_point_pose(self.world, located.link, located.offset, row)
        return row

    def pose(self, point: str | ControlPoint | None = None) -> Pose:
        """Return base_from_point of a control point or body (the tip when None)."""
        row = self._row(locate_point(self.model, point))
        return Pose(row[:9].reshape(3, 3), row[9:])

    def position(self, point: str | ControlPoint | None = None) -> Array:
        """Position of a control point or body in the base frame, (3,)."""
        return self._row(locate_point(self.model, point))[9:].copy()

    @cached_property
    def body_poses(self) -> Array:
        """Pose of every body: rotation row-major, then position, (n_bodies, 12)."""
        out = np.empty((len(self.model.bodies), 12))
        kernels.put_body_poses(self.world, self._tables.body_link, self._tables.body_offset, out)
        return out

    # -- Jacobians --------------------------------------------------------------------------

    def jacobian(
        self,
        point: str | ControlPoint | None = None,
        *,
        frame: Literal["base", "point"] = "base",
    ) -> Array:
        """Geometric Jacobian (6, n_dof) of a control point: linear, then angular velocity.

        `frame` "base" gives velocities along the base's axes, "point" along the point's own (the
        body Jacobian).
        """
        if frame == "point":
            turn = self.pose(point).rotation.T
            J = self.jacobian(point)
            return np.concatenate([turn @ J[:3], turn @ J[3:]])
        if frame != "base":
            raise BadField("frame", "'base' or 'point'", repr(frame))
        located = locate_point(self.model, point)
        x, y, z = self._row(located)[9:]
        t = self._tables
        J = np.zeros((6, t.n_dof))
        kernels.add_jacobian(
            self.columns, t.column_dof, t.column_ratio, located.support, x, y, z, 1.0, J
        )
        return J

    def jacobian_rate(self, dq: Configuration, point: str | ControlPoint | None = None) -> Array:
        """Time derivative (6, n_dof) of that Jacobian while the joints move with `dq`."""
        t, rate = (
            self._tables,
            _rates(self.model, dq),
        )
        located = locate_point(self.model, point)
        at = self._row(located)[9:].copy()
        velocity = (self.jacobian(point) @ rate)[:3]
        twists, rates = np.zeros((t.n_links + 1, 6)), np.empty((t.n_columns, 6))
        kernels.column_rates(
            t.link_ints, t.link_floats, t.column_ratio, t.pieces, self.q, rate, self.world,
            self.columns, twists, rates,
        )  # fmt: skip
        J = np.zeros((6, t.n_dof))
        kernels.add_jacobian_rate(
            self.columns, rates, t.column_dof, t.column_ratio, located.support, at, velocity, J
        )
        return J

    # -- masses -----------------------------------------------------------------------------

    @cached_property
    def _moments(self) -> Array:
        t = self._tables
        moments = np.empty((t.n_links, 4))
        mass_kernels.subtree_moments(t.link_ints, t.link_floats, self.world, moments)
        return moments

    @cached_property
    def com(self) -> Array:
        """Centre of mass in the base frame, (3,)."""
        com = np.empty(3)
        mass_kernels.centre_of_mass(
            self._tables.link_ints, self._tables.fixed_mass, self._moments, com
        )
        return com

    @cached_property
    def com_jacobian(self) -> Array:
        """Jacobian of the centre of mass, (3, n_dof)."""
        t, com = self._tables, np.empty(3)
        mass = mass_kernels.centre_of_mass(t.link_ints, t.fixed_mass, self._moments, com)
        J = np.zeros((3, t.n_dof))
        mass_kernels.add_com_jacobian(
            self.columns, t.column_dof, t.column_ratio, t.column_link, self._moments, mass, 1.0, J
        )
        return J

    @cached_property
    def gravity_torques(self) -> Array:
        """Efforts that hold the masses against gravity, (n_dof,)."""
        t, tau = self._tables, np.zeros(self._tables.n_dof)
        mass_kernels.add_gravity_torques(
            self.columns,
            t.column_dof,
            t.column_ratio,
            t.column_link,
            self._moments,
            t.gravity,
            tau,
        )
        return tau

    @cached_property
    def mass_matrix(self) -> Array:
        """Joint-space inertia matrix, (n_dof, n_dof); drives add their armature to its diagonal."""
        t = self._tables
        inertias, M = np.empty((t.n_links, 10)), np.diag(t.armature)
        mass_kernels.composite_inertias(t.link_ints, t.link_floats, self.world, inertias)
        mass_kernels.add_mass_matrix(
            self.columns, t.column_dof, t.column_ratio, t.column_link, t.support_start, t.support,
            inertias, M,
        )  # fmt: skip
        return M

    # -- moving on --------------------------------------------------------------------------

    def moved(self, dq: Configuration) -> Posture:
        """Return the posture after moving with `dq` for unit time."""
        step, q = (
            _rates(self.model, dq),
            np.empty_like(self.q),
        )
        kernels.integrate(self._tables.link_ints, np.array(self.q), step, 1.0, q)
        return Posture(self.model, q)

    def velocity_to(self, q: Configuration) -> Array:
        """Return the `dq` that leads from here to `q` in unit time."""
        out = np.empty_like(self.q)
        goal = as_configuration(self.model, q, rest=self.q)
        kernels.difference(self._tables.link_ints, np.array(self.q), goal, out)
        return out


def _rates(model: Model, dq: Configuration) -> Array:
    """Return joint velocities (n_dof,); joints that a mapping does not name stand still."""
    return as_configuration(model, dq, what="dq", rest=np.zeros(model.n_dof))


IDENTITY_ROW = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0])
