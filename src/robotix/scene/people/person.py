"""People in a scene: a manikin, the robot that moves its joints, and its skin."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array, Pose, exp_rotation, log_rotation
from robotix.human import Manikin
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import Contact, contact_positions, sole
from robotix.human.motion.support import level_support
from robotix.kinematics import Posture
from robotix.scene.people.act import Act
from robotix.scene.robots.robot import Robot

if TYPE_CHECKING:
    from robotix.human.skin.binding import SkinBinding
    from robotix.human.skin.skin import Skin

__all__ = ["Balance", "Person", "stance_of"]

STANCE_TOLERANCE, HEADING_TOLERANCE = 1e-3, 2e-3  # m, rad from where an act starts


@dataclass(frozen=True, eq=False)
class Balance:
    """The balance of a person, in the world."""

    com: Array  # (3,), m: centre of mass, including held loads
    polygon: Array  # (n, 3), m: support polygon, at the height of the supporting surface
    margin: float  # m from the projected centre of mass to the edge, positive inside


class Person:
    """A person. The joints are those of `robot`, which has the same name.

    Skin, bones and balance are computed on demand, not in the loop.
    """

    def __init__(self, manikin: Manikin, robot: Robot, *, outfit: int = 0) -> None:
        self.manikin = manikin
        self.outfit = outfit  # how it is dressed: only seen
        self.robot = robot
        self.is_posed = False  # an initial posture was given
        self.acts: dict[Hashable, Act] = {}  # prepared tasks
        self.act: Act | None = None  # the current one, or the last
        self.act_time = 0.0  # s since it started

    @property
    def name(self) -> str:
        """Return the name, also that of the robot and of its node."""
        return self.robot.name

    # -- drawing ----------------------------------------------------------------------------

    @cached_property
    def skin(self) -> Skin:
        """The skinned body; the first access takes some tenths of a second."""
        from robotix.human.skin.skin import make_skin

        return make_skin(self.manikin, outfit=self.outfit)

    @cached_property
    def binding(self) -> SkinBinding:
        """The skin in the form that graphics hardware uses; independent of the posture."""
        from robotix.human.skin.binding import bind_skin

        return bind_skin(self.skin)

    def bones(self) -> Array:
        """Return world_from_rest of every bone now, (k, 4, 4), in the order of the binding."""
        from robotix.human.skin.binding import bone_matrices

        world = self.robot.node.world_pose.matrix
        matrices = bone_matrices(self.skin, self.robot.posture, self.head_and_hands())
        return np.asarray(world @ matrices)

    def head_and_hands(self) -> HeadAndHands:
        """Return what neck and fingers do now, as the current task asks."""
        return HeadAndHands() if self.act is None else self.act.gestures.at(self.act_time)

    # -- standing ---------------------------------------------------------------------------

    def stance(self) -> Pose:
        """Return base_from_stance: the point between the feet, x forwards."""
        return stance_of(self.manikin, self.robot.q)

    def displacement(self) -> Pose:
        """Return the motion of the stance since the base was placed; identity if negligible."""
        if self.act is None:
            return Pose()
        moved = self.stance() @ self.act.stance.inverse()
        angle = float(np.linalg.norm(log_rotation(moved.rotation)))
        is_same = np.linalg.norm(moved.translation) < STANCE_TOLERANCE and angle < HEADING_TOLERANCE
        return Pose() if is_same else moved

    def balance(self) -> Balance:
        """Return the current centre of mass and support."""
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

    # -- acting -----------------------------------------------------------------------------

    def assume_first_posture(self, act: Act) -> None:
        """Assume the first posture of an act, unless an initial posture was given."""
        if not self.is_posed:
            self.robot.set_q(act.performance.motion.q[0])
            self.act = act

    def start_at_stance(self, act: Act) -> None:
        """Move the base to the current stance, so that an act can start there."""
        moved = self.displacement() if self.act is not None else Pose()
        if moved.translation.any() or (moved.rotation != np.eye(3)).any():
            q = self.robot.q.copy()
            q[:6] = _root_in_frame(self.manikin, q[:6], moved)
            self.robot.node.pose = self.robot.node.pose @ moved
            self.robot.set_q(q)
        self.act, self.act_time = act, 0.0


def stance_of(manikin: Manikin, q: Array) -> Pose:
    """Return base_from_stance in a posture: the point between the feet, x forwards."""
    posture = Posture(manikin.model, q)
    feet = [posture.pose(f"{side}_foot") for side in SIDES]
    ahead = np.sum([foot.rotation[:, 0] for foot in feet], axis=0)
    yaw = float(np.arctan2(ahead[1], ahead[0]))
    rotation = exp_rotation(np.array([0.0, 0.0, yaw]))
    return Pose(rotation, np.mean([foot.translation for foot in feet], axis=0))


def _root_in_frame(manikin: Manikin, root: Array, frame: Pose) -> Array:
    """Return the six root coordinates with respect to another base; `frame` is base_from_other."""
    at = manikin.model.bodies[0].placement
    pelvis = at @ Pose(exp_rotation(root[3:]), root[:3])
    seen = at.inverse() @ frame.inverse() @ pelvis
    return np.concatenate([seen.translation, log_rotation(seen.rotation)])
