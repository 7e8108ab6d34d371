"""People in the room: a body, the robot that its joints are, and what draws it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array, Pose, exp_rotation, log_rotation
from robotix.human import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import Contact, contact_positions, sole
from robotix.human.motion.support import level_support
from robotix.kinematics import Posture

if TYPE_CHECKING:
    from robotix.human.skin.binding import SkinBinding
    from robotix.human.skin.skin import Skin
    from robotix.scene.people.acts import Act
    from robotix.scene.robots.robot import Robot

__all__ = ["Balance", "Person", "stance_of"]

SAME_PLACE, SAME_HEADING = 1e-3, 2e-3  # m, rad: so far the feet may be from where an act begins


@dataclass(frozen=True, eq=False)
class Balance:
    """How a person stands now, in the world."""

    com: Array  # (3,), m: the centre of mass, with what the hands hold
    polygon: Array  # (n, 3), m: the support, seen from above, at the height of what bears
    margin: float  # m: how far inside the centre of mass is


class Person:
    """Somebody in the room. The joints are those of `robot`, which has the same name.

    Nothing here costs anything in the loop: skin, bones and balance are worked out when asked for.
    """

    def __init__(self, manikin: Manikin, robot: Robot) -> None:
        self.manikin = manikin
        self.robot = robot
        self.is_posed = False  # somebody said how it stands before its first act
        self.acts: dict[Hashable, Act] = {}  # what was prepared
        self.act: Act | None = None  # the one going on, or the last
        self.act_time = 0.0  # s since it began

    @property
    def name(self) -> str:
        """Return the name, also that of the robot and of its node."""
        return self.robot.name

    # -- for those who draw -----------------------------------------------------------------

    @cached_property
    def skin(self) -> Skin:
        """The skinned body; made when first asked for, which takes some tenths of a second."""
        from robotix.human.skin.skin import make_skin

        return make_skin(self.manikin)

    @cached_property
    def binding(self) -> SkinBinding:
        """The skin as graphics hardware takes it: sent once, whatever the posture."""
        from robotix.human.skin.binding import bind_skin

        return bind_skin(self.skin)

    def bones(self) -> Array:
        """Return world_from_rest of every bone now, (k, 4, 4), in the order of the binding."""
        from robotix.human.skin.binding import bone_matrices

        world = self.robot.node.world_pose.matrix
        return np.asarray(world @ bone_matrices(self.skin, self.robot.posture))

    # -- how it stands ----------------------------------------------------------------------

    def stance(self) -> Pose:
        """Return base_from_stance: between the feet, x where they point."""
        return stance_of(self.manikin, self.robot.q)

    def way(self) -> Pose:
        """Return where the stance has gone since the base was put where it is."""
        if self.act is None:
            return Pose()
        way = self.stance() @ self.act.stance.inverse()
        turned = float(np.linalg.norm(log_rotation(way.rotation)))
        is_there = np.linalg.norm(way.translation) < SAME_PLACE and turned < SAME_HEADING
        return Pose() if is_there else way

    def balance(self) -> Balance:
        """Return the centre of mass and the support, as they are now."""
        act, time = self.act, self.act_time
        model, contacts = self.manikin.model, self._soles
        if act is not None:
            performance = act.performance
            span = performance.span_at(time)
            model, contacts = performance.model_with(span.loads), span.contacts
        posture, world = Posture(model, self.robot.q), self.robot.node.world_pose
        com = world.apply(posture.com)
        return Balance(com, *level_support(world.apply(contact_positions(posture, contacts)), com))

    @cached_property
    def _soles(self) -> tuple[Contact, ...]:
        return tuple(sole(self.manikin, side) for side in SIDES)

    # -- where it is ------------------------------------------------------------------------

    def begin_ready(self, act: Act) -> None:
        """Take up the first posture of an act at once, unless somebody said another."""
        if not self.is_posed:
            self.robot.set_q(act.performance.motion.q[0])
            self.act = act

    def begin_at_stance(self, act: Act) -> None:
        """Bring the base to where the person stands now, so that an act can begin there."""
        gone = self.way() if self.act is not None else Pose()
        if gone.translation.any() or (gone.rotation != np.eye(3)).any():
            q = self.robot.q.copy()
            q[:6] = _root_seen_from(self.manikin, q[:6], gone)
            self.robot.node.pose = self.robot.node.pose @ gone
            self.robot.set_q(q)
        self.act, self.act_time = act, 0.0


def stance_of(manikin: Manikin, q: Array) -> Pose:
    """Return base_from_stance in a posture: between the feet, x where they point."""
    posture = Posture(manikin.model, q)
    feet = [posture.pose(f"{side}_foot") for side in SIDES]
    ahead = np.sum([foot.rotation[:, 0] for foot in feet], axis=0)
    yaw = float(np.arctan2(ahead[1], ahead[0]))
    turn = exp_rotation(np.array([0.0, 0.0, yaw]))
    return Pose(turn, np.mean([foot.translation for foot in feet], axis=0))


def _root_seen_from(manikin: Manikin, root: Array, frame: Pose) -> Array:
    """Return the root's six coordinates, seen from another base: `frame` is base_from_other."""
    at = manikin.model.bodies[0].placement
    pelvis = at @ Pose(exp_rotation(root[3:]), root[:3])
    seen = at.inverse() @ frame.inverse() @ pelvis
    return np.concatenate([seen.translation, log_rotation(seen.rotation)])
