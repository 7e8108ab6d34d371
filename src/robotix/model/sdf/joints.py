"""The joints of an SDF model: kinds, axes, limits, and which joint mimics which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from robotix.files.xml_tree import Element
from robotix.geometry import Array, Pose
from robotix.model.body import Body
from robotix.model.composition import ball_joints, chain_of
from robotix.model.flaws import Flaws
from robotix.model.joint import Joint, JointKind, Mimic
from robotix.model.sdf.frames import Scope, SdfFrames
from robotix.model.sdf.values import flag_of, number_of, vector_of
from robotix.model.unlimited import infinite

__all__ = ["JointReader"]

SINGLE: dict[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "gearbox": "revolute",
    "prismatic": "prismatic",
}
KINDS = (*SINGLE, "fixed", "revolute2", "universal", "ball", "screw")
DEFAULT_AXIS = (0.0, 0.0, 1.0)
FULL_TURN = 2 * math.pi  # rad
MIN_OFFSET = 1e-12  # m
OLD_AXES = (1, 4)  # the last version in which axes were those of the model


@dataclass(frozen=True, eq=False)
class JointReader:
    """Reads the joints of one model."""

    frames: SdfFrames
    flaws: Flaws
    version: tuple[int, ...]  # of the format

    def bodies(self, body: Body, name: str) -> list[Body]:
        """Return a link on the joint that holds it, behind a body for each further coordinate.

        Args:
            body: The link at its place on its parent, on any joint.
            name: The joint's full name.
        """
        element, scope = self.frames.joints[name]
        kind = element.text("type")
        if kind not in KINDS:
            raise element.bad(
                f"joint type {kind!r}", f"one of {', '.join(KINDS)}", attribute="type"
            )
        link = self.frames.pose(body.name, element)
        joint = link.inverse() @ self.frames.joint_pose(name)
        with element.blame():
            joints = self._joints(element, name, kind, scope, link)
            return _placed(body, joints, joint.translation)

    def _joints(
        self, element: Element, name: str, kind: str, scope: Scope, link: Pose
    ) -> list[Joint]:
        """Return what makes up a joint, with axes in the frame of the link that it holds."""
        match kind:
            case "fixed":
                return [Joint(name)]
            case "ball":
                rotation = (link.inverse() @ self.frames.joint_pose(name)).rotation
                return [replace(each, axis=rotation @ each.axis) for each in ball_joints(name)]
            case "revolute2" | "universal":
                tags = ("axis", "axis2")
                return [
                    self._single(element, f"{name}_{i}", "revolute", tag, scope, link)
                    for i, tag in enumerate(tags, 1)
                ]
            case "screw":
                return self._screw(element, name, scope, link)
        if kind == "gearbox":
            fault = element.bad(f"gearbox {name!r}", "a joint without gears")
            self.flaws.note(fault, "read as a hinge that moves freely")
        joint = self._single(element, name, SINGLE[kind], "axis", scope, link)
        if kind == "continuous":
            joint = replace(joint, lower=-math.inf, upper=math.inf)
        return [joint]

    def _single(
        self, element: Element, name: str, kind: JointKind, tag: str, scope: Scope, link: Pose
    ) -> Joint:
        axis = element.all(tag)[0] if element.all(tag) else element.need(tag)
        lower, upper = self._range(axis)
        limit = axis.all("limit")
        return Joint(
            name,
            kind,
            axis=self._axis(axis, element, name, scope, link),
            lower=lower,
            upper=upper,
            velocity=_rate(limit, "velocity"),
            effort=_rate(limit, "effort"),
        )

    def _axis(self, axis: Element, joint: Element, name: str, scope: Scope, link: Pose) -> Array:
        values = np.array(vector_of(axis, "xyz", default=DEFAULT_AXIS))
        if np.linalg.norm(values) < 1e-9:
            raise axis.bad("an axis without direction", "three numbers, not all zero")
        named = axis.all("xyz")[0].attributes.get("expressed_in", "") if axis.all("xyz") else ""
        is_old = self.version <= OLD_AXES or flag_of(axis, "use_parent_model_frame")
        frame = scope.name(named) if named else scope.frame if is_old else ""
        if frame or is_old:
            rotation = self.frames.pose(frame, axis).rotation
        else:
            rotation = self.frames.joint_pose(scope.name(joint.text("name"))).rotation
        return np.asarray(link.rotation.T @ rotation @ values)

    def _range(self, axis: Element) -> tuple[float, float]:
        found = axis.all("limit")
        if not found:
            return -math.inf, math.inf
        lower = infinite(number_of(found[0], "lower", -math.inf))
        upper = infinite(number_of(found[0], "upper", math.inf))
        if lower > upper:
            fault = found[0].bad(f"lower {lower:g} above upper {upper:g}", "lower ≤ upper")
            self.flaws.note(fault, "the joint is read as unlimited")
            return -math.inf, math.inf
        return lower, upper

    def _screw(self, element: Element, name: str, scope: Scope, link: Pose) -> list[Joint]:
        """Return a hinge, and a slider `NAME_thread` that follows it."""
        hinge = self._single(element, name, "revolute", "axis", scope, link)
        if element.all("screw_thread_pitch") or not element.all("thread_pitch"):
            advance = number_of(element, "screw_thread_pitch", 1.0) / FULL_TURN  # m/rad
        else:
            pitch = number_of(element, "thread_pitch")  # rad/m, left-handed
            if not pitch:
                raise element.bad("thread_pitch 0", "a number other than 0")
            advance = -1.0 / pitch
        thread = Joint(f"{name}_thread", "prismatic", axis=hinge.axis, mimic=Mimic(name, advance))
        return [hinge, thread]

    # -- mimicking joints -------------------------------------------------------------------

    def with_mimics(self, bodies: list[Body]) -> list[Body]:
        """Return the bodies, with hinges and sliders that follow others as `<mimic>` says."""
        joints = {body.joint.name: body.joint for body in bodies}
        found = {name: self._mimic(name, joints) for name in self.frames.joints}
        return [
            body
            if (mimic := found.get(body.joint.name)) is None
            else replace(body, joint=replace(body.joint, mimic=mimic))
            for body in bodies
        ]

    def _mimic(self, name: str, joints: Mapping[str, Joint]) -> Mimic | None:
        element, scope = self.frames.joints[name]
        axes = element.all("axis")
        mimics = axes[0].all("mimic") if axes else []
        if not mimics or name not in joints:
            return None
        mimic = mimics[0]
        source = scope.name(mimic.text("joint"))
        others = self.frames.joints.get(source)
        is_free = source in joints and joints[source].kind in ("revolute", "prismatic")
        is_chained = others is not None and any(each.all("mimic") for each in others[0].all("axis"))
        if not is_free or is_chained or source == name:
            fault = mimic.bad(f"mimic of joint {source!r}", "a hinge or slider that moves freely")
            self.flaws.note(fault, f"joint {name!r} moves freely")
            return None
        ratio = number_of(mimic, "multiplier", 1.0)
        offset = number_of(mimic, "offset", 0.0) - ratio * number_of(mimic, "reference", 0.0)
        return Mimic(source, ratio, offset)


def _rate(limit: list[Element], tag: str) -> float:
    """Return a limit of speed or effort; infinite where there is none, or 0, or it is negative."""
    value = number_of(limit[0], tag, math.inf) if limit else math.inf
    return infinite(value) if value > 0 else math.inf


def _placed(body: Body, joints: list[Joint], offset: Array) -> list[Body]:
    """Return a body behind its joints, which are at `offset` in the body's frame.

    Where the body's origin lies on no hinge's axis, the joints come on massless bodies before it.
    """
    arms = [
        float(np.linalg.norm(np.cross(joint.axis, offset)))
        for joint in joints
        if joint.kind == "revolute"
    ]
    turns = sum(joint.kind == "revolute" for joint in joints)
    is_off = max(arms, default=0.0) > MIN_OFFSET or (
        turns > 1 and float(np.linalg.norm(offset)) > MIN_OFFSET
    )
    if not is_off:
        return chain_of(body, joints)
    first = replace(body, placement=body.placement @ Pose(translation=offset))
    last = joints[-1]
    carrier = Body(f"{body.name}.{last.name}", last, first.parent, first.placement)
    chain = chain_of(carrier, joints)
    still = Joint(f"{body.name}_fixed")
    held = replace(body, joint=still, parent=carrier.name, placement=Pose(translation=-offset))
    return [*chain, held]
