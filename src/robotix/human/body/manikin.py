"""The manikin: a body's measures made into a model of 39 coordinates.

`q` is the root (6), the right leg (7), the left leg (7), the back (5), the right arm (7) and the
left arm (7). The root is the pelvis, its frame in the middle of the hips; its six coordinates are
those of a floating joint, counted from where the pelvis is while the body stands. So `q = 0` stands
upright on the floor z = 0: arms down, palms facing the thighs, feet flat, x forward, y left. The
axes of every body are then those of the base frame.

The bodies of the segments are `pelvis`, `lumbar`, `thorax`, `head_segment` and, with `right_` or
`left_` before it, `thigh`, `shank`, `foot_segment`, `toes`, `upper_arm`, `forearm`, `hand_segment`;
their frames are at their upper joints. Where several axes meet, bodies without mass lie between the
joints, named after them. The head with the neck is fixed to the thorax: the 39 coordinates leave
no joint for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose, Shape
from robotix.human.body.anthropometry import Anthropometry
from robotix.human.body.collision_shapes import make_collision_shapes
from robotix.human.body.joints import JointRow, load_human_file
from robotix.human.body.landmarks import (
    BALL,
    HEEL,
    TOE_TIP,
    control_points,
    joint_centres,
    origin_of,
    segment_body,
)
from robotix.human.body.segments import segment_masses
from robotix.human.body.skeleton import SIDES, Side, Skeleton, make_skeleton
from robotix.human.body.slab import LumpedMass
from robotix.model import Body, ControlPoint, Joint, Model, Visual

if TYPE_CHECKING:
    from robotix.kinematics import Posture

__all__ = ["GROUPS", "Manikin", "make_manikin", "mirrored"]

GROUPS: Mapping[str, slice] = {
    "root": slice(0, 6),
    "right_leg": slice(6, 13),
    "left_leg": slice(13, 20),
    "back": slice(20, 25),
    "right_arm": slice(25, 32),
    "left_arm": slice(32, 39),
}
_BARE_SEGMENTS = ("head", "hand", "forearm")
_SKIN, _CLOTH, _SHOE = (0.85, 0.66, 0.55, 1.0), (0.30, 0.42, 0.58, 1.0), (0.20, 0.20, 0.22, 1.0)


@dataclass(frozen=True, eq=False)
class Manikin:
    """A body and its model.

    To let it carry something, replace the model by `model.with_payload(…, at="right_hand")`.

    Examples:
        >>> woman = rx.make_manikin(rx.make_anthropometry(sex="f", stature=1.65))
        >>> woman.model.n_dof
        39
    """

    anthropometry: Anthropometry
    model: Model
    skeleton: Skeleton  # joint centres and landmarks at `q = 0`, in the base frame
    centres: Mapping[str, ControlPoint]  # of the joints, on the bodies they belong to

    @cached_property
    def relaxed(self) -> Array:
        """Relaxed standing posture, (n_dof,): arms clear of the thighs, elbows slightly bent."""
        q, angles = np.zeros(self.model.n_dof), load_human_file().relaxed
        for dof, name in enumerate(self.model.dof_names):
            side, _, rest = name.partition("_")
            q[dof] = angles.get(rest if side in SIDES else name, 0.0)
        q.flags.writeable = False
        return q

    def joint_centres(self, posture: Posture) -> dict[str, Array]:
        """Return the positions of the joint centres: `l5s1`, `right_knee`, `neck`, `crown`, …."""
        return {name: posture.position(point) for name, point in self.centres.items()}

    def support_points(self, side: Side) -> tuple[str, ...]:
        """Return the control points under heel and ball of a foot, in order around it."""
        return tuple(f"{side}_{name}" for name in (*HEEL, *BALL))

    def toe_points(self, side: Side) -> tuple[str, ...]:
        """Return the control points under the ends of the toes, which move with their joint."""
        return tuple(f"{side}_{name}" for name in TOE_TIP)


def make_manikin(anthropometry: Anthropometry) -> Manikin:
    """Return the manikin of a body.

    Examples:
        >>> round(rx.make_manikin(rx.make_anthropometry(sex="m", mass=80.0)).model.mass, 3)
        80.0
    """
    skeleton = make_skeleton(anthropometry)
    bodies = _Bodies(
        skeleton,
        segment_masses(anthropometry, skeleton),
        make_collision_shapes(anthropometry, skeleton),
    )
    file = load_human_file()
    model = Model(
        "human",
        tuple(bodies.all(leg=file.leg, back=file.back, arm=file.arm)),
        points=control_points(anthropometry, skeleton),
        tip="right_hand",
        source=f"{anthropometry.label}; {file.top.text_of('source')}",
    )
    return Manikin(anthropometry, model, skeleton, joint_centres(skeleton))


def mirrored(q: ArrayLike) -> Array:
    """Return the mirror image of a posture or a velocity, (39,): left for right."""
    out = np.array(q, dtype=float)
    right = np.concatenate([out[GROUPS["right_leg"]], out[GROUPS["right_arm"]]])
    for limb in ("leg", "arm"):
        out[GROUPS[f"right_{limb}"]] = out[GROUPS[f"left_{limb}"]]
    out[GROUPS["left_leg"]], out[GROUPS["left_arm"]] = right[:7], right[7:]
    out[GROUPS["root"]] *= (1, -1, 1, -1, 1, -1)  # y, and the rotations about x and z
    out[GROUPS["back"]] *= (1, -1, -1, 1, -1)  # lateral bending and axial rotation
    return out


@dataclass(frozen=True, eq=False)
class _Bodies:
    """Builds the bodies of one person."""

    skeleton: Skeleton
    masses: Mapping[str, LumpedMass]
    shapes: Mapping[str, tuple[Shape, ...]]

    def all(
        self, *, leg: Iterable[JointRow], back: Iterable[JointRow], arm: Iterable[JointRow]
    ) -> Iterator[Body]:
        """Yield them in the order of the coordinates."""
        root = Joint("root", "floating")
        stance = Pose(translation=self.skeleton["pelvis"])
        yield self._filled(Body("pelvis", root, placement=stance), "pelvis")
        for side in SIDES:
            yield from self._chain(leg, parent="pelvis", side=side)
        yield from self._chain(back, parent="pelvis")
        for side in SIDES:
            yield from self._chain(arm, parent="thorax", side=side)
        rise = origin_of("head", self.skeleton) - origin_of("thorax", self.skeleton)
        head = Body(segment_body("head"), Joint("neck_fixed"), "thorax", Pose(translation=rise))
        yield self._filled(head, "head")

    def _chain(
        self, rows: Iterable[JointRow], *, parent: str, side: Side | None = None
    ) -> Iterator[Body]:
        prefix = "" if side is None else f"{side}_"
        above = origin_of(parent, self.skeleton)
        for row in rows:
            segment = prefix + row.segment if row.segment else ""
            position = self.skeleton[prefix + row.centre]
            joint = row.joint(side)
            name = segment_body(segment) if segment else joint.name
            body = Body(name, joint, parent, Pose(translation=position - above))
            yield self._filled(body, segment) if segment else body
            parent, above = name, position

    def _filled(self, body: Body, segment: str) -> Body:
        """Return the body with mass and shapes of a segment, in its own frame."""
        lump, origin = self.masses[segment], origin_of(segment, self.skeleton)
        shapes = tuple(
            replace(shape, pose=Pose(shape.pose.rotation, shape.pose.translation - origin))
            for shape in self.shapes[segment]
        )
        return replace(
            body,
            mass=lump.mass,
            com=lump.com - origin,
            inertia=lump.inertia,
            collision=shapes,
            visuals=tuple(Visual(shape, _colour(segment)) for shape in shapes),
        )


def _colour(segment: str) -> tuple[float, float, float, float]:
    if segment.endswith(_BARE_SEGMENTS):
        return _SKIN
    return _SHOE if segment.endswith(("foot", "toes")) else _CLOTH
